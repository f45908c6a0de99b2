"""What an unknown dataset asks: which column names a row, which are to be predicted, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

import numpy as np
import pandas as pd

from signatures import Metric
from solvers.baseline.kinds import numbers
from solvers.baseline.metric import REGRESSION, metric
from solvers.intake import Tables
from solvers.target import LINKS, Target

MOST_CLASSES = 200
FEW_NUMBERS = 20  # whole numbers that are as few as this may be names of classes


class UnclearError(ValueError):
    """It cannot be told what is to be predicted, or there is nothing to predict it from."""


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    id : str or None
        The column that names a row; None where rows are known by their order.
    columns : tuple of str
        All columns of the submission, in order.
    answers : mapping of str to str
        Each column of train that is to be predicted, and the name of its target.
    classes : mapping of str to str
        Where the sample has a column for each class: a class in train to its column.
    targets : tuple of Target
        As the submission names them.
    metric : Metric
        What it is taken to be judged by.
    labels : bool
        Whether a class is to be named rather than given a probability.
    notes : tuple of str
        What was guessed, and from what.
    """

    id: str | None
    columns: tuple[str, ...]
    answers: Mapping[str, str]
    classes: Mapping[str, str]
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
    train, test, sample = tables.train, tables.test, tables.sample
    asked: tuple[str, ...]
    classes: dict[str, str]
    id_ = _id(train, test, sample)
    if sample is None:
        answers = {name: name for name in _unanswered(train, test, id_)}
        columns = (id_ or ("row" if "id" in {*train, *test} else "id"), *answers)
        asked, classes = (), {}
    else:
        columns = tuple(sample.columns)
        asked = tuple(c for c in columns if c not in test) or tuple(c for c in columns if c != id_)
        answers, classes = _answers(train, test, asked)
    kinds = [_is_class(train[name], told[0], sample, shown) for name, shown in answers.items()]
    if len(set(kinds)) > 1:
        msg = f"of {', '.join(answers)} some are numbers and some are classes"
        raise UnclearError(msg)
    most = max(train[column].nunique() for column in answers) if kinds[0] else 0
    labels, name, note = _metric(told, sample, list(answers.values()), classes, most)
    one_each = asked if classes else ()
    targets = tuple(
        _target(train[column], shown, name, one_each, is_class=kinds[0])
        for column, shown in answers.items()
    )
    if any(target.link != "identity" and _below(train, answers, target) for target in targets):
        targets, name = tuple(Target(target.name) for target in targets), "rmse"
        note += ", which such numbers do not have; rmse is used"
    return Question(
        id_, columns, answers, classes, targets, metric(name), labels,
        notes=(f"metric {name}: {note}", f"id: {id_ or 'none, rows are known by their order'}"),
    )  # fmt: skip


def _id(train: pd.DataFrame, test: pd.DataFrame, sample: pd.DataFrame | None) -> str | None:
    """A column that the sample shares with test, else one called an id that differs by row."""
    if sample is not None:
        shared = [str(c) for c in sample if c in test and _same_values(test[c], sample[c])]
        different = {name: len(set(test[name].dropna())) for name in shared}
        return max(shared, key=lambda name: different[name], default=None)
    for name in test.columns:
        called = name.lower() == "id" or name.lower().endswith(("_id", " id")) or name[-2:] == "Id"
        if called and name in train.columns and test[name].is_unique and test[name].notna().all():
            return str(name)
    return None


def _same_values(test: pd.Series, sample: pd.Series) -> bool:
    return sorted(map(str, test)) == sorted(map(str, sample))


def _unanswered(train: pd.DataFrame, test: pd.DataFrame, id_: str | None) -> list[str]:
    """Name the columns that test lacks, or holds no value of."""
    names = [c for c in train.columns if c != id_ and (c not in test or test[c].isna().all())]
    found = [c for c in names if c not in test] or [c for c in names if train[c].notna().any()]
    if not found:
        msg = "train has no column that test lacks, and there is no sample submission"
        raise UnclearError(msg)
    return found


