"""Datasets that the package makes itself, that of `solvers demo` among them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from signatures import REGISTRY, RunFolderError
from solvers.places import default_place, make_folders, remove_empty
from solvers.solver import StackedSolver

TASK = "spaceship-titanic"
NOTICE = (
    "The passengers are synthetic, made from the seed: the score says nothing about the real task."
)
N_TRAIN, N_TEST = 2000, 500


@contextmanager
def dataset(out: Path | None, *, seed: int) -> Iterator[tuple[Path, Path]]:
    """Write synthetic train, test and sample files; remove them again if the block fails.

    Parameters
    ----------
    out : Path, optional
        A new or empty folder; by default ``runs/demo/<UTC time>-s<seed>``.

    Yields
    ------
    data, run : Path
        The folder with the files, and where the run may go.

    Raises
    ------
    RunFolderError
        If `out` is not empty, or is a file.
    """
    place = default_place("demo", seed, datetime.now(UTC)) if out is None else out
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise RunFolderError(
            path=str(place), problem="is not an empty folder", next="Choose another with --out."
        )
    data = place / "data"
    made: list[Path] = []
    try:
        make_folders(place, made)
        data.mkdir()
        write_example(data, seed=seed)
        (data / "description.md").write_text(NOTICE + "\n", encoding="utf-8")
        yield data, place / "run"
    except BaseException:
        # A run that can go on needs its data.
        if not (place / "run").exists():
            shutil.rmtree(data, ignore_errors=True)
            remove_empty(made)
        raise


def write_example(
    folder: Path, task: str = TASK, *, n_train: int = N_TRAIN, n_test: int = N_TEST, seed: int = 0
) -> None:
    """Write the synthetic train, test and sample files of a known task into a folder."""
    solver: StackedSolver = REGISTRY[task].load_solver()
    names = ("train.csv", "test.csv", "sample_submission.csv")
    for name, table in zip(names, solver.example(n_train, n_test, seed), strict=True):
        table.to_csv(folder / name, index=False, lineterminator="\n")
