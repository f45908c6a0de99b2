"""Errors as the command line shows them: one sentence on stderr and an exit code."""

import errno
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from signatures import (
    BundleError,
    KnownTaskError,
    MissingDependencyError,
    RunFolderError,
    TaskRejectedError,
    UnknownTaskError,
)
from solvers.cli.printing import print_json
from solvers.cli.settings import SettingsError, VariableError
from solvers.draft import DraftError

# What the operating system refuses for reasons outside the program. A file that is not there, for
# one, is none of them: after the checks of the input it would be a bug, and bugs surface.
REFUSALS = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EROFS,
        errno.EACCES,
        errno.EPERM,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.EPIPE,
    }
)


@contextmanager
def errors_as_sentences(as_json: bool) -> Iterator[None]:
    """Turn what a user can act on into one sentence and an exit code; leave bugs alone."""
    try:
        with _stopped_by_signals():
            yield
    except UnknownTaskError as error:
        _fail(error, 3, as_json)
    except (TaskRejectedError, BundleError) as error:
        _fail(error, 4, as_json)
    except (RunFolderError, SettingsError, VariableError, DraftError) as error:
        _fail(error, 2, as_json)
    except KnownTaskError as error:
        _fail(error, 1, as_json)
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        _fail(error, 1, as_json, _os_sentence(error))
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in {"", "signatures", "solvers"}:
            raise
        _fail(MissingDependencyError(library), 1, as_json)
    except MemoryError as error:
        _fail(error, 1, as_json, "Memory ran out. Free some, or use a smaller --jobs.")
    except _Stopped as error:
        _fail(error, 128 + error.number, as_json, f"Stopped by {error.number.name}.")
    except KeyboardInterrupt as error:
        _fail(error, 130, as_json, "Interrupted.")


@contextmanager
def done(sentence: str) -> Iterator[None]:
    """Say what is done all the same, if it cannot be printed."""
    try:
        yield
    except OSError as error:
        error.add_note(f"It was about to be printed. {sentence}")
        raise


class _Stopped(KeyboardInterrupt):
    """A signal that is to be cleaned up after as Ctrl-C is."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__()
        self.number = number


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP from a terminal that is closed, stop the block as Ctrl-C does."""

    def stop(number: int, frame: Any) -> NoReturn:
        raise _Stopped(signal.Signals(number))

    # A signal that is ignored, as nohup does with one, stays so.
    heard = [
        n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is not signal.SIG_IGN
    ]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _os_sentence(error: OSError) -> str:
    where = f" at {error.filename}" if error.filename else ""
    reason = error.strerror or str(error)
    return f"The operating system refused{where}: {reason}. Mend that."


def _fail(error: BaseException, code: int, as_json: bool, sentence: str = "") -> NoReturn:
    """Say what happened and what was kept of the work, and end with an exit code."""
    notes = getattr(error, "__notes__", [])
    message = " ".join([sentence or str(error), *notes])
    # Plain text: Rich would take "[age]" for markup.
    typer.echo(f"solvers: {message}", err=True)
    if as_json:
        kind = type(error).__name__.removeprefix("_")
        print_json({"error": kind, "message": message, "exit_code": code})
    raise typer.Exit(code)
