"""What a message holds: one archive, words, or nothing that can be worked on."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from a2a.types import Message, Part

from purple_agent.spool import Arrived, Spool

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
}
_TAR_MAGIC, _TAR_AT = b"ustar", 257


class NonsenseError(Exception):
    """A message that cannot be worked on; the sentence is for who sent it."""


@dataclass(frozen=True)
class Attached:
    """A file part: its name, and one of what has arrived, its bytes, or its address.

    What has arrived has a `word`, by which the spool knows it.
    """

    name: str
    arrived: Arrived | None = None
    word: bytes = b""
    data: bytes = b""
    url: str = ""

    @property
    def kind(self) -> str:
        """What its first bytes say it is; empty if that is no archive."""
        if self.url:
            return "gzip" if self.name.lower().endswith((".gz", ".tgz", ".tar")) else ""
        return kind_of(self.data[:512] if self.arrived is None else _start(self.arrived.path))


def kind_of(start: bytes) -> str:
    """Tell an archive from its first 512 bytes.

    >>> kind_of(b"PassengerId,Transported"), kind_of(b"PK" + bytes([3, 4]))
    ('', 'zip')
    """
    for magic, kind in MAGIC.items():
        if start.startswith(magic):
            return kind
    return "tar" if start[_TAR_AT:].startswith(_TAR_MAGIC) else ""


def archive_in(message: Message, spool: Spool, max_parts: int) -> Attached | None:
    """Return the one archive that a message brings, or None if it brings no file at all.

    Raises
    ------
    NonsenseError
        If it brings files and none, or several, of them are archives.
    """
    if len(message.parts) > max_parts:
        sentence = f"The message has {len(message.parts):,} parts, and {max_parts} are allowed."
        raise NonsenseError(sentence)
    files = [_attached(part, spool) for part in message.parts if _is_file(part)]
    archives = [file for file in files if file.kind]
    if len(archives) > 1:
        sentence = f"The message brings {len(archives)} archives. Send one dataset at a time."
        raise NonsenseError(sentence)
    if files and not archives:
        names = ", ".join(repr(file.name) for file in files[:3])
        sentence = f"None of the files sent is an archive: {names}. Send one tar.gz of the dataset."
        raise NonsenseError(sentence)
    return archives[0] if archives else None


def words_in(message: Message) -> list[bytes]:
    """List what may be words that stand for files of a message."""
    return [part.raw for part in message.parts if part.WhichOneof("content") == "raw"]


def _is_file(part: Part) -> bool:
    return part.WhichOneof("content") in ("raw", "url")


def _attached(part: Part, spool: Spool) -> Attached:
    if part.WhichOneof("content") == "url":
        name = part.filename or unquote(urlsplit(part.url).path.rpartition("/")[2])
        return Attached(name[:100], url=part.url)
    name = part.filename[:100] or "unnamed"
    if arrived := spool.find(part.raw):
        return Attached(name, arrived=arrived, word=part.raw)
    return Attached(name, data=part.raw)


def _start(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(512)
