"""Watches what a sandbox uses: the limits that a machine's kernel does not keep by itself.

What cannot be counted is an excess. Not seen is a file without a name that no process holds open:
one that is on its way through a socket.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from purple_agent.removal import remove, run
from purple_agent.sandbox.limits import MB, THREADS_PER_PROCESS, Limits

INTERVAL = 0.2  # seconds between two looks
ROOM = 0.9  # of the disk, at most, is still in use after room was made
LOOKS_PER_WALK = 3  # to measure the work folder takes longer than to read the process table
DEEPEST, LONGEST = 64, 2000  # folders in one another, and bytes of a path: no more are looked into
PASSES, AT_ONCE = 5, 100  # over what was hidden, and how much of it at one time
PATIENCE = 5  # walks: a process that is just ending cannot be looked into either
IN_MEMORY = "/memfd:"  # how a file that lies in memory is called
NO_FILES = ("/dev/", "/SYSV")  # memory that processes share, by the names it has


class Held(NamedTuple):
    """What processes hold that has no name: bytes on disk and in memory; and who hides it."""

    disk: int = 0
    memory: int = 0
    hiding: frozenset[int] = frozenset()


class Watch:
    """Measures a tree of processes and the folders they write to, and says what is too much.

    Parameters
    ----------
    pid : int
        The process above all others.
    work, sockets : Path
        The folders that can be written to; no other lies on the disk.
    skipped : Path
        A folder in one of them that is not counted.
    """

    def __init__(
        self, pid: int, work: Path, sockets: Path, limits: Limits, *, skipped: Path
    ) -> None:
        self._top = psutil.Process(pid)
        self._work = work
        self._sockets = sockets
        self._limits = limits
        self._skipped = skipped
        self._looks = 0
        self._hiding: dict[int, int] = {}  # processes that cannot be looked into, and for how long
        self._hidden: list[Path] = []  # folders whose files could not be counted

    def tree(self) -> list[psutil.Process]:
        """Return all processes of the sandbox that are alive."""
        with suppress(psutil.Error):
            return [self._top, *self._top.children(recursive=True)]
        return []

    def look(self) -> str:
        """Measure once; return what was exceeded, or an empty string."""
        walk = self._looks % LOOKS_PER_WALK == 0
        self._looks += 1
        tree = self.tree()
        if not walk:
            return self._processes(tree) or self._memory(tree)
        held = _held(tree)
        self._hiding = {pid: self._hiding.get(pid, 0) + 1 for pid in held.hiding}
        if max(self._hiding.values(), default=0) > PATIENCE:
            return "one of its processes hides which files it has open"
        return self._processes(tree) or self._memory(tree, held.memory) or self._disk(held.disk)

    def _processes(self, tree: list[psutil.Process]) -> str:
        most = self._limits.processes
        # The walls themselves are two processes above the kernel.
        if len(tree) > most + 2:
            return f"it started {len(tree):,} processes, and {most:,} are allowed"
        threads = sum(_number(process, psutil.Process.num_threads) for process in tree)
        if threads > most * THREADS_PER_PROCESS:
            return f"it started {threads:,} threads, too many for {most:,} processes"
        return ""

    def _memory(self, tree: list[psutil.Process], held: int = 0) -> str:
        most = self._limits.memory_mb * MB
        # Quick to read, but pages that processes share count in each: too much may be enough.
        if sum(_number(process, _resident) for process in tree) + held <= most:
            return ""
        used = sum(_number(process, _proportional) for process in tree) + held
        if used <= most:
            return ""
        return f"it used {used // MB:,} MB of memory, and {most // MB:,} MB are allowed"

    def _disk(self, held: int = 0, share: float = 1.0) -> str:
        used, files = held, 0
        for _, status in self.written():
            used, files = used + status.st_blocks * 512, files + 1
        if self._hidden:
            return f"what it wrote to {self._hidden[0].name[:60]!r} cannot be counted"
        if used > self._limits.disk_mb * MB * share:
            return f"it wrote {used // MB:,} MB, and {self._limits.disk_mb:,} MB are allowed"
        if files > self._limits.files * share:
            return f"it made {files:,} files, and {self._limits.files:,} are allowed"
        return ""

    def written(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield each file and folder that was made; links are not followed.

        Folders that cannot be looked into are remembered.
        """
        self._hidden = []
        folders = [(top, 0) for top in (self._work, self._sockets)]
        while folders:
            folder, depth = folders.pop()
            far = depth >= DEEPEST or len(os.fsencode(folder)) > LONGEST
            try:
                with os.scandir(folder) as entries:
                    found = [Path(entry.path) for entry in entries]
                for path in found:
                    with suppress(FileNotFoundError):  # it has gone since
                        status = os.lstat(path)
                        if path == self._skipped:
                            continue
                        yield path, status
                        if stat.S_ISDIR(status.st_mode) and far:
                            self._hidden.append(path)
                        elif stat.S_ISDIR(status.st_mode):
                            folders.append((path, depth + 1))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                self._hidden.append(folder)

    def make_room(self) -> list[str]:
        """Remove what could not be counted, and the newest files and folders until there is room.

        Returns
        -------
        list of str
            The names of what was removed.
        """
        removed = self._uncover()
        if self._disk(share=ROOM):
            for folder in (self._work, self._sockets):  # nothing is removed from a closed folder
                run("chmod", "-R", "u+rwX", "--", str(folder))
        while self._disk(share=ROOM) and (newest := self._remove_newest()):
            removed += newest
        return removed

    def _remove_newest(self) -> list[str]:
        """Remove the newest tenth of what was made; folders once they are empty."""
        made = sorted(self.written(), key=lambda entry: entry[1].st_mtime_ns, reverse=True)
        removed: list[str] = []
        for path, status in made:
            if len(removed) > len(made) // 10:
                break
            with suppress(OSError):  # it holds something, or has gone since
                if stat.S_ISDIR(status.st_mode):
                    path.rmdir()
                else:
                    path.unlink()
                removed.append(path.name)
        return removed

    def _uncover(self) -> list[str]:
        """Remove the folders that could not be looked into; those that have to stay are opened."""
        removed = []
        for _ in range(PASSES):
            for _ in self.written():
                pass
            if not self._hidden:
                break
            for folder in (self._work, self._sockets):
                with suppress(OSError):
                    folder.chmod(0o700)
            hidden = [path for path in self._hidden if path not in (self._work, self._sockets)]
            for start in range(0, len(hidden), AT_ONCE):
                remove(*hidden[start : start + AT_ONCE])
            removed += [path.name for path in hidden]
        return removed


