"""What each group of features, and each rule, of a known task is worth.

One is left out (or, of those in `TRIED`, added) at a time; the average of the base models is
scored out of fold on the same folds with and without it, and the difference is told as mean and
standard error over fold seeds. Run it by ``make ablation ARGS=DIR``; it takes a minute a line.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer

import signatures
from signatures import Match
from signatures.side_files import select
from solvers.features import Prepared, prepare
from solvers.intake import Dataset, check, read
from solvers.models import Model
from solvers.out_of_fold import out_of_fold
from solvers.parameters import load
from solvers.prediction_columns import AVERAGE
from solvers.profiles import PROFILES
from solvers.solver import StackedSolver
from solvers.stack import blend
from solvers.stacked import cut_into_folds
from solvers.workers import Workers, usable_cpus


def family(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How many of the party, and of the whole ship, carry the surname."""
    party = rows.groupby(["Party", "Surname"])["Party"].transform("size")
    ship = rows.groupby("Surname")["Party"].transform("size")
    return pd.DataFrame({"family_size": party, "surname_count": ship}).astype("float64")


def missing(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Which values were missing before any rule filled them in."""
    return raw.drop(columns="PassengerId").isna().astype("float64").add_prefix("no_")


def party_mates(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How the others of the party sleep and spend; never whether they were transported."""
    asleep = rows["CryoSleep"].astype("Float64").astype("float64").fillna(0)
    total = rows[["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]].sum(axis=1)
    of_all = {"mates_asleep": asleep, "mates_credits": total}
    return pd.DataFrame(
        {name: x.groupby(rows["Party"]).transform("sum") - x for name, x in of_all.items()}
    )


TRIED = {"spaceship-titanic": (family, missing, party_mates)}


@dataclass(frozen=True)
class Variant:
    """A solver with something left out, or (`sign` of -1) added."""

    name: str
    solver: StackedSolver
    sign: int = 1


def main(
    data: Annotated[Path, typer.Argument(exists=True)],
    fold_seeds: Annotated[int, typer.Option(min=2)] = 5,
    each_rule: Annotated[bool, typer.Option(help="Also leave out one rule at a time.")] = False,
) -> None:
    """Print a Markdown table, in points of the metric times 100."""
    match = signatures.match(data)
    solver = load(match.signature).solver
    dataset = check(read(match), match, solver, PROFILES["full"])
    ready = _prepared(match, solver, dataset)
    whole = _scores(match, solver, dataset, ready, fold_seeds)
    typer.echo(
        f"whole: {np.mean(whole):.5f}, {fold_seeds} fold seeds\n\n| part | worth |\n|---|---|"
    )
    for variant in _variants(match.slug, solver, each_rule=each_rule):
        other = _prepared(match, variant.solver, dataset)
        if needing := _needing(variant.solver.models, {*ready.X.columns} - {*other.X.columns}):
            typer.echo(f"| {variant.name} | needed by {', '.join(needing)} |")
            continue
        difference = whole - _scores(match, variant.solver, dataset, other, fold_seeds)
        worth = 100 * variant.sign * difference
        error = np.std(worth, ddof=1) / np.sqrt(fold_seeds)
        typer.echo(f"| {variant.name} | {np.mean(worth):+.2f} ± {error:.2f} |")


def _variants(slug: str, solver: StackedSolver, *, each_rule: bool) -> Iterator[Variant]:
    for group in solver.features if len(solver.features) > 1 else ():
        rest = tuple(other for other in solver.features if other is not group)
        yield Variant(f"`{group.__name__}`", replace(solver, features=rest))
    if solver.rules:
        yield Variant("all rules", replace(solver, rules=()))
    free = tuple(_undirected(model) for model in solver.models)
    if free != solver.models:
        yield Variant("directions", replace(solver, models=free))
    for rule in solver.rules if each_rule else ():
        rest_of_rules = tuple(other for other in solver.rules if other is not rule)
        yield Variant(f"rule `{rule.__name__}`", replace(solver, rules=rest_of_rules))
    for group in TRIED.get(slug, ()):
        more = replace(solver, features=(*solver.features, group))
        yield Variant(f"`{group.__name__}`, tried and left out", more, sign=-1)


def _undirected(part: Any) -> Any:
    """Give a model, or what it is made of, without directions for its features."""
    if not is_dataclass(part) or isinstance(part, type):
        return part
    inner = {field.name: _undirected(getattr(part, field.name)) for field in fields(part)}
    return replace(part, **inner | ({"monotone": ()} if "monotone" in inner else {}))


def _needing(models: Iterable[Model], columns: Collection[str]) -> list[str]:
    """Name the models that cannot do without one of these columns: a kernel does, for one."""
    return [model.name for model in models if not _named_in(model).isdisjoint(columns)]


def _named_in(part: Any) -> set[str]:
    """Collect the words that a model is made of, but for those that may name nothing."""
    if isinstance(part, str):
        return {part}
    if isinstance(part, tuple):
        return set().union(*map(_named_in, part))
    if not is_dataclass(part) or isinstance(part, type):
        return set()
    free = {"monotone", "hidden", "name"}
    values = [getattr(part, field.name) for field in fields(part) if field.name not in free]
    return set().union(*map(_named_in, values))


def _prepared(match: Match, solver: StackedSolver, dataset: Dataset) -> Prepared:
    return prepare(dataset, solver, select(match.bundle.members, match.signature.side))


def _scores(
    match: Match, solver: StackedSolver, dataset: Dataset, ready: Prepared, fold_seeds: int
) -> np.ndarray[Any, Any]:
    """Score the plain average, once per fold seed."""
    profile = replace(PROFILES["full"], fold_seeds=fold_seeds)
    folds, cut = cut_into_folds(dataset, ready, solver, profile, seed=0)
    with Workers(usable_cpus()) as workers:
        base = out_of_fold(
            solver.models, ready.X, ready.X_test, dataset.fitted, dataset.targets,
            folds=folds, seed=0, ordered=cut.kind == "time", workers=workers,
        )  # fmt: skip
    blended = blend(base, dataset.ys, dataset.targets, folds, match.signature.metric)
    return np.array(blended.scores[AVERAGE].per_seed)


if __name__ == "__main__":
    typer.run(main)
