"""What is to be predicted in an unknown dataset, and what it is taken to be judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from signatures import Metric
from solvers.baseline.asked import Asked, UnclearError, read_asked
from solvers.baseline.kinds import numbers
from solvers.baseline.metric import REGRESSION, metric
from solvers.intake import Tables
from solvers.target import LINKS, Target

MOST_CLASSES = 200
FEW_NUMBERS = 20  # whole numbers that are as few as this may be names of classes


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    asked : Asked
        Rows and columns.
    targets : tuple of Target
        As the submission names them, in the order of ``asked.answers``.
    metric : Metric
        What it is taken to be judged by.
    labels : bool
        Whether a class is to be named rather than given a probability.
    notes : tuple of str
        What was guessed, and from what.
    """

    asked: Asked
    targets: tuple[Target, ...]
    metric: Metric
    labels: bool
    notes: tuple[str, ...] = field(default=())


def ask(tables: Tables, told: tuple[str | None, str]) -> Question:
    """Tell what is asked from the columns' names and values, and the metric that is `told`.

    Raises
    ------
    UnclearError
        If it cannot be told.
    """
    train, sample = tables.train, tables.sample
    asked = read_asked(tables)
    if kept := {"fold", "fold_seed"} & {*asked.answers.values()}:
        msg = f"{', '.join(sorted(kept))} is a name that a run keeps for itself: rename the column"
        raise UnclearError(msg)
    kinds = [
        bool(asked.classes) or _is_class(train[name], told[0], _shown(sample, shown))
        for name, shown in asked.answers.items()
    ]
    if len(set(kinds)) > 1:
        msg = f"of {', '.join(asked.answers)} some are numbers and some are classes"
        raise UnclearError(msg)
    most = max(train[column].nunique() for column in asked.answers) if kinds[0] else 0
    labels, name, note = _metric(told, sample, asked, most)
    targets = tuple(
        _target(train[column], shown, name, asked.one_each, is_class=kinds[0])
        for column, shown in asked.answers.items()
    )
    if any(
        target.link != "identity" and _below(train, asked.answers, target) for target in targets
    ):
        targets, name = tuple(Target(target.name) for target in targets), "rmse"
        note += ", which such numbers do not have; rmse is used"
    by = asked.id or "none, rows are known by their order"
    pairs = zip(asked.answers, targets, strict=True)
    told_of = ", ".join(f"{column} as {target.kind}" for column, target in pairs)
    notes = (f"predicted: {told_of}", f"metric {name}: {note}", f"id: {by}")
    return Question(asked, targets, metric(name), labels, notes)


def _shown(sample: pd.DataFrame | None, column: str) -> pd.Series:
    """Give what a sample holds in the place of answers."""
    empty = pd.Series(dtype=object)
    return empty if sample is None or column not in sample else sample[column].dropna()


def _is_class(values: pd.Series, told: str | None, shown: pd.Series) -> bool:
    """Tell names of classes from numbers, by the metric or by how many there are."""
    known = values.dropna()
    if not len(known):
        msg = f"{values.name} has no value in train"
        raise UnclearError(msg)
    read = numbers(known)
    n = known.nunique()
    if np.isnan(read).any():
        if n > MOST_CLASSES or 2 * n > len(known) > FEW_NUMBERS:
            msg = f"{values.name} is text with {n} different values: neither numbers nor classes"
            raise UnclearError(msg)
        return True
    if told is not None:
        return told not in REGRESSION and n <= MOST_CLASSES
    if n <= 2:
        return True
    whole = bool((read % 1 == 0).all())
    fractions = bool((numbers(shown) % 1 > 0).any())
    return whole and not fractions and n <= FEW_NUMBERS and n <= max(2, 0.1 * len(known))


def _metric(
    told: tuple[str | None, str], sample: pd.DataFrame | None, asked: Asked, n_classes: int
) -> tuple[bool, str, str]:
    """Choose whether labels are wanted, and the metric, with its reason."""
    name, words = told
    if not n_classes:
        fits = name in REGRESSION
        return False, str(name) if fits else "rmse", words if fits else "nothing names another"
    if asked.classes:
        return False, "log_loss", "the sample has one column for each class"
    if n_classes > 2:
        return True, "accuracy", "one column is to name one of several classes"
    if name in {"accuracy", "auc", "log_loss"}:
        return name == "accuracy", str(name), words
    shown = [value for column in asked.answers.values() for value in _shown(sample, column)]
    if any("." in str(value) for value in shown):
        return False, "auc", "the sample holds fractions"
    return True, "accuracy", "nothing names another, and the sample holds no fractions"


def _target(
    values: pd.Series, shown: str, metric: str, one_each: tuple[str, ...], *, is_class: bool
) -> Target:
    """Describe a target: classes in the order of their numbers, or of their names."""
    if not is_class:
        return Target(shown, (), LINKS.get(metric, "identity"))
    found = sorted(set(values.dropna()))
    read = numbers(pd.Series(found, dtype=object))
    if not np.isnan(read).any():
        found = [found[place] for place in np.argsort(read, kind="stable")]
    if len(found) == 1:
        msg = f"{values.name} has the value {found[0]!r} in every row of train"
        raise UnclearError(msg)
    return Target(shown, one_each or tuple(found))


def _below(train: pd.DataFrame, answers: Mapping[str, str], target: Target) -> bool:
    column = next(name for name, shown in answers.items() if shown == target.name)
    return bool((numbers(train[column].dropna()) < target.least).any())
