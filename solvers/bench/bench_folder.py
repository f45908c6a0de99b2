"""The folder of a bench: its runs, and what was seen of them so far."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from signatures import RunFolderError
from signatures.wording import quoted
from solvers.bench.asked import Asked
from solvers.bench.rows import Bench
from solvers.files import write_whole
from solvers.places import claimed, free, make_folders, refuse_bad_place, remove_empty

FACTS, PAGE = "bench.json", "bench.md"
_OTHER = "Choose another folder with --out."


def default_folder(started: datetime, root: Path = Path("runs")) -> Path:
    """Name a bench's folder, ``runs/bench/<UTC time>``; numbered where that is taken."""
    return free(root / "bench" / f"{started:%Y%m%dT%H%M%SZ}")


def run_name(name: str, seed: int) -> str:
    """Name the folder of a run inside that of its bench."""
    return f"{name}-s{seed}"


@contextmanager
def opened(out: Path, inputs: Sequence[Path]) -> Iterator[None]:
    """Make the folder and keep it from other benches while the block runs.

    It is removed again if nothing was put into it.

    Raises
    ------
    RunFolderError
        If it lies in a dataset, cannot be made, or another bench is at work in it.
    """
    for path in inputs:
        refuse_bad_place(out, path)
    made: list[Path] = []
    try:
        make_folders(out, made)
    except OSError as error:
        remove_empty(made)
        raise RunFolderError(str(out), f"cannot be made ({error.strerror})", _OTHER) from error
    try:
        with claimed(out):
            yield
    finally:
        remove_empty(made)


def refuse_foreign(out: Path, asked: Asked) -> None:
    """Refuse a folder that holds anything which is not of this bench.

    Raises
    ------
    RunFolderError
        Naming what is foreign.
    """
    planned = {run_name(dataset.name, seed) for dataset in asked.datasets for seed in asked.seeds}
    found = {name for name in os.listdir(out) if not name.startswith(".")}
    if foreign := sorted(found - planned - {FACTS, PAGE}):
        problem = (
            f"is not empty, and {quoted(foreign)} is not of this bench; if it was one with other "
            "seeds or datasets, ask for these too"
        )
        raise RunFolderError(str(out), problem, "Choose an empty folder with --out.")


def keep(out: Path, bench: Bench) -> None:
    """Write down what was seen so far: each file as a whole or not at all."""
    text = json.dumps(bench.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
    write_whole(out / FACTS, f"{text}\n")
    write_whole(out / PAGE, bench.to_markdown())
