"""What an archive may not hold. All of it is checked before a single member is read.

Nothing is ever extracted, so a hostile name could not do harm here. It could in the next program
that unpacks the archive, and an archive with one bad member is not one to trust the rest of.
"""

import re
import stat
import zipfile
from typing import NoReturn

from signatures.errors import BundleError

MAX_MEMBERS = 100_000
FREE_SIZE = 2**30  # up to here, any ratio of compression is fine
MAX_RATIO = 200  # tables compress 3 to 20 times, a decompression bomb a thousand times

_DRIVE = re.compile(r"[A-Za-z]:")
_JUNK = "__MACOSX"


def size_limit(packed_size: int) -> int:
    """Return the most bytes that so many packed ones may unpack to."""
    return FREE_SIZE + MAX_RATIO * packed_size


def is_junk(name: str) -> bool:
    """Whether a path is one that systems leave behind: ``__MACOSX``, or hidden."""
    return any(part.startswith(".") or part == _JUNK for part in name.split("/"))


class Inspection:
    """Checks the members of one archive, one after the other, and keeps the names of its files."""

    def __init__(self, where: str, packed_size: int) -> None:
        self.where = where
        self.names: dict[str, None] = {}
        self._limit = size_limit(packed_size)
        self._count = self._total = 0

    def add(self, name: str, size: int, *, kind: str) -> str:
        """Check one member and return its name without ``./``.

        Parameters
        ----------
        kind : str
            ``"file"``, ``"folder"``, or what else it is, in words.
        """
        self._count += 1
        if self._count > MAX_MEMBERS:
            raise BundleError(
                self.where,
                f"holds more than {MAX_MEMBERS:,} members",
                "Unpack it and hand over the folder that holds the tables",
            )
        if kind not in ("file", "folder"):
            self._refuse(name, f"is {kind}")
        if problem := _name_problem(name):
            self._refuse(name, problem)
        self._check_size(name, size)
        clean = "/".join(part for part in name.split("/") if part not in ("", "."))
        if kind == "file":
            if not clean or clean in self.names:
                self._refuse(name, "is there twice" if clean else "has no name")
            self.names[clean] = None
        return clean

    def _check_size(self, name: str, size: int) -> None:
        if size < 0:
            self._refuse(name, f"claims a size of {size:,} bytes")
        self._total += size
        if self._total > self._limit:
            raise BundleError(
                self.where,
                f"would unpack to more than {self._limit // 2**20:,} MiB, {MAX_RATIO} times its "
                f"own size, by the time it reaches {name!r}: that looks like a decompression bomb",
                "If it is not, unpack it and hand over the folder",
            )

    def _refuse(self, name: str, problem: str) -> NoReturn:
        raise BundleError(
            self.where,
            f"is refused as a whole: its member {name!r} {problem}",
            "Pack the plain files of the dataset again, with relative names",
        )


def check_zip(archive: zipfile.ZipFile, where: str, packed_size: int) -> dict[str, zipfile.ZipInfo]:
    """Check every member of a zip and return its files by clean name, without junk."""
    inspection = Inspection(where, packed_size)
    files = {}
    for info in archive.infolist():
        kind = _zip_kind(info)
        # Not `filename`: the zipfile module cuts that at the first NUL.
        name = inspection.add(info.orig_filename, info.file_size, kind=kind)
        if kind == "file" and not is_junk(name):
            files[name] = info
    return files


def _zip_kind(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 1:
        return "encrypted"
    mode = info.external_attr >> 16  # the Unix file mode, 0 if made elsewhere
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "a symbolic link" if stat.S_ISLNK(mode) else "neither a file nor a folder"
    return "folder" if info.is_dir() else "file"


def _name_problem(name: str) -> str:
    """Say why a member's name could land outside the folder it is unpacked into."""
    if name.startswith("/"):
        return "has an absolute name"
    if "\\" in name:
        return "has a backslash in its name"
    if "\0" in name:
        return "has a NUL in its name"
    if _DRIVE.match(name):
        return "names a drive"
    if ".." in name.split("/"):
        return "climbs out of the archive with '..'"
    return ""
