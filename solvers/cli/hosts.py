"""Places that run other people's programs, and what they say of themselves in the environment.

A Kaggle notebook mounts data under ``/kaggle/input``, read-only, and takes what is left in
``/kaggle/working``. A container of MLE-bench has them in ``/home/data``, and takes
``submission.csv`` from the folder that SUBMISSION_DIR names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import signatures
from signatures import BundleError, KnownTaskError
from signatures.wording import quoted


@dataclass(frozen=True)
class Host:
    """Where data lie and results go.

    Attributes
    ----------
    name : str
        What people call it.
    data : Path
        The folder of the dataset, or of several.
    submission_dir : Path
        Where a submission is looked for.
    out : Path, optional
        A new folder for the run, where the working directory need not be the place for it.
    """

    name: str
    data: Path
    submission_dir: Path
    out: Path | None = None


def find_host(environ: Mapping[str, str], root: Path = Path("/")) -> Host | None:
    """Tell by the environment which host this is, if it is one; `root` is its file system's."""
    if environ.get("KAGGLE_KERNEL_RUN_TYPE"):
        return Host("a Kaggle notebook", root / "kaggle/input", root / "kaggle/working")
    if environ.get("COMPETITION_ID"):
        from solvers.places import free

        logs = environ.get("LOGS_DIR")
        return Host(
            "a container of MLE-bench",
            root / "home/data",
            Path(environ.get("SUBMISSION_DIR") or root / "home/submission"),
            free(Path(logs) / "solvers") if logs else None,
        )
    return None


def with_dataset(host: Host) -> Host:
    """Name the dataset where there are several: the only one that is a known task's.

    Raises
    ------
    BundleError
        If there is none, or more than one that would do.
    """
    folders = list(_datasets(host.data))
    known = [folder for folder in folders if _is_known(folder)]
    found = known or folders
    if len(found) == 1:
        return replace(host, data=found[0])
    kind = "known tasks' datasets" if known else "datasets, of no known task,"
    problem = "holds no files" if not found else f"holds {len(found)} {kind}"
    names = f": {quoted([str(path) for path in found[:3]])}" if found else ""
    raise BundleError(str(host.data), problem + names, "Give the PATH of one.")


def _datasets(folder: Path) -> Iterator[Path]:
    """Find the topmost folders that hold files; mounts lie at different depths."""
    if not folder.is_dir():
        return
    inside = sorted(folder.iterdir())
    if any(path.is_file() for path in inside):
        yield folder
        return
    for path in inside:
        yield from _datasets(path)


def _is_known(folder: Path) -> bool:
    try:
        signatures.match(folder)
    except KnownTaskError:
        return False
    return True
