"""The files of a folder, at any depth."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from signatures.errors import BundleError
from signatures.members import Member
from signatures.reading import reading
from signatures.safety import is_junk

MAX_FILES = 200_000


@dataclass(frozen=True)
class FolderSource:
    """A plain file."""

    path: str
    plain = True

    @property
    def where(self) -> str:
        """Its path."""
        return self.path

    @property
    def size(self) -> int:
        """Its size, asked only when wanted: a bundle may hold many thousand images."""
        return os.stat(self.path).st_size

    def open(self) -> BinaryIO:
        """Open it."""
        return open(self.path, "rb")


def list_folder(path: Path) -> tuple[Member, ...]:
    """List the files under `path` by name, without hidden ones.

    Links to files are followed, links to folders are not: they may lead in circles.

    Raises
    ------
    BundleError
        If a folder cannot be listed, or there are more than `MAX_FILES` files.
    """
    members: list[Member] = []
    folders = [("", str(path))]
    while folders:
        prefix, folder = folders.pop()
        with reading(folder), os.scandir(folder) as entries:
            for entry in entries:
                name = prefix + entry.name
                if is_junk(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append((f"{name}/", entry.path))
                elif entry.is_file():
                    members.append(Member(name, FolderSource(entry.path)))
        if len(members) > MAX_FILES:
            raise BundleError(
                str(path),
                f"holds more than {MAX_FILES:,} files",
                "Hand over the folder of one dataset, with its tables near the top",
            )
    return tuple(sorted(members, key=lambda member: member.name))
