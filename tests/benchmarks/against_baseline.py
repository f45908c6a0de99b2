"""What a known task's own solver is worth: against the baseline, on the same rows and folds.

The baseline knows nothing of the task but its metric: types are inferred, and the same folds,
stack and choice of blend are used. The difference is told as mean and standard error over fold
seeds. Run it by ``make against-baseline ARGS="DIR..."``, a folder of data a task.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import signatures
from signatures import Match
from signatures.side_files import select
from solvers.baseline.metric import Told
from solvers.baseline.models import recipe_for
from solvers.baseline.question import ask
from solvers.baseline.rows import dataset
from solvers.features import prepare
from solvers.intake import Dataset, check, read
from solvers.out_of_fold import out_of_fold
from solvers.parameters import load
from solvers.profiles import PROFILES, Profile
from solvers.recipe import Recipe
from solvers.stack import blend
from solvers.stacked import cut_into_folds
from solvers.target import FoldIndex
from solvers.workers import Workers, usable_cpus

Scores = np.ndarray[Any, Any]


def main(
    paths: Annotated[list[Path], typer.Argument(exists=True)],
    fold_seeds: Annotated[int, typer.Option(min=2)] = 5,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Print a Markdown table; a positive difference is the solver's gain."""
    typer.echo("| task | metric | solver | baseline | gain |\n|---|---|---|---|---|")
    for path in paths:
        match = signatures.match(path)
        ours, plain = _scores(match, replace(PROFILES["full"], fold_seeds=fold_seeds), seed)
        metric = match.signature.metric
        gains = (ours - plain) * (1 if metric.higher_is_better else -1)
        texts = [f"{x.mean():.5f} ± {_error(x):.5f}" for x in (ours, plain, gains)]
        typer.echo(f"| {match.slug} | {metric.name} | {' | '.join(texts)} |")


def _error(values: Scores) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _scores(match: Match, profile: Profile, seed: int) -> tuple[Scores, Scores]:
    """Score the solver and the baseline, once per fold seed."""
    solver = load(match.signature).solver
    tables = read(match)
    data = check(tables, match, solver, profile)
    side = select(match.bundle.members, match.signature.side)
    folds, cut = cut_into_folds(data, prepare(data, solver, side), solver, profile, seed)
    question = ask(tables, Told(match.signature.metric.name, "the known task's"))
    found = dataset(tables, question)
    rows = found.data
    for mine, theirs in zip(data.ys, rows.ys, strict=True):
        if not np.array_equal(mine, theirs):
            msg = "the baseline has not the same rows in the same order"
            raise AssertionError(msg)
    ordered = cut.kind == "time"
    return (
        _scored(match, data, solver, folds, seed, ordered=ordered),
        _scored(match, rows, recipe_for(found), folds, seed, ordered=ordered),
    )


def _scored(
    match: Match, data: Dataset, recipe: Recipe, folds: list[FoldIndex], seed: int, *, ordered: bool
) -> Scores:
    """Fit out of fold, blend, and score the blend that would be used."""
    ready = prepare(data, recipe, select(match.bundle.members, match.signature.side))
    with Workers(usable_cpus()) as workers:
        base = out_of_fold(
            recipe.models, ready.X, ready.X_test, data.fitted, data.targets,
            folds=folds, seed=seed, ordered=ordered, workers=workers,
        )  # fmt: skip
    blended = blend(base, data.ys, data.targets, folds, match.signature.metric)
    return np.array(blended.scores[blended.choice.used].per_seed)


if __name__ == "__main__":
    typer.run(main)
