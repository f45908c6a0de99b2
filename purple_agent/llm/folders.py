"""The two folders a model may name files in, and no way out of them."""

import os
import stat
from contextlib import suppress
from pathlib import Path, PurePosixPath

from purple_agent.llm.errors import OutsideError
from purple_agent.sandbox.bubblewrap import DATA, WORK
from purple_agent.sandbox.watching import DEEPEST


class Folders:
    """The data folder and the work folder, under the names that code in the sandbox uses.

    What lies in the work folder was made by code that is not trusted, and may change at any time:
    links are resolved, held against the folders, and not followed when a file is opened.
    """

    def __init__(self, data: Path, work: Path) -> None:
        self.data = data.resolve()
        self.work = work.resolve()

    def locate(self, name: str) -> tuple[Path, Path]:
        """Return the folder a name is in, and the path with all links resolved.

        Raises
        ------
        OutsideError
            If it leads out of its folder.
        """
        parts = PurePosixPath(name.removeprefix(WORK + "/") if name != WORK else ".").parts
        top, rest = (self.data, parts[1:]) if parts[:1] == (DATA,) else (self.work, parts)
        try:
            path = top.joinpath(*rest).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a null character
            raise OutsideError(name, "cannot be a path") from error
        if not path.is_relative_to(top):
            raise OutsideError(name, "is outside the folders of this task")
        return top, path

    def read(self, name: str, most: int) -> tuple[bytes, int]:
        """Read the first `most` bytes of a plain file; return them and the size of the whole.

        Raises
        ------
        OutsideError
            If it is outside the folders, not there, or no plain file.
        """
        top, path = self.locate(name)
        try:
            file = _open_beneath(top, path.relative_to(top).parts)
        except OSError as error:
            raise OutsideError(name, f"cannot be opened ({error.strerror})") from error
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            os.close(file)
            raise OutsideError(name, "is no plain file")
        with os.fdopen(file, "rb") as stream:
            return stream.read(most), status.st_size

    def stamp(self, name: str) -> tuple[int, int]:
        """Return what changes whenever a file is written, be it the same bytes; zeros for none."""
        try:
            status = os.stat(self.locate(name)[1])
        except (OSError, OutsideError):
            return 0, 0
        return status.st_ino, status.st_mtime_ns

    def exists(self, name: str) -> bool:
        """Tell whether a plain file of that name is in the work folder itself."""
        try:
            return stat.S_ISREG(os.lstat(self.work / name).st_mode)
        except OSError:
            return False

    def listing(self, name: str, most: int) -> list[str]:
        """Return lines with the sizes and names of the files beneath a folder."""
        top, path = self.locate(name or ".")
        prefix = f"{DATA}/" if top == self.data else ""
        lines: list[str] = []
        for folder, folders, files in os.walk(path):
            if len(Path(folder).relative_to(path).parts) >= DEEPEST:
                folders.clear()  # Python cannot walk as deep as code can go
            folders[:] = sorted(f for f in folders if top == self.data or f != DATA)
            for file in sorted(files):
                shown = Path(folder, file).relative_to(top)
                with suppress(OSError):  # it has gone since
                    size = os.lstat(Path(folder, file)).st_size
                    lines.append(f"{size:>14,} {prefix}{shown}")
                if len(lines) > most:
                    return [*lines[:most], "... and more"]
        return lines


def _open_beneath(top: Path, parts: tuple[str, ...]) -> int:
    """Open a file one folder after the other, none of them through a link."""
    folder = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            deeper = os.open(part, flags, dir_fd=folder)
            os.close(folder)
            folder = deeper
        # Not to wait for whoever writes to a pipe.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        return os.open(parts[-1] if parts else ".", flags, dir_fd=folder)
    finally:
        os.close(folder)
