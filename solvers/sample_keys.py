"""Which columns of a sample submission say which row is which: one rule for all who ask."""

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Keys:
    """Which columns of a sample say which row is which.

    Attributes
    ----------
    id : str or None
        The column that names a row; None where rows are known by their order.
    repeated : tuple of str
        Other columns that are taken over from test.
    """

    id: str | None
    repeated: tuple[str, ...] = ()


def keys_in(sample: pd.DataFrame, test: pd.DataFrame, train: Collection[str]) -> Keys:
    """Tell the columns of a sample apart by the test table and the names of train's columns.

    The id is, of the columns that test has too, the one that differs most among those of the same
    values, else the first in which test has every value of the sample once: the sample asks for
    fewer rows then. Where test has none of the columns it is the sample's first one, a number of
    the row, unless train has that too or it says the same of several rows. The other columns that
    test has are repeated, unless none would be left to be predicted.
    """
    names = [str(name) for name in sample.columns]
    test = test.drop(columns=blank_columns(sample, test, train))
    shared = [name for name in names if name in test]
    if not shared:
        return _first_of(sample, train)
    same = [c for c in shared if sorted(map(str, test[c])) == sorted(map(str, sample[c]))]
    holding = [c for c in shared if test[c].is_unique and set(sample[c]) <= set(test[c])]
    # An id whose rows are none of test's is the sample's word against the test's.
    odd = [c for c in shared[:1] if len(names) > 1 and c == names[0]]
    ids = [max(same, key=lambda name: len(set(sample[name])))] if same else [*holding, *odd, None]
    answered = len(shared) < len(names)
    return Keys(ids[0], tuple(name for name in shared if name != ids[0]) if answered else ())


def blank_columns(sample: pd.DataFrame, test: pd.DataFrame, train: Collection[str]) -> list[str]:
    """Name the columns that stand blank in test: they are to be predicted."""
    return [
        str(name)
        for name in sample.columns
        if name in test and name in train and (test[name].isna() | (test[name] == "")).all()
    ]


def letters(name: str) -> str:
    """Give what two spellings of a name share: no case, no spaces, no marks.

    Examples
    --------
    >>> letters("Passenger Id") == letters("passenger_id")
    True
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name


def _first_of(sample: pd.DataFrame, train: Collection[str]) -> Keys:
    """Take the first column for the rows' numbers, if it can be."""
    first = str(sample.columns[0])
    in_train = letters(first) in set(map(letters, train))
    may_be = len(sample.columns) > 1 and not in_train and sample.iloc[:, 0].is_unique
    return Keys(first if may_be else None)
