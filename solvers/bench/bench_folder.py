"""The folder of a bench: its runs, and what was seen of them so far."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from signatures import RunFolderError
from signatures.wording import quoted
from solvers.bench.asked import Asked
from solvers.bench.rows import SCHEMA_VERSION, Bench, Row
from solvers.places import claimed, make_folders, refuse_bad_place, remove_empty

FACTS, PAGE = "bench.json", "bench.md"
_OTHER = "Choose another folder with --out."


def default_folder(started: datetime, root: Path = Path("runs")) -> Path:
    """Name a bench's folder, ``runs/bench/<UTC time>``; numbered where that is taken."""
    place = root / "bench" / f"{started:%Y%m%dT%H%M%SZ}"
    number = 2
    while place.exists():
        place = place.with_name(f"{started:%Y%m%dT%H%M%SZ}-{number}")
        number += 1
    return place


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


def rows_so_far(out: Path, asked: Asked) -> tuple[tuple[Row, ...], tuple[int, ...]]:
    """Read what an earlier start of the same bench saw, and on how many CPUs.

    Raises
    ------
    RunFolderError
        If the folder holds anything that is not of this bench.
    """
    planned = {run_name(dataset.name, seed) for dataset in asked.datasets for seed in asked.seeds}
    ours = planned | {name for known in (FACTS, PAGE) for name in (known, _half(known))}
    if foreign := sorted(set(os.listdir(out)) - ours):
        problem = f"is not empty, and {quoted(foreign)} is not of this bench"
        raise RunFolderError(str(out), problem, "Choose an empty folder with --out.")
    if not (out / FACTS).exists():
        if (out / PAGE).exists():
            raise RunFolderError(str(out / PAGE), f"lies there without {FACTS}", _OTHER)
        return (), ()
    before = read_bench(out / FACTS)
    if before.asked.profile != asked.profile:
        problem = f"holds a bench of the profile {before.asked.profile!r}"
        raise RunFolderError(str(out), problem, _OTHER)
    return tuple(row for row in before.rows if row.run in planned), before.cpus


def read_bench(path: Path) -> Bench:
    """Read ``bench.json``.

    Raises
    ------
    RunFolderError
        If it cannot be read, or is not what a bench writes.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        bench = TypeAdapter(Bench).validate_python(facts)
    except OSError as error:
        raise RunFolderError(str(path), f"cannot be read ({error.strerror})", _OTHER) from error
    except (ValueError, RecursionError) as error:
        what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "no JSON text"
        raise RunFolderError(str(path), f"is not what a bench writes: {what}", _OTHER) from error
    if bench.schema_version != SCHEMA_VERSION:
        problem = f"has schema version {bench.schema_version}; this one reads {SCHEMA_VERSION}"
        raise RunFolderError(str(path), problem, _OTHER)
    return bench


def keep(out: Path, bench: Bench) -> None:
    """Write down what was seen so far: each file as a whole or not at all, the facts first."""
    text = json.dumps(bench.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
    for name, content in ((FACTS, f"{text}\n"), (PAGE, bench.to_markdown())):
        half = out / _half(name)
        with half.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(half, out / name)


def _half(name: str) -> str:
    return f".{name}.half"