def _held(tree: Sequence[psutil.Process]) -> Held:
    """Measure the files without a name that processes have open or in their memory."""
    disk: dict[int, int] = {}  # by inode: several processes may hold one
    memory: dict[int, int] = {}
    hiding = set()
    for process in tree:
        try:
            _open_files(process.pid, disk, memory)
            _mapped_files(process.pid, disk)
        except PermissionError:
            with suppress(psutil.Error):
                if process.status() != psutil.STATUS_ZOMBIE:
                    hiding.add(process.pid)
        except OSError:  # it has ended since
            continue
    return Held(sum(disk.values()), sum(memory.values()), frozenset(hiding))


def _open_files(pid: int, disk: dict[int, int], memory: dict[int, int]) -> None:
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):  # it was closed since
            status = os.stat(f"{folder}/{name}")
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                link = os.readlink(f"{folder}/{name}")
                files = memory if link.startswith(IN_MEMORY) else disk
                files[status.st_ino] = status.st_blocks * 512


def _mapped_files(pid: int, disk: dict[int, int]) -> None:
    """Add files that are closed and still mapped, by what is mapped of them."""
    known = set(disk)
    with open(f"/proc/{pid}/maps", errors="replace") as lines:
        for line in lines:
            if not line.endswith(" (deleted)\n"):
                continue
            between, _, offset, _, inode, name = line.split(maxsplit=5)
            if int(inode) not in known and not name.startswith((IN_MEMORY, *NO_FILES)):
                start, end = (int(number, 16) for number in between.split("-"))
                size = int(offset, 16) + end - start
                disk[int(inode)] = max(size, disk.get(int(inode), 0))


def _resident(process: psutil.Process) -> int:
    return int(process.memory_info().rss)


def _proportional(process: psutil.Process) -> int:
    """Count shared pages once, divided among those who share them, where that may be read."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.AccessDenied, AttributeError):
        return _resident(process)


def _number(process: psutil.Process, measure: Callable[[psutil.Process], int]) -> int:
    """Measure a process; one that has ended since uses nothing."""
    with suppress(psutil.Error, OSError):
        return int(measure(process))
    return 0
