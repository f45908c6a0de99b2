"""Places for runs: named, refused where they will not do, claimed, made and removed again."""

import fcntl
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from signatures import RunFolderError
from solvers.request import REQUEST
from solvers.run_record import UNFINISHED


def default_place(slug: str, seed: int, started: datetime, root: Path = Path("runs")) -> Path:
    """Name a run's folder, ``runs/<slug>/<UTC time>-s<seed>``; numbered where that is taken."""
    return free(root / slug / f"{started:%Y%m%dT%H%M%SZ}-s{seed}")


def free(place: Path) -> Path:
    """Give a place that is not taken: this one, or with the first number that is free."""
    numbers = (place.with_name(f"{place.name}-{number}") for number in count(2))
    return next(one for one in chain([place], numbers) if not one.exists())


def refuse_unwritable_name(place: str | Path | None) -> None:
    """Refuse a path that is no Unicode text, before any work: a record could not name it."""
    try:
        str(place).encode()
    except UnicodeEncodeError as error:
        shown = str(place).encode(errors="backslashreplace").decode()
        problem = "has a name that is no UTF-8 text"
        raise RunFolderError(shown, problem, "Rename it, or choose another.") from error


def refuse_bad_place(out: Path, inputs: Path, option: str = "--out") -> None:
    """Refuse a place that nothing may be written to, before anything is."""
    place, source = out.resolve(), inputs.resolve()
    if place == source:
        problem, cure = "is the input folder itself, which stays as it is", "Choose another"
    elif source in place.parents:
        problem, cure = "lies inside the input folder, which stays as it is", "Choose another"
    elif out.exists() and not out.is_dir():
        problem, cure = "is a file", "Choose a folder"
    else:
        return
    raise RunFolderError(path=str(out), problem=problem, next=f"{cure} with {option}.")


def refuse_taken_place(out: Path) -> None:
    """Refuse a folder that holds anything; the caller has claimed it.

    A run that was killed before it wrote down what it was asked left nothing: its place is free.
    """
    unfinished = out / UNFINISHED
    if (unfinished / REQUEST).exists():
        raise RunFolderError(
            path=str(out),
            problem="holds a run that is not finished",
            next=f"Go on with it: solvers solve --resume {shlex.quote(str(out))}. Or delete it, or "
            "choose another folder with --out.",
        )
    if any(path != unfinished for path in out.iterdir()):
        raise RunFolderError(
            path=str(out), problem="is not empty", next="Empty it, or choose another with --out."
        )
    if unfinished.exists():
        shutil.rmtree(unfinished)


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keep a folder from other processes; the system lets go of it if this one is killed.

    Raises
    ------
    RunFolderError
        If another process has it.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise RunFolderError(
            path=str(folder),
            problem="is being written to by another run",
            next="Wait until it ends, or choose another folder with --out.",
        ) from error
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(handle)


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
