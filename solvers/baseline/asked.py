"""Which rows and columns an unknown dataset asks for, told from the names in its files."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

import pandas as pd

from solvers.intake import Tables
from solvers.sample_keys import Keys, blank_columns, keys_in

Values = tuple[str | None, ...]


class UnclearError(ValueError):
    """It cannot be told what is to be predicted, or there is nothing to predict it from."""


@dataclass(frozen=True)
class Asked:
    """What a submission holds, and where train holds its like.

    Attributes
    ----------
    id : str or None
        The column of test that names a row; None where rows are known by their order.
    test : DataFrame
        The test rows that are asked for, without columns that are to be predicted.
    columns : tuple of str
        All columns of the submission, in order.
    carried : mapping of str to tuple
        Columns of the submission that are known already: its rows' values.
    answers : mapping of str to str
        Each column of train that is to be predicted, and what the submission calls it.
    classes : mapping of str to str
        Where the submission has a column for each class: a class in train to its column.
    one_each : tuple of str
        These columns, in the submission's order.
    """

    id: str | None
    test: pd.DataFrame = field(repr=False)
    columns: tuple[str, ...]
    carried: Mapping[str, Values] = field(repr=False)
    answers: Mapping[str, str]
    classes: Mapping[str, str]
    one_each: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What somebody who knows the data says of them; what is not said is told from names.

    Attributes
    ----------
    id : str, optional
        The column of test that names a row.
    targets : tuple of str
        The columns of train that are to be predicted.
    """

    id: str | None = None
    targets: tuple[str, ...] = ()


NOTHING_SAID = Wanted()


def read_asked(tables: Tables, wanted: Wanted = NOTHING_SAID) -> Asked:
    """Tell what is asked for.

    Raises
    ------
    UnclearError
        If it cannot be told.
    """
    if tables.sample is None:
        return _without_sample(tables.train, tables.test, wanted)
    return _with_sample(tables.train, tables.test, tables.sample, wanted)


def _without_sample(train: pd.DataFrame, test: pd.DataFrame, wanted: Wanted) -> Asked:
    """All that test lacks is asked for, or what stands blank in it."""
    names = list(wanted.targets) or [c for c in train.columns if c not in test]
    if not names:
        names = [c for c in train.columns if test[c].isna().all() and train[c].notna().any()]
    if not names:
        msg = "train has no column that test lacks, and there is no sample submission"
        raise UnclearError(msg)
    test = test.drop(columns=names, errors="ignore")
    shared = [str(c) for c in test if c in train]
    called = (name for name in shared if _is_called_id(name, test[name]))
    id_ = wanted.id or next(called, None)
    numbered = {} if id_ else _row_numbers(train, test)
    columns = (id_, *names) if id_ else (*numbered, *names)
    return Asked(id_, test, columns, numbered, {name: name for name in names}, {})


def _is_called_id(name: str, values: pd.Series) -> bool:
    called = name.lower() == "id" or name.lower().endswith(("_id", " id")) or name[-2:] == "Id"
    return bool(called and values.is_unique and values.notna().all())


def _row_numbers(train: pd.DataFrame, test: pd.DataFrame) -> dict[str, Values]:
    name = "row" if "id" in {*train, *test} else "id"
    return {name: tuple(str(number) for number in range(len(test)))}


def _with_sample(
    train: pd.DataFrame, test: pd.DataFrame, sample: pd.DataFrame, wanted: Wanted
) -> Asked:
    names = {str(name) for name in train.columns}
    keys = keys_in(sample, test, names)
    if wanted.id in sample and keys.id != wanted.id:
        keys = Keys(wanted.id, tuple(name for name in keys.repeated if name != wanted.id))
    id_, test = _rows_of_sample(test.drop(columns=blank_columns(sample, test, names)), sample, keys)
    columns = tuple(map(str, sample.columns))
    carried: dict[str, Values] = {name: tuple(test[name]) for name in keys.repeated}
    if keys.id is not None and id_ is None:
        carried = {keys.id: tuple(sample[keys.id])}
    asked = tuple(c for c in columns if c not in carried and c != id_)
    if not asked:
        msg = "the sample has no column but the one that names rows"
        raise UnclearError(msg)
    test = test.drop(columns=list(asked), errors="ignore")  # it may hold even what is asked
    answers, classes = _answers(train, test, asked, wanted.targets)
    return Asked(id_, test, columns, carried, answers, classes, asked if classes else ())


def _rows_of_sample(
    test: pd.DataFrame, sample: pd.DataFrame, keys: Keys
) -> tuple[str | None, pd.DataFrame]:
    """Give the id of test, and the rows of test that the sample asks for."""
    id_ = keys.id if keys.id in test else None
    if id_ is None:
        if keys.repeated or len(sample) != len(test):
            raise _other_rows(sample)
        return None, test
    wanted, known = sample[id_].tolist(), test[id_]
    if sorted(map(str, wanted)) == sorted(map(str, known)):
        return id_, test
    if not known.is_unique or not set(wanted) <= set(known):
        raise _other_rows(sample)
    return id_, test.set_index(id_, drop=False).loc[wanted].reset_index(drop=True)


def _other_rows(sample: pd.DataFrame) -> UnclearError:
    return UnclearError(f"the sample asks for {len(sample)} rows, and they are not those of test")


def _answers(
    train: pd.DataFrame, test: pd.DataFrame, asked: Sequence[str], wanted: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Find the columns of train that a sample asks for; or one, with a column for each class."""
    if all(name in (wanted or train.columns) for name in asked):
        return {name: name for name in asked}, {}
    only_train = wanted or [str(name) for name in train.columns if name not in test.columns]
    for name in only_train:
        if len(asked) > 1 and (classes := _one_each(train[name], asked)):
            return {name: name}, classes
    if len(asked) == 1 and only_train:
        near = get_close_matches(asked[0], only_train, n=1, cutoff=0.0)
        return {near[0]: asked[0]}, {}
    if len(asked) == len(only_train):
        return dict(zip(only_train, asked, strict=True)), {}
    msg = f"no column of train fits what the sample asks for: {', '.join(asked[:5])}"
    raise UnclearError(msg)


def _one_each(values: pd.Series, asked: Sequence[str]) -> dict[str, str]:
    """Lay the values of a column against the columns of a sample: equal, or its last word."""
    found = sorted(set(values.dropna()))
    if not found or len(found) > len(asked):
        return {}
    pairs: dict[str, str] = {}
    for value in found:
        hits = columns_called(value, asked)
        if len(hits) != 1:
            return {}
        pairs[value] = hits[0]
    return pairs if len(set(pairs.values())) == len(found) else {}


def columns_called(value: str, asked: Sequence[str]) -> list[str]:
    """Give the column that is called as a class, or those whose name ends in it as a word."""
    ending = re.compile(rf"(.*[^0-9a-z])?{re.escape(value.lower())}", re.DOTALL)
    return [c for c in asked if c == value] or [c for c in asked if ending.fullmatch(c.lower())]
