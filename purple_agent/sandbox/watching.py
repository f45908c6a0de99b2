"""Watches what a sandbox uses: the limits that a machine's kernel does not keep by itself."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from purple_agent.sandbox.limits import MB, THREADS_PER_PROCESS, Limits

INTERVAL = 0.2  # seconds between two looks
ROOM = 0.9  # of the disk, at most, is still in use after room was made
LOOKS_PER_WALK = 3  # to measure the work folder takes longer than to read the process table


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
        return self._processes(tree) or self._memory(tree) or (self._disk() if walk else "")

    def _processes(self, tree: list[psutil.Process]) -> str:
        most = self._limits.processes
        # The walls themselves are two processes above the kernel.
        if len(tree) > most + 2:
            return f"it started {len(tree):,} processes, and {most:,} are allowed"
        threads = sum(_number(process, psutil.Process.num_threads) for process in tree)
        if threads > most * THREADS_PER_PROCESS:
            return f"it started {threads:,} threads, too many for {most:,} processes"
        return ""

    def _memory(self, tree: list[psutil.Process]) -> str:
        most = self._limits.memory_mb * MB
        # Quick to read, but pages that processes share count in each: too much may be enough.
        if sum(_number(process, _resident) for process in tree) <= most:
            return ""
        used = sum(_number(process, _proportional) for process in tree)
        if used <= most:
            return ""
        return f"it used {used // MB:,} MB of memory, and {most // MB:,} MB are allowed"

    def _disk(self, share: float = 1.0) -> str:
        used, files = 0, 0
        for _, stat in self.written():
            used, files = used + stat.st_blocks * 512, files + 1
        if used > self._limits.disk_mb * MB * share:
            return f"it wrote {used // MB:,} MB, and {self._limits.disk_mb:,} MB are allowed"
        if files > self._limits.files * share:
            return f"it made {files:,} files, and {self._limits.files:,} are allowed"
        return ""

    def written(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield each file and folder that was made; links are not followed."""
        for top in (self._work, self._sockets):
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if Path(folder, name) != self._skipped]
                for name in (*names, *folders):
                    with suppress(OSError):  # it has gone since
                        yield Path(folder, name), os.lstat(os.path.join(folder, name))

    def make_room(self) -> list[str]:
        """Remove the newest files until there is room again; return their names."""
        removed = []
        files = sorted(
            (entry for entry in self.written() if not os.path.isdir(entry[0])),
            key=lambda entry: entry[1].st_mtime,
        )
        while files and self._disk(ROOM):
            for path, _ in files[-max(1, len(files) // 10) :]:
                path.unlink(missing_ok=True)
                removed.append(path.name)
            del files[-max(1, len(files) // 10) :]
        return removed


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
