"""One file of a bundle, in a folder or in an archive, and how its bytes are read.

Nothing is written to disk. A compressed file is unpacked while it is read. What can only be read
from its end (a zip, a parquet file) is first read into memory unless it is a plain file, up to
`MEMORY` bytes.
"""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, BinaryIO, Protocol, cast

from signatures.errors import BundleError
from signatures.reading import Guarded, reading
from signatures.safety import check_zip, size_limit
from signatures.wording import counted

MEMORY = 512 * 2**20  # largest file inside an archive that is read into memory
BUFFER = 2**20

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".md": "text",
    ".txt": "text",
}
TABLES = ("csv", "tsv", "parquet", "jsonl", "json")  # preferred first, when one table has several
PACKINGS = (".gz", ".bz2", ".xz", ".zip")

UNPACK: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"PK\x03\x04": ".zip"}


class Source(Protocol):
    """Where the bytes of a member lie. Small and picklable: it is opened again for each read."""

    def open(self) -> BinaryIO:
        """Open the stored bytes from their start."""

    @property
    def size(self) -> int:
        """How many bytes are stored."""

    @property
    def where(self) -> str:
        """What to call it in an error."""

    @property
    def plain(self) -> bool:
        """Whether reading from its end costs no more than from its start."""


@dataclass(frozen=True)
class Member:
    """One file of a bundle.

    Attributes
    ----------
    name : str
        Path inside the bundle, with forward slashes.
    source : Source
        Where its bytes lie.
    inner : str
        If it is a zip around one table, that table's name.
    """

    name: str
    source: Source
    inner: str = ""

    @property
    def format(self) -> str:
        """``csv``, ``tsv``, ``json``, ``jsonl``, ``parquet``, ``text``, or empty: not known."""
        return split(self.inner)[1] or split(self.name)[1]

    @property
    def packing(self) -> str:
        """The suffix it is compressed under, ``.gz`` for example, or empty."""
        return split(self.name)[2]

    @property
    def size(self) -> int:
        """Size in bytes as it lies in the folder or archive, which may be compressed."""
        with reading(self.where):
            return self.source.size

    @property
    def where(self) -> str:
        """What to call it in an error: the path of the folder or archive, and its name."""
        return self.source.where

    def open(self) -> io.BufferedReader:
        """Open it for reading, decompressed. The caller closes it.

        Whatever is wrong with the file, now or on a later read, is a `BundleError`.
        """
        with reading(self.where), ExitStack() as stack:
            raw = stack.enter_context(self.source.open())
            if self.packing == ".zip":
                unpacked = self._unzip(raw, stack)
            elif self.packing:
                unpacked = stack.enter_context(UNPACK[self.packing](raw))
            else:
                unpacked = raw
            if self.format == "parquet" and (self.packing or not self.source.plain):
                unpacked = self._in_memory(unpacked)
            limit = size_limit(self.source.size) if self.packing else None
            guarded = Guarded(unpacked, self.where, stack.pop_all(), limit)
            return io.BufferedReader(guarded, BUFFER)

    def find_inner(self) -> str:
        """Return the name of the one table in this zip, or an empty string if there is no such."""
        with reading(self.where), ExitStack() as stack:
            _, inner = self._look_inside(stack.enter_context(self.source.open()), stack)
            return inner

    def _unzip(self, raw: BinaryIO, stack: ExitStack) -> BinaryIO:
        files, inner = self._look_inside(raw, stack)
        if not inner:
            raise BundleError(
                self.where,
                f"holds {counted(len(files), 'file')}, expected one table",
                "Unpack it, or pack the table alone",
            )
        return cast(BinaryIO, stack.enter_context(files[inner]()))

    def _look_inside(
        self, raw: BinaryIO, stack: ExitStack
    ) -> tuple[dict[str, Callable[[], IO[bytes]]], str]:
        """Return what opens each file of this zip, and the name of its one table, if it has one."""
        seekable = raw if self.source.plain else self._in_memory(raw)
        packed_size = seekable.seek(0, io.SEEK_END)
        archive = stack.enter_context(zipfile.ZipFile(seekable))
        found = check_zip(archive, self.where, packed_size)
        tables = [name for name in found if split(name)[1] in TABLES and not split(name)[2]]
        if not tables and split(self.name)[1] in TABLES:  # train.csv.zip around a file "train"
            tables = list(found)
        files: dict[str, Callable[[], IO[bytes]]] = {
            name: partial(archive.open, info) for name, info in found.items()
        }
        return files, tables[0] if len(tables) == 1 else ""

    def _in_memory(self, raw: BinaryIO) -> BinaryIO:
        data = raw.read(MEMORY + 1)
        if len(data) > MEMORY:
            raise BundleError(
                self.where,
                f"has to be read into memory and is larger than {MEMORY // 2**20} MiB",
                "Unpack it and hand over the folder",
            )
        return io.BytesIO(data)


def split(name: str) -> tuple[str, str, str]:
    """Return the stem in lower case, the format and the packing of a file's name.

    Examples
    --------
    >>> split("data/Train.csv.gz")
    ('train', 'csv', '.gz')
    >>> split("train.zip"), split("images/7.jpg")
    (('train', '', '.zip'), ('7.jpg', '', ''))
    """
    stem = name.rpartition("/")[2].lower()
    packing = "." + stem.rpartition(".")[2] if stem.endswith(PACKINGS) else ""
    stem = stem.removesuffix(packing)
    start, dot, suffix = stem.rpartition(".")
    format = FORMATS.get(dot + suffix, "") if dot else ""
    return start if format else stem, format, packing
