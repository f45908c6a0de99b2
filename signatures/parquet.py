"""The column names of a parquet file, without a parquet library.

This package promises to load no library, so that a task is recognised in a moment, and the names
take little to find: the file ends with its metadata, whose length stands before the last four
bytes, and the part read here has not changed since the first version of the format [1]_. It is
written in Thrift's compact protocol [2]_: a struct is a row of fields, each with its number and
kind, so what is not wanted can be stepped over.

References
----------
.. [1] https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
.. [2] https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

import io
import re
from typing import Any

from signatures.errors import BundleError
from signatures.members import Member

FOOTER_LIMIT = 2**26  # bytes; a footer grows with columns and row groups, to some MiB
MAX_DEPTH = 32

_SCHEMA, _NAME, _CHILDREN = 2, 4, 5  # FileMetaData.schema; SchemaElement.name and .num_children
_INDEX = re.compile(r"__index_level_\d+__")  # pandas' row index, which is no column


def read_columns(member: Member) -> tuple[str, ...]:
    """Return the names of the top-level columns.

    Raises
    ------
    BundleError
        If the file is not parquet, is encrypted, or is damaged.
    """
    footer = _read_footer(member)
    try:
        schema = _Reader(footer).struct(last=_SCHEMA)[_SCHEMA]
        names = _top_level(schema)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(member) from error
    return tuple(name for name in names if not _INDEX.fullmatch(name))


def _read_footer(member: Member) -> bytes:
    with member.open() as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - 8))
        tail = stream.read(8)
        if tail[4:] == b"PARE":
            raise BundleError(member.where, "is encrypted", "Save it again without encryption")
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != b"PAR1" or length > min(size - 12, FOOTER_LIMIT):
            raise _damaged(member)
        stream.seek(size - 8 - length)
        return stream.read(length)


def _damaged(member: Member) -> BundleError:
    return BundleError(
        member.where, "is not a parquet file, or is damaged", "Download or copy it again"
    )


def _top_level(schema: list[dict[int, Any]]) -> list[str]:
    """Walk the schema, a tree written parent first, and name the children of its root."""
    names, place = [], 1
    for _ in range(schema[0].get(_CHILDREN, 0)):
        names.append(schema[place][_NAME].decode("utf-8"))
        pending = 1
        while pending:
            pending += schema[place].get(_CHILDREN, 0) - 1
            place += 1
    return names


class _Reader:
    """Reads values of Thrift's compact protocol one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place, self._depth = data, 0, 0

    def struct(self, last: int | None = None) -> dict[int, Any]:
        """Read fields by number, up to the end of the struct or to field `last`."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError(self._depth)
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) and last not in fields:
            step, kind = head >> 4, head & 15
            number = number + step if step else self._integer()
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind)
        self._depth -= 1
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (1, 2, 3):  # in a list, a boolean takes a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._integer()
        if kind == 7:
            return self._bytes(8)
        if kind == 8:
            return self._bytes(self._varint())
        if kind in (9, 10):
            return self._list()
        if kind == 11:
            return self._map()
        if kind == 12:
            return self.struct()
        raise ValueError(kind)

    def _list(self) -> list[Any]:
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._varint()
        return [self._value(head & 15) for _ in range(length)]

    def _map(self) -> list[Any]:
        length = self._varint()
        kinds = self._byte() if length else 0
        return [self._value(kind) for _ in range(length) for kind in (kinds >> 4, kinds & 15)]

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
            if shift > 63:
                raise ValueError(shift)

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _bytes(self, length: int) -> bytes:
        self._place += length
        if self._place > len(self._data):
            raise IndexError(self._place)
        return self._data[self._place - length : self._place]
