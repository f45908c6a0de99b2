"""Read a table as text: every format ends in the same frame, and nothing is guessed."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from signatures import BundleError, Member, read_header
from signatures.wording import EXAMPLES, counted, some

FIELD_LIMIT = 2**26  # bytes; a longer field is taken for damage
_HALF = re.compile(r"[\ud800-\udfff]")  # of a pair, which JSON may hold and no encoding can write
Columns = dict[str, Sequence[str | None]]


def read_table(member: Member, *, missing: Sequence[str]) -> pd.DataFrame:
    """Read a whole table.

    Parameters
    ----------
    member : Member
        A csv, tsv, json, jsonl or parquet file.
    missing : sequence of str
        The texts that mean a missing value.

    Returns
    -------
    DataFrame
        Columns as the file names and orders them; each value is text or None.

    Raises
    ------
    BundleError
        If the file breaks its format: the message names the line.
    """
    readers: dict[str, Callable[[Member], Columns]] = {
        "csv": _read_text,
        "tsv": _read_text,
        "json": _read_json,
        "jsonl": _read_json,
        "parquet": _read_parquet,
    }
    gone = set(missing)
    # Built as objects from lists: pandas would guess a dtype, and another one in another version.
    return pd.DataFrame(
        {
            name: pd.Series([None if value in gone else value for value in values], dtype=object)
            for name, values in readers[member.format](member).items()
        }
    )


def _read_text(member: Member) -> Columns:
    header = read_header(member)
    # A comment may be longer than the csv module's default of 128 KiB.
    csv.field_size_limit(FIELD_LIMIT)
    with member.open() as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        rows = csv.reader(text, delimiter=header.delimiter or ",", strict=True)
        try:
            next(rows)
            values = list(_full_rows(rows, len(header.columns), member))
        except csv.Error as error:
            raise _broken_quotes(member, rows.line_num, error) from error
        except UnicodeDecodeError as error:
            raise _not_utf8(member) from error
    columns = list(zip(*values, strict=True)) or [()] * len(header.columns)
    return dict(zip(header.columns, columns, strict=True))


def _full_rows(rows: Any, width: int, member: Member) -> Iterator[list[str]]:
    """Yield rows, skipping blank lines; then refuse those with too many or too few fields."""
    odd: list[str] = []
    for row in rows:
        if len(row) == width:
            yield row
        elif row:
            odd.append(f"{counted(len(row), 'field')} in line {rows.line_num}")
    if odd:
        found = some(odd[:EXAMPLES], len(odd))
        raise BundleError(
            where=member.where,
            problem=f"has {found}, and {width} in its header",
            next="Complete or remove such a line; a field that holds the delimiter needs quotes",
        )


def _broken_quotes(member: Member, line: int, error: csv.Error) -> BundleError:
    if "field larger" in str(error):
        return BundleError(
            where=member.where,
            problem=f"has a field of more than {FIELD_LIMIT:,} characters near line {line}",
            next="Look for a quote that is never closed, or for damage",
        )
    return BundleError(
        where=member.where,
        problem=f"has broken quotes at or before line {line} ({error})",
        next="Look for a quote that is never closed, and double the quotes inside quoted fields",
    )


def _not_utf8(member: Member) -> BundleError:
    with member.open() as raw:
        for number, line in enumerate(raw, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return BundleError(
                    where=member.where,
                    problem=f"is not UTF-8 text in line {number} (byte 0x{line[error.start]:02x})",
                    next="Save it again as UTF-8; it may be in Latin-1 or Windows-1252",
                )
    return BundleError(where=member.where, problem="is not UTF-8 text", next="Save it as UTF-8")


def _read_json(member: Member) -> Columns:
    with member.open() as raw:
        try:
            text = raw.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _not_utf8(member) from error
    if read_header(member).layout == "lines":
        return _records(member, [_loads(member, *line) for line in _numbered_lines(text)])
    content = _loads(member, 0, text)
    return _column_json(member, content) if isinstance(content, dict) else _records(member, content)


def _numbered_lines(text: str) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _loads(member: Member, line: int, text: str) -> Any:
    """Parse JSON; line 0 is the whole file."""
    try:
        return json.loads(text)
    except ValueError as error:
        where = f"line {line}: " if line else ""
        raise _broken_json(member, f"{where}{error}") from error


def _records(member: Member, records: list[Any]) -> Columns:
    """Lay a list of records out as columns, in the order in which fields first appear."""
    if not all(isinstance(record, dict) for record in records):
        raise _broken_json(member, "not a list of records")
    names = list(dict.fromkeys(name for record in records for name in record))
    return {name: [_as_text(record.get(name)) for record in records] for name in names}


def _column_json(member: Member, columns: dict[str, Any]) -> Columns:
    """Read ``{column: {row: value}}`` or ``{column: [values]}``."""
    tables = {name: dict(enumerate(v)) if isinstance(v, list) else v for name, v in columns.items()}
    if not all(isinstance(values, dict) for values in tables.values()):
        raise _broken_json(member, "one object, not one of columns")
    # Each column names its rows, and they may do so in another order.
    rows = next(iter(tables.values()), {}).keys()
    if any(values.keys() != rows for values in tables.values()):
        raise _broken_json(member, "its columns have other rows")
    return {name: [_as_text(values[row]) for row in rows] for name, values in tables.items()}


def _broken_json(member: Member, detail: str) -> BundleError:
    return BundleError(
        where=member.where,
        problem=f"is not a JSON table: {detail}",
        next="Write a list of records, one object of columns, or one record a line",
    )


def _read_parquet(member: Member) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with member.open() as raw:
        try:
            table = pq.read_table(io.BytesIO(raw.read()))
        except (pa.ArrowException, OSError) as error:
            raise BundleError(
                where=member.where,
                problem=f"is not a whole parquet file ({error})",
                next="Write it again",
            ) from error
    columns = [[_as_text(value) for value in column.to_pylist()] for column in table.columns]
    return dict(zip(table.column_names, columns, strict=True))


def _as_text(value: Any) -> str | None:
    """Write a value as a csv file would hold it."""
    if value is None or value != value:  # NaN differs from itself
        return None
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    return (
        json.dumps(value, sort_keys=True, default=str)
        if isinstance(value, list | dict)
        else str(value)
    )