def _answers(
    train: pd.DataFrame, test: pd.DataFrame, asked: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Find the columns of train that a sample asks for.

    Returns
    -------
    answers : dict
        Column of train to column of the sample.
    classes : dict
        Where the sample has one column for each class of one target: value to column.
    """
    if all(name in train.columns for name in asked):
        return {name: name for name in asked}, {}
    only_train = [name for name in train.columns if name not in test.columns]
    for name in only_train:
        if len(asked) > 1 and (classes := _one_each(train[name], asked)):
            return {name: name}, classes
    if len(asked) == 1 and only_train:
        near = get_close_matches(asked[0], only_train, n=1, cutoff=0.0)
        return {near[0] if near else only_train[-1]: asked[0]}, {}
    if len(asked) == len(only_train):
        return dict(zip(only_train, asked, strict=True)), {}
    msg = f"no column of train fits what the sample asks for: {', '.join(asked[:5])}"
    raise UnclearError(msg)


def _one_each(values: pd.Series, asked: Sequence[str]) -> dict[str, str]:
    """Lay the values of a column against the columns of a sample: equal, or its ending."""
    found = sorted(values.dropna().unique())
    if not found or len(found) > len(asked):
        return {}
    pairs = {
        value: [c for c in asked if c == value]
        or [c for c in asked if c.lower().endswith(str(value).lower())]
        for value in found
    }
    columns = [hits[0] for hits in pairs.values() if len(hits) == 1]
    return {v: hits[0] for v, hits in pairs.items()} if len(set(columns)) == len(found) else {}


def _is_class(values: pd.Series, told: str | None, sample: pd.DataFrame | None, shown: str) -> bool:
    """Tell names of classes from numbers, by the metric or by how many there are."""
    known = values.dropna()
    if not len(known):
        msg = f"{values.name} has no value in train"
        raise UnclearError(msg)
    read = numbers(known)
    n = known.nunique()
    if np.isnan(read).any():
        if n > MOST_CLASSES or 2 * n > len(known) > 20:
            msg = f"{values.name} is text with {n} different values: neither numbers nor classes"
            raise UnclearError(msg)
        return True
    if told is not None:
        return told not in REGRESSION and n <= MOST_CLASSES
    if n <= 2:
        return True
    whole = bool((read % 1 == 0).all())
    in_sample = pd.Series(dtype=object) if sample is None or shown not in sample else sample[shown]
    fractions = bool((numbers(in_sample.dropna()) % 1 > 0).any())
    return whole and not fractions and n <= FEW_NUMBERS and n <= max(2, 0.1 * len(known))


def _metric(
    told: tuple[str | None, str],
    sample: pd.DataFrame | None,
    answers: Sequence[str],
    classes: Mapping[str, str],
    n_classes: int,
) -> tuple[bool, str, str]:
    """Choose whether labels are wanted, and the metric, with its reason."""
    name, words = told
    if not n_classes:
        fits = name in REGRESSION
        return False, str(name) if fits else "rmse", words if fits else "nothing names another"
    if classes:
        return False, "log_loss", "the sample has one column for each class"
    if n_classes > 2:
        return True, "accuracy", "one column is to name one of several classes"
    if name in {"accuracy", "auc", "log_loss"}:
        return name == "accuracy", str(name), words
    shown = [] if sample is None else [v for c in sample for v in sample[c] if c in answers]
    fractions = any("." in str(value) for value in shown)
    if fractions:
        return False, "auc", "the sample holds fractions"
    return True, "accuracy", "nothing names another, and the sample holds no fractions"


def _target(
    values: pd.Series, shown: str, metric: str, one_each: tuple[str, ...], *, is_class: bool
) -> Target:
    """Describe a target: classes in the order of their numbers, or of their names."""
    if not is_class:
        return Target(shown, (), LINKS.get(metric, "identity"))
    found = sorted(values.dropna().unique())
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
