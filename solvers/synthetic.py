"""Synthetic rows, drawn from what a contract says and from nothing else."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from solvers.contract import Contract
from solvers.target import Array

GAPS = 0.1  # share of missing values in a column that may have some
WORDS = (
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty",
    "kelp", "larch", "maple", "north", "otter", "plume", "quill", "raven", "slate", "thorn",
)  # fmt: skip


def draw(contract: Contract, n: int, random: np.random.Generator) -> pd.DataFrame:
    """Draw rows that a contract accepts, each column apart.

    Numbers lie evenly between their bounds, words are among those that are allowed, and a tenth of
    what may be missing is. Of text that may be anything, short codes are made.

    Parameters
    ----------
    n : int
        How many rows.

    Returns
    -------
    DataFrame of n rows
        The contract's columns, in its order.
    """
    drawn: dict[str, pd.Series] = {}
    for name, column in contract.to_schema().columns.items():
        values = pd.Series(_values(column, n, random))
        gaps = random.random(n) < GAPS
        drawn[str(name)] = values.mask(gaps) if column.nullable else values
    return pd.DataFrame(drawn)


def _values(column: Any, n: int, random: np.random.Generator) -> Any:
    said = {key: value for check in column.checks for key, value in check.statistics.items()}
    if "allowed_values" in said:
        return random.choice(list(said["allowed_values"]), n).astype(object)
    low, high = _bounds(said)
    match str(column.dtype):
        case "int64":
            checks = {check.name for check in column.checks}
            low, high = low + ("greater_than" in checks), high - ("less_than" in checks)
            return low + random.permutation(n) if column.unique else random.integers(
                low, high, n, endpoint=True
            )  # fmt: skip
        case "float64":
            return random.uniform(low, high, n)
        case "boolean":
            return pd.array(random.random(n) < 0.5, dtype="boolean")
    if column.unique:
        return [f"row-{number}" for number in random.permutation(n)]
    return [f"{word}-{random.integers(20)}" for word in random.choice(WORDS, n)]


def _bounds(said: Mapping[str, Any]) -> tuple[Any, Any]:
    """Give both bounds; one that is not said is 0, or 1000 from the other."""
    low, high = said.get("min_value"), said.get("max_value")
    if low is None:
        low = 0 if high is None or high > 0 else high - 1000
    return low, low + 1000 if high is None else high


def dates(n: int, random: np.random.Generator, form: str) -> list[str]:
    """Write `n` days, or hours where a format has any, each once and in no order."""
    every = pd.date_range("2001-01-01", periods=n, freq="h" if "%H" in form else "D")
    return [str(every[place].strftime(form)) for place in random.permutation(n)]


def sentences(n: int, random: np.random.Generator) -> list[str]:
    """Write `n` strings of 5 to 20 words that mean nothing."""
    return [" ".join(random.choice(WORDS, random.integers(5, 21))) for _ in range(n)]


def follow(column: pd.Series, random: np.random.Generator) -> Array:
    """Give each row a share, evenly from 0 to below 1, that rises with a column but for noise."""
    codes, _ = pd.factorize(column, sort=True)
    noisy = pd.Series(codes).rank(pct=True) + random.normal(0, 0.1, len(column))
    return np.asarray((noisy.rank(method="first") - 1) / len(column), dtype=np.float64)


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Give a table as it is read from a file: text, and None where a value is missing."""
    return table.astype(str).astype(object).where(table.notna(), None)
