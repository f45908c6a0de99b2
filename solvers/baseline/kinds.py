"""What each column of an unknown table holds, told from its values alone."""

import re
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

Kind = Literal["number", "category", "code", "date", "text", "nothing"]

# Of the known values: one odd word does not make a column of numbers one of words.
NEARLY_ALL = 0.95
FEW = 50  # categories that trees can tell apart
DATES = (
    "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ",
    "%Y/%m/%d", "%Y/%m/%d %H:%M:%S", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y", "%m/%d/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d.%m.%Y", "%d.%m.%Y %H:%M", "%Y%m%d%H%M%SZ",
    "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y",
)  # fmt: skip
_MARKS = "[$€£¥₹%]"
_AS_PEOPLE_WRITE = (
    rf"^\s*(?P<sign>[+-]?)\s*{_MARKS}?\s*(?P<number>(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d*)?)"
    rf"\s*{_MARKS}?\s*$"
)
_MAY_BE_DATE = re.compile(r"(?=(?:\D*\d){3})[\w ,./:+-]{6,32}")


def kind_of(values: pd.Series) -> Kind:
    """Tell what a column holds.

    Parameters
    ----------
    values : Series
        Text or None, as `solvers.tables.read_table` gives it; of train and test together.
    """
    known = values.dropna()
    n_different = known.nunique()
    if n_different == 0 or (n_different == 1 and len(known) == len(values)):
        return "nothing"
    if np.isfinite(numbers(known)).mean() >= NEARLY_ALL:
        return "number"
    if date_format(known) is not None:
        return "date"
    if _is_prose(known):
        return "text"
    return "category" if n_different <= FEW else "code"


def plain_numbers(values: pd.Series) -> npt.NDArray[np.float64]:
    """Read numbers as programs write them; what is none, or is infinite, is NaN."""
    read = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64)
    return np.where(np.isfinite(read), read, np.nan)


def numbers(values: pd.Series) -> npt.NDArray[np.float64]:
    """Read numbers as people write them too: 1,234.5, 12%, $3 or -€3; what is none is NaN.

    Examples
    --------
    >>> numbers(pd.Series(["1,234.5", "12 %", "-$3", "1,2", "12 apples"])).tolist()
    [1234.5, 12.0, -3.0, nan, nan]
    """
    read = plain_numbers(values)
    rest = np.isnan(read) & values.notna().to_numpy()
    if rest.any():
        parts = values[rest].astype(str).str.extract(_AS_PEOPLE_WRITE).fillna("")
        read[rest] = plain_numbers(parts["sign"] + parts["number"].str.replace(",", ""))
    return read


def date_format(known: pd.Series) -> str | None:
    """Find the format that nearly all values are dates in, if there is one."""
    may_be = known.map(lambda text: bool(_MAY_BE_DATE.fullmatch(text.strip())))
    if may_be.mean() < NEARLY_ALL:
        return None
    for form in DATES:
        if dates(known, form).notna().mean() >= NEARLY_ALL:
            return form
    return None


def dates(values: pd.Series, form: str) -> pd.Series:
    """Read dates in one format; what is none is missing."""
    return pd.to_datetime(values.str.strip(), format=form, errors="coerce", exact=True, utc=True)


def _is_prose(known: pd.Series) -> bool:
    """Several words, and hardly ever the same."""
    words = known.str.count(r"\S+")
    return bool(words.mean() >= 3 and known.nunique() > 0.3 * len(known) and len(known) > 1)
