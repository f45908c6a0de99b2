"""The folders of runs.

Of a new one all is written out of sight, then moved to its place, the record last. Of those that
were made before, the newest score can be told. Nothing heavy is imported here.
"""

import json
import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from signatures import RunFolderError

UNFINISHED = ".unfinished"
RECORD = "run.json"
SUBMISSION = "submission.csv"


def default_place(slug: str, seed: int, started: datetime, root: Path = Path("runs")) -> Path:
    """Name a run's folder, ``runs/<slug>/<UTC time>-s<seed>``; numbered where that is taken."""
    place = root / slug / f"{started:%Y%m%dT%H%M%SZ}-s{seed}"
    number = 2
    while place.exists():
        place = place.with_name(f"{started:%Y%m%dT%H%M%SZ}-s{seed}-{number}")
        number += 1
    return place


class RunFolder:
    """A run's output folder, which looks finished only when it is.

    Files are written to the hidden folder ``.unfinished`` inside it. `publish` moves them up,
    ``run.json`` last: a folder without it is not a finished run. Leaving the ``with`` block
    without `publish` removes all that was made.

    Parameters
    ----------
    out : Path
        A folder that does not exist or is empty. It may be a mount, so nothing is written beside
        it.
    inputs : Path
        What was handed over; the output may not lie inside it.

    Raises
    ------
    RunFolderError
        On entering, if the folder cannot be used; nothing has been written then.
    """

    def __init__(self, out: Path, *, inputs: Path) -> None:
        self.out = out
        self._inputs = inputs
        self._made: list[Path] = []
        self._moved: list[Path] = []
        self._published = False
        self._owned = False

    def __enter__(self) -> Self:
        """Make the folder, or say why it cannot be used."""
        self._refuse_bad_place()
        try:
            make_folders(self.out, self._made)
            # Made last and never shared: of two runs that ask for one folder, one fails here.
            (self.out / UNFINISHED).mkdir()
            self._owned = True
        except OSError as error:
            self._clean()
            raise RunFolderError(
                path=str(self.out),
                problem=f"cannot be written to ({error.strerror})",
                next="Choose another folder with --out.",
            ) from error
        return self

    def _refuse_bad_place(self) -> None:
        out, inputs = self.out.resolve(), self._inputs.resolve()
        if out == inputs or inputs in out.parents:
            problem, cure = "lies inside the input folder, which stays as it is", "Choose another"
        elif self.out.exists() and not self.out.is_dir():
            problem, cure = "is a file", "Choose a folder"
        elif (self.out / UNFINISHED).exists():
            problem = "holds a run that is not finished, or was killed"
            cure = "Delete it if nothing is running there, or choose another"
        elif self.out.exists() and any(self.out.iterdir()):
            problem, cure = "is not empty", "Empty it, or choose another"
        else:
            return
        raise RunFolderError(path=str(self.out), problem=problem, next=f"{cure} with --out.")

    def path(self, name: str) -> Path:
        """Where to write the file `name` while the run is going on."""
        return self.out / UNFINISHED / name

    def publish(self) -> None:
        """Move all files to their place, the record last."""
        names = sorted(os.listdir(self.out / UNFINISHED), key=lambda name: (name == RECORD, name))
        for name in names:
            _flush(self.path(name))
            self._moved.append(self.out / name)
            os.replace(self.path(name), self.out / name)
        (self.out / UNFINISHED).rmdir()
        self._published = True

    def __exit__(self, *error: object) -> None:
        """Leave a finished run, or nothing."""
        if not self._published:
            self._clean()

    def _clean(self) -> None:
        """Remove what this run made, and no folder that anything else was put into."""
        if self._owned:
            shutil.rmtree(self.out / UNFINISHED, ignore_errors=True)
        for moved in self._moved:
            if moved.is_dir():
                shutil.rmtree(moved, ignore_errors=True)
            else:
                moved.unlink(missing_ok=True)
        remove_empty(self._made)


def make_folders(path: Path, made: list[Path]) -> None:
    """Make a folder and its missing parents, and note each in `made` as soon as it is there."""
    absent = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(absent):
        folder.mkdir(exist_ok=True)
        made.append(folder)


def remove_empty(made: list[Path]) -> None:
    """Remove the folders that `make_folders` noted, but none that something else was put into."""
    for folder in reversed(made):
        try:
            folder.rmdir()
        except OSError:
            return


def _flush(path: Path) -> None:
    """Make sure a file's bytes, or a folder's, are on the disk before its name says so."""
    for file in path.rglob("*") if path.is_dir() else [path]:
        if file.is_file():
            with file.open("rb") as stream:
                os.fsync(stream.fileno())


def last_score(slug: str, root: Path = Path("runs")) -> dict[str, Any] | None:
    """Find the newest finished run of a task and return its used score, or None.

    Passed over are runs that carry a note, as those on synthetic data do, and folders whose record
    cannot be read: they are no finished runs.
    """
    newest: dict[str, Any] | None = None
    for path in sorted(root.rglob("run.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["task"] != slug or record["note"]:
                continue
            scores = record["scores"]
            used = scores["models"][scores["used"]]
            found = {
                "mean": used["mean"],
                "sem": used["sem"],
                "metric": scores["metric"],
                "profile": record["settings"]["profile"]["name"],
                "finished": record["finished"],
                "run": str(path.parent),
            }
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if newest is None or found["finished"] > newest["finished"]:
            newest = found
    return newest
