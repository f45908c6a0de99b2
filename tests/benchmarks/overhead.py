"""Time what the record, the checkpoints and the report of a run cost, in pairs.

Whole: ``solvers.solve``. Bare: the same steps and the same fits, with nothing kept but the
submission. Each run is a fresh process, and each pair runs both, one after the other, in turn
first, so that a machine that is shared with others slows both alike.

Run it by ``make overhead``; with real data: ``make overhead ARGS="--data DIR"``.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.benchmarks.parallel import dataset

ONCE = """
import sys, time
started = time.perf_counter()
from pathlib import Path
from tests.benchmarks.overhead import bare, whole
way, data, out, profile = sys.argv[1:]
{"bare": bare, "whole": whole}[way](Path(data), Path(out), profile)
print(time.perf_counter() - started)
"""


def compare(
    data: Annotated[Path | None, typer.Option(help="Spaceship data; else synthetic.")] = None,
    pairs: Annotated[int, typer.Option(min=1)] = 5,
    profile: Annotated[str, typer.Option()] = "full",
) -> None:
    """Print the medians of both ways, and of what the whole run takes more in a pair."""
    timings: dict[str, list[float]] = {"whole": [], "bare": []}
    with dataset(data) as folder:
        for number in track(range(pairs), console=Console(stderr=True)):
            for way in sorted(timings, reverse=bool(number % 2)):
                timings[way].append(_run(way, folder, profile))
    more = [
        100 * (whole / bare - 1)
        for whole, bare in zip(timings["whole"], timings["bare"], strict=True)
    ]
    table = Table("profile", "pairs", "whole, s", "bare, s", "more, %")
    table.add_row(profile, str(pairs), *map(_range, (*timings.values(), more)))
    Console().print(table)


def _range(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def _run(way: str, data: Path, profile: str) -> float:
    with tempfile.TemporaryDirectory() as out:
        words = [sys.executable, "-c", ONCE, way, str(data), f"{out}/run", profile]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout))


def whole(data: Path, out: Path, profile: str) -> None:
    """Do a run as anyone does."""
    from solvers import solve

    solve(data, out=out, profile=profile)


def bare(data: Path, out: Path, profile: str) -> None:
    """Do the same fits and write a submission, and nothing else."""
    import signatures
    from solvers.workers import Workers, usable_cpus

    match = signatures.match(data)
    with Workers(usable_cpus()) as workers:
        from solvers import predictions, submission
        from solvers.features import prepare
        from solvers.intake import check, read
        from solvers.out_of_fold import out_of_fold
        from solvers.parameters import load
        from solvers.profiles import PROFILES
        from solvers.stack import blend
        from solvers.stacked import cut_into_folds

        solver, asked = load(match.signature).solver, PROFILES[profile]
        rows = check(read(match), match, solver, asked)
        ready = prepare(rows, solver)
        folds, _ = cut_into_folds(rows, ready, solver, asked, seed=0)
        base = out_of_fold(
            [model.rehearsal(asked.work) for model in solver.models],
            ready.X, ready.X_test, rows.ys, rows.targets,
            folds=folds, seed=0, workers=workers,
        )  # fmt: skip
        blended = blend(base, rows.ys, rows.targets, folds, match.signature.metric)
        arrays = predictions.in_test_order(blended.final, rows)
        out.mkdir()
        frame = submission.build(rows.form, rows.targets, arrays)
        frame.to_csv(out / "submission.csv", index=False)


if __name__ == "__main__":
    typer.run(compare)
