"""Rows of an unknown table, made ready for the same pipeline that known tasks take."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers import submission
from solvers.baseline.asked import Asked, UnclearError
from solvers.baseline.kinds import Kind, kind_of, numbers, plain_numbers
from solvers.baseline.question import Question
from solvers.intake import Dataset, Tables, together
from solvers.submission import Form
from solvers.target import Array, Target

ROW_NUMBER = "row number"  # names rows that no column names
FEWEST = 4  # rows that can be cut into two folds


class Rows(NamedTuple):
    """What an unknown dataset holds.

    Attributes
    ----------
    data : Dataset
        Its rows hold text still; `kinds` says what each column is.
    kinds : dict
        Of each shared column, and of an id that says more than which row it is.
    train_rows : ndarray of shape (n_rows,)
        For each train row in `data`, its place in the train file, from 0.
    """

    data: Dataset
    kinds: dict[str, Kind]
    train_rows: npt.NDArray[np.intp]

    @property
    def used(self) -> dict[str, Kind]:
        """The kinds of the columns that say anything."""
        return _telling(self.kinds)


def dataset(tables: Tables, question: Question) -> Rows:
    """Type the columns that train and test share, and read the targets.

    Raises
    ------
    UnclearError
        If there is nothing to learn from.
    """
    asked = question.asked
    places = _by_content(tables.train, list(asked.answers))
    train, test = tables.train.iloc[places].reset_index(drop=True), asked.test
    kinds = _kinds(train, test, asked)
    used = _telling(kinds)
    if not used:
        msg = "train and test share no column that differs from row to row"
        raise UnclearError(msg)
    if len(train) < FEWEST or not len(test):
        msg = f"there are {len(train)} train rows with an answer and {len(test)} test rows"
        raise UnclearError(msg)
    ys = [_target(train[c], question, place) for place, c in enumerate(asked.answers)]
    form = _form(tables, question)
    ids = _sortable([_names(table, asked.id) for table in (train, test)])
    parts = [
        pd.concat([names.rename(form.id), table[[c for c in used if c != form.id]]], axis=1)
        for names, table in zip(ids, (train, test), strict=True)
    ]
    places = places[ids[0].argsort(kind="stable").to_numpy()]
    return Rows(together(parts[0], parts[1], ys, question.targets, form, None), kinds, places)


def _by_content(train: pd.DataFrame, answers: Sequence[str]) -> npt.NDArray[np.intp]:
    """Order the rows that have all answers by all they hold: the file's order is forgotten.

    Ids alone do not, where there are none or one occurs twice.
    """
    answered = train[answers].notna().all(axis=1)
    columns = [train.loc[answered, name].fillna("\0") for name in sorted(map(str, train.columns))]
    content = pd.Series(["\x1f".join(row) for row in zip(*columns, strict=True)], dtype=object)
    return np.flatnonzero(answered)[content.argsort(kind="stable").to_numpy()]


def _kinds(train: pd.DataFrame, test: pd.DataFrame, asked: Asked) -> dict[str, Kind]:
    """Tell what each shared column holds, in the order of their names: not in that of a file."""
    kinds: dict[str, Kind] = {}
    for name in sorted(map(str, test.columns)):
        if name not in train or name in asked.answers:
            continue
        kind = kind_of(pd.concat([train[name], test[name]], ignore_index=True))
        if name != asked.id or kind in {"date", "text"}:  # an id that says more than which row
            kinds[name] = kind
    return kinds


def _telling(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    return {name: kind for name, kind in kinds.items() if kind != "nothing"}


def _names(table: pd.DataFrame, id_: str | None) -> pd.Series:
    """The ids, or the rows' numbers where no column holds any."""
    if id_ in table:
        return table[id_]
    return pd.Series([str(number) for number in range(len(table))], dtype=object)


def _sortable(ids: list[pd.Series]) -> list[pd.Series]:
    """Whole numbers sort as numbers, as they do where a contract declares them."""
    read = [plain_numbers(names) for names in ids]
    together = np.concatenate(read)
    if (
        np.isfinite(together).all()
        and (np.abs(together) < 2**53).all()
        and (together % 1 == 0).all()
    ):
        return [pd.Series(found.astype(np.int64)) for found in read]
    return [names.fillna("").astype(object) for names in ids]


def _target(values: pd.Series, question: Question, place: int) -> Array:
    target: Target = question.targets[place]
    if target.kind == "regression":
        return numbers(values)
    numbered = {label: float(index) for index, label in enumerate(target.labels)}
    classes = question.asked.classes
    return np.array([numbered[classes.get(v, v)] for v in values], dtype=np.float64)


def _form(tables: Tables, question: Question) -> Form:
    """What the submission looks like: the sample's columns, and its way to write labels."""
    asked = question.asked
    ids = _names(asked.test, asked.id).tolist()
    spelling: Mapping[str, tuple[str, ...]] = {}
    if question.labels:
        spelling = {target.name: _spelled(target, tables.sample) for target in question.targets}
    name = asked.id or ROW_NUMBER
    while asked.id is None and (name in asked.test or name in asked.columns):
        name += "'"
    return Form(name, tuple(ids), asked.columns, spelling, asked.carried)


def _spelled(target: Target, sample: pd.DataFrame | None) -> tuple[str, ...]:
    if sample is None or target.name not in sample:
        return target.labels
    if not np.isnan(numbers(pd.Series(target.labels, dtype=object))).any():
        return target.labels  # a sample's 0 is a placeholder, and no other way to write 1
    spelling, problems = submission.spelled(target.labels, sample[[target.name]])
    return target.labels if problems else spelling


def n_folds_for(data: Dataset, most: int) -> int:
    """Cut a handful of rows into fewer folds."""
    return max(2, min(most, int(np.count_nonzero(data.is_train)) // 2))
