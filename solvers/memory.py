"""Peak memory of a block of work, over this process and those it started."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

INTERVAL = 0.25  # seconds between two looks; a peak that is shorter may be missed
LOOKS_PER_SEARCH = 4  # to find one's children means to read the whole process table


class Peak:
    """Largest sum of resident sizes seen so far, in MB (10^6 bytes).

    Pages that processes share, such as those of libraries, are counted in each.
    """

    def __init__(self) -> None:
        self.mb = 0.0
        self._processes = [psutil.Process()]
        self._looks = 0

    def look(self) -> None:
        """Measure once."""
        if self._looks % LOOKS_PER_SEARCH == 0:
            own = self._processes[0]
            with suppress(psutil.Error, OSError):  # where the process table may not be read
                self._processes = [own, *own.children(recursive=True)]
        self._looks += 1
        total = 0
        for process in self._processes:
            with suppress(psutil.Error, OSError):  # it has ended since
                total += process.memory_info().rss
        self.mb = max(self.mb, total / 1e6)


@contextmanager
def watched() -> Iterator[Peak]:
    """Measure while the block runs, at its start and at its end."""
    peak, ended = Peak(), threading.Event()
    peak.look()

    def watch() -> None:
        while not ended.wait(INTERVAL):
            peak.look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()
        peak.look()
