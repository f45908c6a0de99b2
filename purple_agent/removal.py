"""Remove what others have made, however deep: Python itself goes down a thousand folders."""

import os
import subprocess
from pathlib import Path


def remove(*paths: Path) -> None:
    """Remove files and folders with all that is in them; what cannot be removed stays."""
    names = [str(path) for path in paths if os.path.lexists(path)]
    if names:
        run("rm", "-rf", "--", *names)
    closed = [name for name in names if os.path.lexists(name) and not os.path.islink(name)]
    if closed:
        run("chmod", "-R", "u+rwX", "--", *closed)
        run("rm", "-rf", "--", *closed)


def run(*command: str) -> None:
    """Run a program that goes as deep into folders as they were made."""
    subprocess.run(command, check=False, capture_output=True, stdin=subprocess.DEVNULL)
