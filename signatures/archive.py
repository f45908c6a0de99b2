"""The members of a tar or zip archive, none of which is ever extracted to disk.

A zip has a table of contents. A tar has none, so a compressed one is unpacked once from start to
end to list it, without keeping the bytes; reading a member then unpacks it again up to there.
"""

import io
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

from signatures.errors import BundleError
from signatures.members import MAGIC, UNPACK, Member
from signatures.reading import Guarded, reading
from signatures.safety import Inspection, check_zip, is_junk

HEADER_LIMIT = 2**20  # a tar header, with the long names that may precede it, is far smaller


@dataclass(frozen=True)
class TarSource:
    """A file inside a tar: `size` bytes from `offset` on, once the tar is decompressed."""

    path: str
    name: str
    offset: int
    size: int
    plain = False

    @property
    def where(self) -> str:
        """The archive's path, and the name in it."""
        return f"{self.path}/{self.name}"

    def open(self) -> BinaryIO:
        """Open the archive again and stop where the file starts."""
        with ExitStack() as stack:
            stream = stack.enter_context(_decompressed(self.path))
            archive = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))
            info = tarfile.TarInfo(self.name)
            info.offset_data, info.size = self.offset, self.size
            raw = cast(BinaryIO, archive.extractfile(info))
            return io.BufferedReader(Guarded(raw, self.where, stack.pop_all()))


@dataclass(frozen=True)
class ZipSource:
    """A file inside a zip."""

    path: str
    name: str
    entry: str  # the name as the zip spells it, with its "./" for example
    size: int
    plain = False

    @property
    def where(self) -> str:
        """The archive's path, and the name in it."""
        return f"{self.path}/{self.name}"

    def open(self) -> BinaryIO:
        """Open the archive again, and the file in it."""
        with ExitStack() as stack:
            archive = stack.enter_context(zipfile.ZipFile(self.path))
            raw = cast(BinaryIO, stack.enter_context(archive.open(self.entry)))
            return io.BufferedReader(Guarded(raw, self.where, stack.pop_all()))


def list_archive(path: Path) -> tuple[Member, ...]:
    """List the files in the archive at `path`, told by its content and not by its name.

    Raises
    ------
    BundleError
        If it is not an archive, is damaged, or holds a member that an honest one would not.
    """
    with reading(str(path)):
        members = _list_tar(path)
        # Asked second, because a tar that ends in a zip looks like a zip.
        if members is None and zipfile.is_zipfile(path):
            members = _list_zip(path)
    if members is None:
        raise _not_an_archive(path)
    return tuple(sorted(members, key=lambda member: member.name))


def _list_tar(path: Path) -> list[Member] | None:
    """Return the files of a tar without junk, or None if it does not start like one."""
    inspection = Inspection(str(path), path.stat().st_size)
    members = []
    with _decompressed(path) as stream:
        headers = _Headers(stream)
        try:
            archive = tarfile.open(fileobj=cast(BinaryIO, headers), mode="r:")  # noqa: SIM115
        except tarfile.ReadError:
            return None
        with archive:
            for info in archive:
                kind = _tar_kind(info)
                name = inspection.add(info.name, info.size, kind=kind)
                if kind == "file" and not is_junk(name):
                    source = TarSource(str(path), name, info.offset_data, info.size)
                    members.append(Member(name, source))
    # A tar ends in blocks of zeros. The tarfile module also takes a block it cannot read, or
    # the end of the file, for the end of the list.
    if headers.last != bytes(tarfile.BLOCKSIZE):
        raise BundleError(str(path), "is damaged or cut short", "Download or copy it again")
    return members


def read_tar(path: str, members: Iterable[Member]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of some files of a tar, which is unpacked once.

    Raises
    ------
    BundleError
        If it is damaged.
    """
    places = [(member, cast(TarSource, member.source)) for member in members]
    with reading(path), _decompressed(path) as stream:
        for member, source in sorted(places, key=lambda place: place[1].offset):
            stream.seek(source.offset)
            content = stream.read(source.size)
            if len(content) < source.size:
                raise BundleError(path, "is damaged or cut short", "Download or copy it again")
            yield member.name, content


def _list_zip(path: Path) -> list[Member]:
    """Return the files of a zip, without junk."""
    with zipfile.ZipFile(path) as archive:
        files = check_zip(archive, str(path), path.stat().st_size)
    return [
        Member(name, ZipSource(str(path), name, info.filename, info.file_size))
        for name, info in files.items()
    ]


def _tar_kind(info: tarfile.TarInfo) -> str:
    """Return "file", "folder", or what else it is."""
    kinds = {
        "a sparse file": info.issparse(),
        "folder": info.isdir(),
        "file": info.isreg(),
        "a symbolic link": info.issym(),
        "a hard link": info.islnk(),
        "a device": info.ischr() or info.isblk(),
        "a named pipe": info.isfifo(),
    }
    return next((kind for kind, applies in kinds.items() if applies), "of an unknown kind")


@contextmanager
def _decompressed(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file through the decompressor that its first bytes ask for."""
    with open(path, "rb") as raw:
        start = raw.read(6)
        raw.seek(0)
        packing = next((MAGIC[magic] for magic in MAGIC if start.startswith(magic)), "")
        if packing in UNPACK:
            with UNPACK[packing](raw) as stream:
                yield stream
        else:
            yield raw


class _Headers(io.RawIOBase):
    """The stream a tar is listed from, which refuses the long reads of a forged header.

    The tarfile module reads a long name in one piece, however long its header says it is.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.last = b""

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= HEADER_LIMIT:
            reason = f"a header claims to be {size:,} bytes long"
            raise tarfile.HeaderError(reason)
        self.last = self._stream.read(size)
        return self.last

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


def _not_an_archive(path: Path) -> BundleError:
    """Tell a table or document from what was meant to be an archive."""
    with path.open("rb") as stream:
        start = stream.read(4)
    archived = {".tar", ".tgz", ".tbz2", ".txz", ".zip"}.intersection(path.suffixes)
    if archived or start == b"PK\x03\x04":
        return BundleError(
            str(path),
            "should be an archive, and is damaged, cut short, or neither tar nor zip",
            "Download or copy it again",
        )
    return BundleError(
        str(path),
        "is a file, expected a folder or an archive (tar.gz or zip)",
        f"Hand over the folder it lies in: {str(path.parent)!r}",
    )
