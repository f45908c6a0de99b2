"""What the files of an unknown dataset write: one spelling for a column, and words that mean it.

The words of `signatures.signature.MISSING` stand for a missing value, but NA may be the name of a
row or of a class as well. An id is taken as it is written. In a column that is to be predicted such
a word is a class

- if the other answers are words and it stands in one row of 20 or more, or in the sample's column;
- if the other answers are a few numbers and the sample's column holds it beside some of them;
- if the sample names a column after it, beside those of the other classes.

Else, and always where nothing is written, the answer is missing, and the row is left out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from signatures.signature import MISSING
from solvers.baseline.asked import Asked, columns_called
from solvers.baseline.kinds import numbers
from solvers.sample_keys import letters

FREQUENT = 0.05  # of the rows of train
FEW_NUMBERS = 20  # whole numbers that are as few as this may be names of classes
WORDS = frozenset(MISSING) - {""}
Table = pd.DataFrame | None


def one_spelling(train: Table, test: Table, sample: Table) -> tuple[Table, Table, Table]:
    """Call columns whose names differ in case, spaces and marks alone as the sample calls them.

    What the sample has not, test is to call as train does. Names that two columns of a table could
    claim stay as they are.

    Examples
    --------
    >>> tables = [pd.DataFrame(columns=names) for names in (["id", "Y"], ["ID"], ["Id", "y"])]
    >>> [list(table.columns) for table in one_spelling(*tables)]
    [['Id', 'y'], ['Id'], ['Id', 'y']]
    """
    spelled: dict[str, str] = {}
    found = [_respelled(table, spelled) for table in (sample, train, test)]
    return found[1], found[2], found[0]


def _respelled(table: Table, spelled: dict[str, str]) -> Table:
    """Rename columns as they are `spelled`, and add those that are new to it."""
    if table is None:
        return None
    own = {str(name): letters(str(name)) for name in table.columns}
    times = Counter(own.values())
    names = {name: spelled.setdefault(key, name) for name, key in own.items() if times[key] == 1}
    return table.rename(columns={old: new for old, new in names.items() if new not in own})


def spelled_in(table: pd.DataFrame, name: str) -> str:
    """Give the column of a table that a name means, whatever case and marks it is written in."""
    meant = [str(c) for c in table if letters(str(c)) == letters(name)]
    return meant[0] if name not in table and len(meant) == 1 else name


def without_missing(table: Table) -> Table:
    """Put None for each word that means a missing value."""
    return None if table is None else table.where(~table.isin(MISSING), None)


def kept_words(
    asked: Asked, train: pd.DataFrame, test: pd.DataFrame, sample: Table
) -> dict[str, frozenset[str]]:
    """Give the words that are no missing value, by the column that holds them.

    Parameters
    ----------
    train, test, sample : DataFrame
        As they are written.
    """
    kept: dict[str, frozenset[str]] = {}
    if asked.id is not None and asked.id in test and test[asked.id].isin(MISSING).any():
        kept[asked.id] = frozenset(MISSING)
    for column, shown in asked.answers.items():
        in_sample = sample[shown] if sample is not None and shown in sample else None
        if words := _classes(train[column], in_sample, asked.one_each):
            kept[column] = kept[shown] = words
    return kept


def _classes(
    values: pd.Series, in_sample: pd.Series | None, one_each: Sequence[str]
) -> frozenset[str]:
    """Give the words that are classes of one column."""
    found = WORDS & set(values.dropna())
    known = values[~values.isin(MISSING) & values.notna()]
    if not found or not len(known):
        return frozenset()
    if one_each:
        return frozenset(word for word in found if len(columns_called(word, one_each)) == 1)
    shown = set() if in_sample is None else set(in_sample.dropna())
    if np.isnan(numbers(known)).any():
        return frozenset(w for w in found if w in shown or (values == w).mean() >= FREQUENT)
    few = known.nunique() <= FEW_NUMBERS and bool(shown & set(known))
    return found & shown if few else frozenset()


def with_words(table: Table, written: Table, kept: Mapping[str, frozenset[str]]) -> Table:
    """Put words that are no missing values back into the columns where they were written."""
    if table is None or written is None:
        return table
    columns = {
        name: written[name].where(~written[name].isin(frozenset(MISSING) - words), None)
        for name, words in kept.items()
        if name in table
    }
    return table.assign(**columns)
