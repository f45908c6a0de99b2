"""The column names of a JSON table: the keys of its first object."""

import codecs
import json
import re

from signatures.errors import BundleError
from signatures.members import Member

FIRST_PIECE = 2**16
LIMIT = 2**26  # bytes: the first object, which may hold whole columns, ends within these

_BLANKS = re.compile(r"[ \t\r\n]*")

# Objects stay lists of pairs, so that a name that comes twice is seen.
_DECODER = json.JSONDecoder(object_pairs_hook=list)


def read_json(member: Member) -> tuple[tuple[str, ...], str]:
    """Return the column names and the layout: ``records``, ``columns`` or ``lines``.

    The file is a list of records, an object of columns, or one record a line. Only its first
    object is read: a record, or all columns, in which case they have to end within `LIMIT` bytes.

    Raises
    ------
    BundleError
        If the file does not start like one of the three.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    text, wanted, ended = "", FIRST_PIECE, False
    with member.open() as stream:
        while not ended:
            data = stream.read(wanted)
            ended = len(data) < wanted
            try:
                text += decoder.decode(data, ended)
            except UnicodeDecodeError as error:
                problem = f"is not UTF-8 text ({error.reason})"
                raise BundleError(member.where, problem, "Save it again as UTF-8") from error
            if found := _first_object(member, text, ended=ended):
                return found
            wanted = 3 * len(text)  # each try reads the text anew, so each is four times as long
            if len(text) > LIMIT:
                break
    raise BundleError(
        member.where,
        f"has no complete first object within its first {LIMIT // 2**20} MiB",
        "Save it as a list of records, as one record a line, or as csv",
    )


def _first_object(member: Member, text: str, *, ended: bool) -> tuple[tuple[str, ...], str] | None:
    """Return the keys and layout of the first object, or None if more text is needed."""
    start = _past_blanks(text, 0)
    listed = text[start : start + 1] == "["
    start = _past_blanks(text, start + 1) if listed else start
    if text[start : start + 1] not in ("{", ""):
        raise _wrong(member, f"an object was expected and {text[start : start + 20]!r} found")
    try:
        pairs, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        if ended:
            raise _wrong(member, str(error) if text[start:] else "it holds no record") from error
        return None
    after = text[_past_blanks(text, end) :][:1]
    if not after and not ended:
        return None
    if after not in ((",", "]") if listed else ("{", "")):
        raise _wrong(member, f"its first record is followed by {after!r}")
    return tuple(key for key, _ in pairs), _layout(member, pairs, listed=listed, alone=not after)


def _layout(member: Member, pairs: list[tuple[str, object]], *, listed: bool, alone: bool) -> str:
    if listed:
        return "records"
    # A column is a list of values, or an object of index and value, which the decoder lists too.
    columns = alone and all(isinstance(value, list) for _, value in pairs)
    return "columns" if columns and member.format == "json" else "lines"


def _past_blanks(text: str, start: int) -> int:
    match = _BLANKS.match(text, start)
    return match.end() if match else start


def _wrong(member: Member, problem: str) -> BundleError:
    return BundleError(
        member.where,
        f"is not a JSON table: {problem}",
        "Expected a list of records, an object of columns, or one record a line",
    )
