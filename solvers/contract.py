"""Hold a table against its contract and say at once, in plain words, all that is wrong.

A contract is a pandera ``DataFrameModel`` of the columns that train and test share. Its fields
declare dtypes and checks; a field's ``description`` says in words what is expected. Text becomes
typed here rather than by pandera's coercion, which turns a missing flag into True [1]_.

References
----------
.. [1] pandera, issue 1641: ``Column(bool, nullable=True, coerce=True)``.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pandera.pandas as pa
from pandera.errors import SchemaErrors

from signatures.columns import plain

Contract = type[pa.DataFrameModel]

# Every common way to write a flag; anything else is refused.
FLAGS = {
    "true": True, "t": True, "yes": True, "y": True, "1": True, "1.0": True,
    "false": False, "f": False, "no": False, "n": False, "0": False, "0.0": False,
}  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """A typed table, or what is wrong with it."""

    rows: pd.DataFrame = field(repr=False)
    failures: tuple[str, ...]


def columns_of(contract: Contract) -> tuple[str, ...]:
    """Name the contract's columns in their declared order."""
    return tuple(contract.to_schema().columns)


def check(table: pd.DataFrame, contract: Contract, *, name: str) -> Checked:
    """Type a table of text as its contract declares and check every value.

    Parameters
    ----------
    table : DataFrame
        Text or missing, as `solvers.tables.read_table` gives it; columns outside the contract are
        dropped.
    name : str
        What sentences call the table: ``"train"`` or ``"test"``.

    Returns
    -------
    Checked
        Rows in the table's order with the contract's columns in the contract's order.
    """
    schema = contract.to_schema()
    table = table.astype(object).where(table.notna(), None)
    absent = [column for column in schema.columns if column not in table.columns]
    failures = [absent_column(name, column, table) for column in absent]
    typed: dict[str, pd.Series] = {}
    unread: list[str] = []
    for column, declared in schema.columns.items():
        if column in absent:
            continue
        typed[column], unreadable = _typed(table[column], str(declared.dtype))
        if unreadable:
            unread.append(column)
            expected = declared.description or _EXPECTED.get(str(declared.dtype), "text")
            failures.append(sentence(name, column, unreadable, table[column], expected))
    rows = pd.DataFrame(typed)
    # What was missing or unreadable is told already; the rest can still be checked.
    rest = schema.remove_columns(absent)
    for column in unread:
        whole = str(schema.columns[column].dtype) == "int64"
        rest = rest.update_column(column, nullable=True, **({"dtype": float} if whole else {}))
    try:
        rows = rest.validate(rows, lazy=True)
    except SchemaErrors as errors:
        failures += _explain(errors.failure_cases, schema, table, name)
    return Checked(rows, tuple(failures))


def absent_column(name: str, column: str, table: pd.DataFrame) -> str:
    """Say that a column is missing, and which one is likely to be meant."""
    alike = [found for found in table.columns if plain(found) == plain(column)]
    cure = f"; {alike[0]!r} looks like it: rename it" if alike else ""
    return f"{name}: the column {column!r} is missing{cure}."


_EXPECTED = {"float64": "a number", "int64": "a whole number", "boolean": "True or False"}


def _typed(column: pd.Series, dtype: str) -> tuple[pd.Series, list[int]]:
    """Type one column of text; also return the positions of the values that cannot be."""
    if dtype in {"float64", "int64"}:
        typed = pd.to_numeric(column, errors="coerce").astype("float64")
        if dtype == "int64":
            typed = typed.where(typed % 1 == 0)
            # A missing whole number cannot be held, so it counts as one that cannot be read.
            return typed, np.flatnonzero(typed.isna()).tolist()
    elif dtype == "boolean":
        flags = [None if text is None else FLAGS.get(text.strip().lower()) for text in column]
        typed = pd.Series(flags, index=column.index, dtype="boolean")
    elif dtype.startswith("str"):
        return column, []
    else:
        msg = (
            f"the contract declares column {column.name!r} as {dtype}, which is not supported; "
            "declare str, float, int or pd.BooleanDtype"
        )
        raise TypeError(msg)
    unreadable = (typed.isna() & column.notna()).to_numpy()
    return typed, np.flatnonzero(unreadable).tolist()


def _explain(cases: pd.DataFrame, schema: Any, table: pd.DataFrame, name: str) -> Iterator[str]:
    """Write one sentence per column and expectation: two checks may fail one expectation."""
    where: dict[tuple[str, str], set[int]] = {}
    for case in cases.to_dict("records"):
        column, what = str(case["column"]), str(case["check"])
        if column not in schema.columns or pd.isna(case["index"]):
            yield f"{name}: the check {what!r} of {column} fails."
            continue
        declared = schema.columns[column].description
        expected = _ALWAYS.get(what) or declared or _check_in_words(what)
        where.setdefault((column, expected), set()).add(int(case["index"]))
    for (column, expected), positions in where.items():
        yield sentence(name, column, sorted(positions), table[column], expected)


_ALWAYS = {"field_uniqueness": "each value once", "not_nullable": "no value missing"}


def expected_of(column: Any) -> str:
    """Say what is expected of a declared column: its description, or its checks in words."""
    checks = [_check_in_words(str(check.error)) for check in column.checks]
    return column.description or textwrap.shorten(" and ".join(checks), 200, placeholder=" ...")


def _check_in_words(what: str) -> str:
    words = {
        "greater_than_or_equal_to": "at least",
        "less_than_or_equal_to": "at most",
        "greater_than": "above",
        "less_than": "below",
        "isin": "one of",
        "str_matches": "text that matches",
        "str_length": "a length of",
    }
    check, _, argument = what.partition("(")
    return f"{words.get(check, check)} {argument.removesuffix(')').strip('()[]')}".strip()


def sentence(
    name: str, column: str, positions: Sequence[int], raw: pd.Series, expected: str
) -> str:
    """Say how many rows are wrong, with at most three different examples and where the first is."""
    examples = list(dict.fromkeys(_shown(raw.iloc[position]) for position in positions))
    more = ", ..." if len(examples) > 3 else ""
    count = f"{len(positions)} row{'s' if len(positions) > 1 else ''}"
    return (
        f"{name}: {column}: expected {expected}; {count} with {', '.join(examples[:3])}{more} "
        f"(first in data row {positions[0] + 1})."
    )


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    return repr(text if len(text) <= 40 else text[:37] + "...")
