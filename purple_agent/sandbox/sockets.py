"""The folder of a kernel's sockets; one whose owner was killed is removed by the next owner."""

import fcntl
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from purple_agent.removal import remove

PREFIX = "purple-kernel-"
YOUNG = 60.0  # seconds in which a folder may be made and not yet be locked


class SocketFolder:
    """A folder that is locked as long as its owner lives, however that ends.

    Its path has to be short: 107 bytes with the name of a socket.
    """

    def __init__(self) -> None:
        _remove_stale()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def remove(self) -> None:
        """Remove it; once more does nothing."""
        remove(self.path)
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1


def _remove_stale() -> None:
    """Remove this user's folders that nobody holds a lock on."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # it has gone, or is held
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                status = os.fstat(folder)
                if status.st_uid == os.geteuid() and time.time() - status.st_mtime > YOUNG:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove(path)
            finally:
                os.close(folder)
