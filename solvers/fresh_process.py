"""One of our commands in a process of its own, which shares nothing with this one but the disk."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from solvers.parent import VARIABLE

# Seconds that a child has to clean up when the work is being stopped. They bound no work.
_SIGNALLED_TOO = 2.0
_TERMINATED = 15.0


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes
    ----------
    code : int
        Its exit code; for one that a signal killed 128 and the signal's number, as in a shell.
    answer : dict
        The JSON object that it printed; empty if it printed none.
    message : str
        Why it failed, in its own words where it had any.
    """

    code: int
    answer: dict[str, Any]
    message: str


def run(words: Sequence[str], *, progress: bool) -> Ended:
    """Run ``solvers`` with `words`, to its end; its stderr goes to this process's, or nowhere.

    Whatever stops the waiting, such as Ctrl-C, stops the command first.
    """
    # No setting but those in `words`; -P, so that no module in the working directory takes the
    # place of a library.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SOLVERS_")}
    environment["SOLVERS_CONFIG"] = ""  # nor the user's own file
    environment[VARIABLE] = str(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "solvers.cli", *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=None if progress else subprocess.DEVNULL, env=environment, text=True,
    ) as process:  # fmt: skip
        try:
            text, _ = process.communicate()
        except BaseException:
            _stop(process)
            raise
    return _ended(words[0], process.returncode, text)


def _stop(process: "subprocess.Popen[str]") -> None:
    """Let it end by itself, for a terminal's Ctrl-C reaches it too; else tell it, else kill it."""
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SIGNALLED_TOO)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TERMINATED)
    finally:
        # Whoever presses Ctrl-C again does not want to wait. Nothing happens to what has ended.
        process.kill()
        process.wait()


def _ended(command: str, code: int, text: str) -> Ended:
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    answer = answer if isinstance(answer, dict) else {}
    if code < 0:
        return Ended(128 - code, answer, f"killed by {signal.Signals(-code).name}")
    message = str(answer.get("message", f"solvers {command} ended with exit code {code}"))
    return Ended(code, answer, message)
