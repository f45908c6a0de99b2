"""The column names of a table, from its first bytes (or, for parquet, its last)."""

import codecs
import csv
import io
from collections import Counter
from dataclasses import dataclass

from signatures import parquet
from signatures.errors import BundleError
from signatures.json_header import read_json
from signatures.members import MAGIC, Member
from signatures.wording import quoted

LINE_LIMIT = 2**20  # bytes: the first line of a text table ends within these

_RESAVE = "Save it again as UTF-8"
_OTHER_UNICODE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True)
class Header:
    """What is known of a table without reading it.

    Attributes
    ----------
    columns : tuple of str
        Names as they are written, blanks included.
    delimiter : str or None
        Between the fields of csv and tsv: comma, semicolon, tab or bar.
    layout : str
        For JSON: ``"records"`` (a list of objects), ``"columns"`` (an object of columns) or
        ``"lines"`` (an object a line). Otherwise empty.
    """

    columns: tuple[str, ...]
    delimiter: str | None = None
    layout: str = ""


def read_header(member: Member) -> Header:
    """Read the column names of a csv, tsv, json, jsonl or parquet file.

    Text is UTF-8, with a byte order mark or without, with any kind of line end. At most the first
    MiB of a csv is read, so its size does not matter.

    Raises
    ------
    BundleError
        If the file is empty, not UTF-8, not what its name says, or has no usable header.
    """
    format = member.format
    if format in ("csv", "tsv"):
        header = _read_text(member)
    elif format in ("json", "jsonl"):
        columns, layout = read_json(member)
        header = Header(columns, layout=layout)
    elif format == "parquet":
        header = Header(parquet.read_columns(member))
    else:
        raise BundleError(
            member.where, "is not a table", "Expected csv, tsv, json, jsonl or parquet"
        )
    _check_names(member, header.columns)
    return header


def _check_names(member: Member, columns: tuple[str, ...]) -> None:
    if not any(name.strip() for name in columns):
        raise BundleError(member.where, "has no column names", "Put them on its first line")
    if twice := [name for name, times in Counter(columns).items() if times > 1]:
        raise BundleError(
            member.where,
            f"has columns of the same name: {quoted(twice)}",
            "Give each column a name of its own",
        )


def _read_text(member: Member) -> Header:
    """Read the first line of a csv or tsv."""
    with member.open() as stream:
        start = stream.read(LINE_LIMIT + 1)
    _check_start(member, start)
    # Only the header has to be UTF-8 here. A stray byte further down, or a letter cut in two at
    # the end of what was read, becomes a surrogate that nobody looks at.
    text = start.decode("utf-8-sig", "surrogateescape")
    columns, delimiter = _split_header(member, text, whole=len(start) <= LINE_LIMIT)
    for name in columns:
        _check_text(member, name)
    return Header(columns, delimiter)


def _check_start(member: Member, start: bytes) -> None:
    """Refuse what is no UTF-8 text, by its first bytes."""
    if not start.removeprefix(codecs.BOM_UTF8):
        raise BundleError(member.where, "is empty", "Copy or download it again")
    if start.startswith(_OTHER_UNICODE):
        raise BundleError(member.where, "is not UTF-8 text but UTF-16 or UTF-32", _RESAVE)
    for magic, suffix in MAGIC.items():
        if start.startswith(magic):
            raise BundleError(
                member.where,
                "is not text but a compressed file",
                f"Add {suffix} to its name, or unpack it",
            )


def _check_text(member: Member, name: str) -> None:
    if any("\udc80" <= letter <= "\udcff" for letter in name):
        written = name.encode("utf-8", "surrogateescape")[:40]
        raise BundleError(member.where, f"is not UTF-8 text: its header has {written!r}", _RESAVE)
    if any(letter < " " and letter not in "\t\r\n" for letter in name):
        raise BundleError(
            member.where,
            f"is not a text table: its header has {name[:40]!r}",
            "Check that it is what its name says, in UTF-8",
        )


def _split_header(member: Member, text: str, *, whole: bool) -> tuple[tuple[str, ...], str]:
    """Return the fields of the first line, split by the delimiter that makes the most of them."""
    delimiters = "\t,;|" if member.format == "tsv" else ",;\t|"
    splits, problem = {}, ""
    for delimiter in delimiters:
        lines = io.StringIO(text, newline="")
        try:
            fields = next(csv.reader(lines, delimiter=delimiter, strict=True))
        except csv.Error as error:  # a quoted field that does not end where this delimiter stands
            problem = str(error)
            continue
        if whole or lines.tell() < len(text):
            splits[delimiter] = tuple(fields)
        else:
            problem = "it does not end"
    best = max(splits, key=lambda delimiter: len(splits[delimiter]), default="")  # first of equals
    # One field may be all that the wrong delimiters see of a quote that is never closed.
    if not best or (problem and len(splits[best]) == 1):
        raise BundleError(
            member.where,
            f"has no readable first line within {LINE_LIMIT:,} bytes: {problem}",
            "Close the quotes in its header, and put the column names on one line",
        )
    return splits[best], best
