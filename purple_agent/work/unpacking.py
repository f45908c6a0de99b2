"""Unpack what a stranger has sent: looked through as a whole before anything is written.

The look is that of `signatures.archive`: plain files and folders only, no name that could land
elsewhere, no member twice, nothing damaged, no decompression bomb. Names that a disk would choke
on and the service's own limits are checked here. The second pass writes the files itself, and
counts again.
"""

import os
import tarfile
import unicodedata
import zlib
from collections.abc import Iterable
from gzip import BadGzipFile
from lzma import LZMAError
from pathlib import Path
from typing import IO

from purple_agent.messages import kind_of
from purple_agent.orders import Order
from purple_agent.removal import remove
from purple_agent.task_folder import TaskFolder
from signatures import BundleError, Member
from signatures.archive import list_archive

DEEPEST = 20  # folders inside each other
LONGEST_NAME, LONGEST_PATH = 255, 1000  # bytes; the first is what file systems allow
_CHUNK = 2**20
_DAMAGE = (
    tarfile.TarError, EOFError, zlib.error, BadGzipFile, LZMAError, UnicodeError, OverflowError,
)  # fmt: skip


class UnpackingError(Exception):
    """An archive is refused; the sentence is for who sent it."""

    def __init__(self, problem: str) -> None:
        cure = "Send the dataset as one tar.gz of plain files with relative names."
        super().__init__(f"The archive {problem}. {cure}")


def unpack(folder: TaskFolder, order: Order) -> None:
    """Unpack a task's archive, once; it is removed afterwards.

    Raises
    ------
    UnpackingError
        If it is refused; nothing of it has been written then.
    OSError
        If the disk is full.
    """
    if folder.data.exists():
        return
    remove(folder.unpacking)
    members = _looked_through(folder.archive, order)
    try:
        _write(folder.archive, folder.unpacking, {member.name for member in members}, order)
    except BaseException:
        remove(folder.unpacking)
        raise
    os.replace(folder.unpacking, folder.data)
    folder.archive.unlink(missing_ok=True)


def _looked_through(archive: Path, order: Order) -> tuple[Member, ...]:
    """Look at every member, and write nothing."""
    with archive.open("rb") as stream:
        kind = kind_of(stream.read(512))
    if kind in ("", "zip"):
        problem = "is a zip" if kind else "is empty, or no tar archive at all"
        raise UnpackingError(problem)
    try:
        members = list_archive(archive)
    except BundleError as error:
        raise UnpackingError(error.problem) from error
    if not members:
        problem = "holds no files"
        raise UnpackingError(problem)
    if len(members) > order.max_members:
        problem = f"holds {len(members):,} files, and {order.max_members:,} are allowed"
        raise UnpackingError(problem)
    if sum(member.size for member in members) > order.max_unpacked:
        problem = f"unpacks to more than {order.max_unpacked:,} bytes"
        raise UnpackingError(problem)
    _check_names([member.name for member in members])
    return members


def _check_names(names: list[str]) -> None:
    """Refuse names that cannot lie in one folder together, or that a disk cannot hold."""
    folders = {"/".join(parts[:n]) for name in names for n, parts in _ancestry(name)}
    for name in names:
        parts = name.split("/")
        problem = ""
        if name in folders:
            problem = "is a file and a folder at once"
        elif len(parts) > DEEPEST:
            problem = f"lies more than {DEEPEST} folders deep"
        elif max(len(os.fsencode(part)) for part in parts) > LONGEST_NAME:
            problem = f"has a name of more than {LONGEST_NAME} bytes"
        elif len(os.fsencode(name)) > LONGEST_PATH:
            problem = f"has a path of more than {LONGEST_PATH:,} bytes"
        elif any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
            problem = "has a control character in its name, or what is no UTF-8"
        if problem:
            problem = f"is refused as a whole: its member {name[:100]!r} {problem}"
            raise UnpackingError(problem)


def _ancestry(name: str) -> Iterable[tuple[int, list[str]]]:
    parts = name.split("/")
    # No more than may be: a name of a thousand folders is refused for its depth.
    return ((n, parts) for n in range(1, min(len(parts), DEEPEST + 1)))


def _write(archive: Path, target: Path, names: set[str], order: Order) -> None:
    """Write the files that were looked at, and count once more."""
    target.mkdir()
    left = order.max_unpacked
    try:
        with tarfile.open(archive) as packed:
            for info in packed:
                checked = _filtered(info, target)
                name = "/".join(part for part in checked.name.split("/") if part not in ("", "."))
                content = packed.extractfile(checked) if checked.isreg() else None
                if content is not None and name in names:
                    left -= _copy(content, target / name, left)
            _read_to_the_end(packed)
    except _DAMAGE as error:
        problem = "is damaged or cut short"
        raise UnpackingError(problem) from error


def _filtered(info: tarfile.TarInfo, target: Path) -> tarfile.TarInfo:
    """Ask tarfile too; before Python 3.11.4 it has no say, and all was looked at anyway."""
    ask = getattr(tarfile, "data_filter", None)
    checked: tarfile.TarInfo = info if ask is None else ask(info, str(target))
    return checked


def _read_to_the_end(packed: tarfile.TarFile) -> None:
    """Let the decompressor compare its checksum, which stands behind the tar's padding."""
    assert packed.fileobj is not None
    if len(packed.fileobj.read(_CHUNK)) == _CHUNK:
        problem = "goes on after its end"
        raise UnpackingError(problem)


def _copy(content: IO[bytes], path: Path, most: int) -> int:
    """Write one file, at most so many bytes; return how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with path.open("xb") as stream:
        while chunk := content.read(_CHUNK):
            size += len(chunk)
            if size > most:
                problem = "unpacks to more than is allowed"
                raise UnpackingError(problem)
            stream.write(chunk)
    return size
