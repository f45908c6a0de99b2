"""What is to be predicted in an unknown dataset, and what it is taken to be judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from signatures import Metric
from solvers import metrics
from solvers.baseline.asked import NOTHING_SAID, Asked, UnclearError, Wanted, read_asked
from solvers.baseline.kinds import numbers
from solvers.baseline.metric import Told
from solvers.baseline.written import FEW_NUMBERS
from solvers.intake import Tables
from solvers.target import LINKS, Target

MOST_CLASSES = 200
LARGEST = 1e100  # a number whose square, times all rows, is a number still


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
    why : str
        What the metric was guessed from.
    """

    asked: Asked
    targets: tuple[Target, ...]
    metric: Metric
    labels: bool
    why: str

    @property
    def notes(self) -> tuple[str, str, str]:
        """What was guessed, and from what: of the targets, of the metric and of the id."""
        pairs = zip(self.asked.answers, self.targets, strict=True)
        predicted = ", ".join(f"{column} as {target.kind}" for column, target in pairs)
        by = self.asked.id or "none, rows are known by their order"
        return f"predicted: {predicted}", f"metric {self.metric.name}: {self.why}", f"id: {by}"


def ask(tables: Tables, told: Told, wanted: Wanted = NOTHING_SAID) -> Question:
    """Tell what is asked from the columns' names and values, and the metric that is `told`.

    Raises
    ------
    UnclearError
        If it cannot be told.
    """
    train, sample = tables.train, tables.sample
    asked = read_asked(tables, wanted)
    kinds = [
        bool(asked.classes) or _is_class(train[name], told, _shown(sample, shown))
        for name, shown in asked.answers.items()
    ]
    if len(set(kinds)) > 1:
        msg = f"of {', '.join(asked.answers)} some are numbers and some are classes"
        raise UnclearError(msg)
    most = max(train[column].nunique() for column in asked.answers) if kinds[0] else 0
    labels, name, why = _metric(told, sample, asked, most)
    targets = tuple(
        _target(train[column], shown, name, asked.one_each, is_class=kinds[0])
        for column, shown in asked.answers.items()
    )
    if any(
        target.link != "identity" and _below(train, asked.answers, target) for target in targets
    ):
        targets, name = tuple(Target(target.name) for target in targets), "rmse"
        why += ", which such numbers do not have; rmse is used"
    if not kinds[0]:
        pairs = zip(asked.answers, targets, strict=True)
        targets = tuple(_scaled(target, train[column]) for column, target in pairs)
    return Question(asked, targets, metrics.named(name), labels, why)


def _shown(sample: pd.DataFrame | None, column: str) -> pd.Series:
    """Give what a sample holds in the place of answers."""
    empty = pd.Series(dtype=object)
    return empty if sample is None or column not in sample else sample[column].dropna()


def _is_class(values: pd.Series, told: Told, shown: pd.Series) -> bool:
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
    if told.name in metrics.OF_NUMBERS:
        return False
    if n <= 2:
        return True
    whole = bool((read % 1 == 0).all())
    if told.name is not None and told.sure:
        return n <= MOST_CLASSES if whole else n <= FEW_NUMBERS and 2 * n <= len(known)
    fractions = bool((numbers(shown) % 1 > 0).any())
    return whole and not fractions and n <= FEW_NUMBERS and n <= max(2, 0.1 * len(known))


def _metric(
    told: Told, sample: pd.DataFrame | None, asked: Asked, n_classes: int
) -> tuple[bool, str, str]:
    """Choose whether labels are wanted, and the metric, with its reason."""
    name, words, _ = told
    if not n_classes:
        fits = name in metrics.OF_NUMBERS
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


def _scaled(target: Target, values: pd.Series) -> Target:
    """Have models see numbers that spread by about 1, whatever their unit is.

    Raises
    ------
    UnclearError
        If their squares are beyond what can be counted.
    """
    y = numbers(values.dropna())
    if (largest := np.abs(y).max()) > LARGEST:
        msg = f"{values.name} has numbers up to {largest:.0e}, and errors of such have no square"
        raise UnclearError(msg)
    linked = target.to_link(y)
    power = int(np.frexp(np.abs(linked).max())[1])  # so that no square is lost on the way
    spread = np.ldexp(linked, -power).std()
    return replace(target, power=power + int(np.frexp(spread)[1]))


def _below(train: pd.DataFrame, answers: Mapping[str, str], target: Target) -> bool:
    column = next(name for name, shown in answers.items() if shown == target.name)
    return bool((numbers(train[column].dropna()) < target.least).any())
