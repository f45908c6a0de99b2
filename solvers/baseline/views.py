"""Features of an unknown table, column by column, as each one's kind suggests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from solvers.baseline.kinds import FEW, Kind, date_format, dates, numbers

SECONDS_A_DAY = 86_400
LARGEST = 1e30  # boosting libraries hold features in single precision


@dataclass(frozen=True)
class Views:
    """A group of features: what can be said of each column without knowing what it is about.

    Attributes
    ----------
    kinds : mapping of str to Kind
        Of each column that is used.
    """

    kinds: Mapping[str, Kind]
    __name__ = "views"

    def __call__(self, rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
        """Describe rows of train and test together."""
        described: dict[str, pd.Series] = {}
        for name, kind in self.kinds.items():
            for suffix, column in _VIEWS[kind](rows[name]):
                described[self._free(f"{name}{suffix}", name, described)] = column
        return pd.DataFrame(described, index=rows.index)

    def _free(self, feature: str, name: str, taken: Mapping[str, pd.Series]) -> str:
        """Give a feature another name where a column of the table, or an earlier one, has its."""
        while feature in taken or (feature != name and feature in self.kinds):
            feature += "'"
        return feature


def _number(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    yield "", pd.Series(np.clip(numbers(values), -LARGEST, LARGEST), index=values.index)


def _category(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    known = values.dropna()
    yield "", values.astype(pd.CategoricalDtype(sorted(known.unique())))


def _code(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    """Names and numbers of things: how often each occurs, its form, the commonest ones."""
    counts = values.value_counts()
    yield " (count)", values.map(counts).astype("float64")
    yield " (length)", values.str.len().astype("float64")
    yield " (number)", values.str.extract(r"(\d{1,15})", expand=False).astype("float64")
    first = values.str[:1]
    yield " (first)", next(_category(first.where(first.isin(_commonest(first.value_counts())))))[1]
    yield "", next(_category(values.where(values.isin(_commonest(counts[counts > 1])))))[1]


def _commonest(counts: pd.Series) -> list[str]:
    """Name the values that occur most often, the same ones in any order of the rows."""
    common = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:FEW]
    return [str(name) for name, _ in common]


def _date(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    """The parts of a date, as far as they vary, and time as one number."""
    form = date_format(values.dropna())
    if form is None:
        return
    when = dates(values, form)
    # In seconds: nanoseconds end in the year 2262, and 9999 stands for "for ever" in many tables.
    seconds = when.dt.tz_localize(None).to_numpy().astype("datetime64[s]").astype("int64")
    days = np.where(when.isna(), np.nan, seconds / SECONDS_A_DAY)
    yield " (days)", pd.Series(days, index=values.index)
    for part in ("year", "month", "day", "day_of_week", "day_of_year", "hour", "minute"):
        column = getattr(when.dt, part).astype("float64")
        if len(column.dropna().unique()) > 1:
            yield f" ({part.replace('_', ' ')})", column


def _text(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    """The text itself, for models that read, and its outward form for those that do not."""
    known = values.fillna("")
    yield "", known.astype(pd.StringDtype("python"))
    yield " (length)", known.str.len().astype("float64")
    yield " (words)", known.str.count(r"\w+").astype("float64")
    letters = np.maximum(known.str.len().to_numpy(dtype=np.float64), 1.0)
    for name, pattern in (("capitals", r"[A-Z]"), ("digits", r"\d"), ("marks", r"[!?.,;:]")):
        yield f" ({name})", known.str.count(pattern).astype("float64") / letters


def _nothing(values: pd.Series) -> Iterator[tuple[str, pd.Series]]:
    yield from ()


_VIEWS = {
    "number": _number,
    "category": _category,
    "code": _code,
    "date": _date,
    "text": _text,
    "nothing": _nothing,
}
