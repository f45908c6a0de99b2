"""Time two ways to spread the same fits over cores, in pairs.

Ours: one thread inside a fit, processes over fits. The plain way: one fit after the other, each
with all the threads it can get. Every run is a fresh process; each pair runs both, one after the
other, so that a machine that is shared with others slows both alike. With ``--busy`` both are also
compared while another process keeps one core busy.

Run it by ``make bench``; with real data: ``make bench ARGS="--data DIR"``.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

ONCE = """
import sys
from pathlib import Path
from tests.benchmarks.parallel import once
once(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
"""


@dataclass(frozen=True)
class Timing:
    """One run: seconds on the wall, and of CPU inside the fits."""

    wall: float
    fits: float
    cpus: int


def compare(
    data: Annotated[Path | None, typer.Option(help="Spaceship data; else synthetic.")] = None,
    pairs: Annotated[int, typer.Option(min=1)] = 3,
    fold_seeds: Annotated[int, typer.Option(min=1)] = 1,
    busy: Annotated[bool, typer.Option(help="Also with one core kept busy.")] = True,
) -> None:
    """Print the median of both ways and of their ratio, quiet and with a busy core."""
    table = Table("machine", "ours, s", "plain, s", "plain / ours", "ours / (fits' CPU s / CPUs)")
    with dataset(data) as folder:
        for name in ["as it is", "one core busy"] if busy else ["as it is"]:
            with _busy_core(name == "one core busy"):
                timings = [
                    (_run("ours", folder, fold_seeds), _run("plain", folder, fold_seeds))
                    for _ in range(pairs)
                ]
            table.add_row(name, *_medians(timings))
    Console().print(table)


def _medians(timings: list[tuple[Timing, Timing]]) -> list[str]:
    columns = [
        [ours.wall for ours, _ in timings],
        [plain.wall for _, plain in timings],
        [plain.wall / ours.wall for ours, plain in timings],
        [ours.wall / (ours.fits / ours.cpus) for ours, _ in timings],
    ]
    return [f"{statistics.median(c):.2f} ({min(c):.2f} to {max(c):.2f})" for c in columns]


@contextmanager
def dataset(data: Path | None) -> Iterator[Path]:
    """Use real data, or synthetic passengers as many as there are real ones."""
    if data is not None:
        yield data
        return
    from signatures import REGISTRY

    with tempfile.TemporaryDirectory() as folder:
        tables = REGISTRY["spaceship-titanic"].load_solver().example(7823, 870, 0)
        for name, table in zip(("train", "test", "sample_submission"), tables, strict=True):
            table.to_csv(Path(folder) / f"{name}.csv", index=False)
        yield Path(folder)


@contextmanager
def _busy_core(wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _run(way: str, data: Path, fold_seeds: int) -> Timing:
    words = [sys.executable, "-c", ONCE, way, str(data), str(fold_seeds)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return Timing(**json.loads(done.stdout))


def once(way: str, data: Path, fold_seeds: int) -> None:
    """Do the fits once and print what they took."""
    from solvers.out_of_fold import out_of_fold
    from solvers.workers import Workers, usable_cpus

    arguments = _arguments(data, fold_seeds)
    models, cpus = arguments.pop("models"), usable_cpus()
    if way == "plain":
        models = [_with_all_threads(model) for model in models]
    started = time.perf_counter()
    with Workers(cpus if way == "ours" else 1) as workers:
        base = out_of_fold(models, **arguments, seed=0, workers=workers)
    wall = time.perf_counter() - started
    fits = sum(result.cpu_seconds for result in base.results)
    typer.echo(json.dumps({"wall": wall, "fits": fits, "cpus": cpus}))


def _arguments(data: Path, fold_seeds: int) -> dict[str, Any]:
    """Prepare a task as a run does, up to the fits."""
    import signatures
    from solvers.features import prepare
    from solvers.intake import check, read
    from solvers.parameters import load
    from solvers.profiles import PROFILES
    from solvers.stacked import cut_into_folds

    match = signatures.match(data)
    solver = load(match.signature).solver
    profile = replace(PROFILES["full"], fold_seeds=fold_seeds)
    dataset = check(read(match), match, solver, profile)
    ready = prepare(dataset, solver)
    folds, _ = cut_into_folds(dataset, ready, solver, profile, seed=0)
    return {
        "models": list(solver.models),
        "X": ready.X,
        "X_test": ready.X_test,
        "ys": dataset.ys,
        "targets": dataset.targets,
        "folds": folds,
    }


def _with_all_threads(model: Any) -> Any:
    """Let a model take a thread for each CPU that the system shows, as ``n_jobs=-1`` does."""
    kind = type(model)
    name = {"lightgbm": "num_threads", "xgboost": "nthread", "catboost": "thread_count"}[model.name]

    def params(self: Any, X: Any, target: Any, seed: int) -> dict[str, Any]:
        return {**kind._params(self, X, target, seed), name: os.cpu_count()}

    return type(kind.__name__, (kind,), {"_params": params})(**vars(model))


if __name__ == "__main__":
    typer.run(compare)
