"""The command line.

It imports nothing heavy before a command needs it: ``match`` and ``list`` answer at once.
"""

import os
import signal
import sys

from solvers.parent import VARIABLE, end_with_parent

USAGE = 2


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is shown by its number, and is no reason to fail.
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if parent := os.environ.pop(VARIABLE, ""):
        end_with_parent(int(parent))
    try:
        os.getcwd()
        from solvers.cli.commands import app

        app()
    except SystemExit as end:
        if end.code == USAGE and "--json" in sys.argv[1:]:
            _one_object()
        raise
    except FileNotFoundError as error:
        if error.filename is not None:
            raise
        _give_up("The working directory is not there any more. Change to another.", 1)
    except OSError as error:
        # Before a command, which answers for itself, has begun; a stdout that is full, for one.
        _give_up(f"The operating system refused: {error.strerror}.", 1)
    except KeyboardInterrupt:
        _give_up("Interrupted.", 130)
    finally:
        # It is ending. A signal now would kill it before it gave its semaphores back to the system,
        # and a tracker of theirs would warn of that.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def _one_object() -> None:
    """Keep the promise of one JSON object where the command line itself could not be read."""
    from solvers.cli.printing import PRINTED, print_json

    if not PRINTED:
        message = "The command line or the settings cannot be used; stderr says why."
        print_json({"error": "UsageError", "message": message, "exit_code": USAGE})


def _give_up(sentence: str, code: int) -> None:
    sys.stderr.write(f"solvers: {sentence}\n")
    sys.exit(code)
