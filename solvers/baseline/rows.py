"""Rows of an unknown table, made ready for the same pipeline that known tasks take."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers import submission
from solvers.baseline.kinds import Kind, kind_of, numbers
from solvers.baseline.question import Question, UnclearError
from solvers.intake import Dataset, Tables, together
from solvers.submission import Form
from solvers.target import Array, Target

ROW = "row number"  # names rows that no column names
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


def dataset(tables: Tables, question: Question) -> Rows:
    """Type the columns that train and test share, and read the targets.

    Raises
    ------
    UnclearError
        If there is nothing to learn from.
    """
    train = tables.train
    answered = train[list(question.answers)].notna().all(axis=1)
    train = train[answered].reset_index(drop=True)
    test = tables.test
    shared = [str(c) for c in test if c in train and c not in {question.id, *question.answers}]
    kinds = {c: kind_of(pd.concat([train[c], test[c]], ignore_index=True)) for c in shared}
    if question.id in train:
        kind = kind_of(pd.concat([train[question.id], test[question.id]], ignore_index=True))
        if kind in {"date", "text"}:  # it names the row, and says more
            kinds[str(question.id)] = kind
    used = [name for name in kinds if kinds[name] != "nothing"]
    if not used:
        msg = "train and test share no column that differs from row to row"
        raise UnclearError(msg)
    if len(train) < FEWEST or not len(test):
        msg = f"there are {len(train)} train rows with an answer and {len(test)} test rows"
        raise UnclearError(msg)
    ys = [_target(train[c], question, place) for place, c in enumerate(question.answers)]
    form = _form(tables, question)
    ids = _sortable([_names(table, question.id) for table in (train, test)])
    parts = [
        pd.concat([names.rename(form.id), table[[c for c in used if c != form.id]]], axis=1)
        for names, table in zip(ids, (train, test), strict=True)
    ]
    places = np.flatnonzero(answered)[ids[0].argsort(kind="stable").to_numpy()]
    return Rows(together(parts[0], parts[1], ys, question.targets, form, None), kinds, places)


def _names(table: pd.DataFrame, id_: str | None) -> pd.Series:
    """The ids, or the rows' numbers where no column holds any."""
    if id_ in table:
        return table[id_]
    return pd.Series([str(number) for number in range(len(table))], dtype=object)


def _sortable(ids: list[pd.Series]) -> list[pd.Series]:
    """Whole numbers sort as numbers, as they do where a contract declares them."""
    read = [numbers(names) for names in ids]
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
    return np.array([numbered[question.classes.get(v, v)] for v in values], dtype=np.float64)


def _form(tables: Tables, question: Question) -> Form:
    """What the submission looks like: the sample's columns, and its way to write labels."""
    test, sample = tables.test, tables.sample
    ids = test[question.id].tolist() if question.id else [str(i) for i in range(len(test))]
    name = question.id or (question.columns[0] if sample is None else ROW)
    spelling: Mapping[str, tuple[str, ...]] = {}
    if question.labels:
        spelling = {target.name: _spelled(target, sample) for target in question.targets}
    carried = {c: tuple(test[c]) for c in question.columns if c in test and c != name}
    return Form(name, tuple(ids), question.columns, spelling, carried)


def _spelled(target: Target, sample: pd.DataFrame | None) -> tuple[str, ...]:
    if sample is None or target.name not in sample:
        return target.labels
    spelling, problems = submission.spelled(target.labels, sample[[target.name]])
    return target.labels if problems else spelling


def n_folds_for(data: Dataset, most: int) -> int:
    """Cut a handful of rows into fewer folds."""
    return max(2, min(most, int(np.count_nonzero(data.is_train)) // 2))
