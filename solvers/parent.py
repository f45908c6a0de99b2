"""End with one's parent: a process that was killed cannot end those it has started."""

import os
import threading
import time

VARIABLE = "SOLVERS_PARENT"  # tells a command which process started it


def end_with_parent(parent: int) -> None:
    """End this process, from now on, within a second after the process `parent` is gone."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
