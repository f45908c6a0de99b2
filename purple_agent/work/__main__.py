"""Work on the task in a folder: ``python -m purple_agent.work FOLDER``."""

import fcntl
import os
import sys
import traceback
from pathlib import Path

from purple_agent.task_folder import TaskFolder
from purple_agent.work.routes import work
from purple_agent.work.telling import Telling
from solvers.parent import VARIABLE, end_with_parent

UNEXPECTED = "The work on this task went wrong in an unexpected way. What was done is kept."


def main(path: Path) -> None:
    """Work, and tell how it went; a traceback goes to the task's log only."""
    if parent := os.environ.pop(VARIABLE, ""):
        end_with_parent(int(parent))
    folder = TaskFolder(path)
    telling = Telling(folder)
    with folder.lock.open("w") as lock:
        # A worker of the service before this one has a second to notice that it is gone.
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            work(folder, folder.order(), telling)
        except Exception:
            traceback.print_exc()
            telling.tell("failed", UNEXPECTED)
            sys.exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
