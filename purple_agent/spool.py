"""Files that have arrived with a request and belong to no task yet."""

import base64
import hashlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from purple_agent.removal import remove


class NoRoomError(Exception):
    """All files that are arriving are too large together."""


@dataclass(frozen=True)
class Arrived:
    """A file that has arrived: where it lies, its size and its SHA-256."""

    path: Path
    size: int
    sha256: str


class Spool:
    """Keeps files that have arrived, each under a word that only this process knows.

    Parameters
    ----------
    folder : Path
        Where they lie; what an earlier process left there is removed.
    most : int
        Bytes that all of them together may take.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self._left = folder, most
        self._files: dict[bytes, Arrived] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.iterdir():
            remove(left)

    def begin(self) -> "Writing":
        """Begin a file."""
        word = f"file {secrets.token_hex(16)}".encode()
        return Writing(self, word, self.folder / word.decode().partition(" ")[2])

    def take(self, size: int) -> None:
        """Take room for so many bytes; give it back by a negative number.

        Raises
        ------
        NoRoomError
            If there is not so much.
        """
        if size > self._left:
            raise NoRoomError
        self._left -= size

    def keep(self, word: bytes, file: Arrived) -> None:
        """Keep a file that has arrived as a whole."""
        self._files[word] = file

    def find(self, word: bytes) -> Arrived | None:
        """Return the file that a word stands for, if it stands for one."""
        return self._files.get(word)

    def hand_over(self, word: bytes, path: Path) -> Arrived:
        """Move a file to the task that it belongs to; its room is free from now on."""
        file = self._files[word]
        os.replace(file.path, path)
        del self._files[word]
        self.take(-file.size)
        return replace(file, path=path)

    @contextmanager
    def passing(self) -> Iterator[Callable[[int], None]]:
        """Count bytes that arrive elsewhere, by the function given, as long as the block lasts."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            self.take(size)
            taken += size

        try:
            yield take
        finally:
            self.take(-taken)

    def forget(self, words: Iterable[bytes]) -> None:
        """Remove the files of a request, but for those that were handed over to a task."""
        for word in words:
            if file := self._files.pop(word, None):
                file.path.unlink(missing_ok=True)
                self.take(-file.size)


class Writing:
    """One file while it arrives."""

    def __init__(self, spool: Spool, word: bytes, path: Path) -> None:
        self.word = word
        self._spool, self._path = spool, path
        self._stream = path.open("xb")
        self._digest = hashlib.sha256()
        self._size = 0

    def write(self, data: bytes) -> None:
        """Take the next bytes."""
        self._spool.take(len(data))
        self._size += len(data)
        self._stream.write(data)
        self._digest.update(data)

    def close(self) -> bytes:
        """Keep the file; return the word that stands for it, as the protocol spells bytes."""
        self._stream.close()
        self._spool.keep(self.word, Arrived(self._path, self._size, self._digest.hexdigest()))
        return base64.b64encode(self.word)

    def abandon(self) -> None:
        """Remove the file, unless it has arrived as a whole."""
        with suppress(OSError):
            self._stream.close()
        if self._spool.find(self.word) is None:
            self._path.unlink(missing_ok=True)
            self._spool.take(-self._size)


def stored(data: bytes, path: Path) -> Arrived:
    """Write bytes that are in memory."""
    with path.open("xb") as stream:
        stream.write(data)
        os.fsync(stream.fileno())
    return Arrived(path, len(data), hashlib.sha256(data).hexdigest())
