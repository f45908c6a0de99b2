"""Processes that fit models: one thread in each, so that only their number is spread over cores.

On tables of this size that is both the only arrangement whose bytes do not depend on the machine
and the fastest one.
"""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self

import joblib
from joblib.externals.loky import ProcessPoolExecutor

from signatures import KnownTaskError
from solvers.parent import end_with_parent

# What a process that is going to fit imports first.
LIBRARIES = ("lightgbm", "xgboost", "catboost")
# For libraries that ask the environment, when they are loaded, how many threads to start.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


MANAGER = "ExecutorManagerThread"  # what loky calls it


class NoWorkersError(KnownTaskError, RuntimeError):
    """The operating system lets no worker be started."""

    fields = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"No process could be started to fit models in ({reason}); most often /dev/shm is full "
            "or cannot be written to. Mend that, or fit in this process alone with --jobs 1."
        )


def usable_cpus() -> int:
    """Count the CPUs this process may really use: affinity and container quota included."""
    return int(joblib.cpu_count())


def checked(jobs: int) -> int:
    """Return a number of processes that there can be.

    Raises
    ------
    ValueError
        If it is none.
    """
    if jobs < 1:
        msg = f"jobs must be 1 or more, not {jobs}"
        raise ValueError(msg)
    return jobs


class Workers:
    """Processes that start at once, import their libraries meanwhile, and end with the block.

    Parameters
    ----------
    jobs : int
        How many. One means this process itself, and no other is started.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def __enter__(self) -> Self:
        """Start the processes, and do not wait for them.

        Raises
        ------
        NoWorkersError
            If the operating system lets none be started.
        """
        if self.jobs > 1:
            self._start()
        return self

    def _start(self) -> None:
        # Loky ends a worker whose memory has grown, as that of texts does, and starts another.
        warnings.filterwarnings(
            "ignore", "A worker stopped while some jobs were given", UserWarning
        )
        try:
            self._executor = ProcessPoolExecutor(
                self.jobs, env=ONE_THREAD, initializer=get_ready, initargs=(os.getpid(),)
            )
            with _deaf_to_ctrl_c():
                self._executor.submit(os.getpid)  # the first call starts them all
        except OSError as error:
            raise NoWorkersError(error.strerror or str(error)) from error

    def __exit__(self, *error: object) -> None:
        """End the processes, whatever they are at."""
        if self.jobs > 1:
            _let_manager_end_unheard()
            self._executor.shutdown(wait=False, kill_workers=True)

    def restart(self) -> None:
        """Start processes anew, after the pool broke."""
        self.__exit__()
        self._start()

    @property
    def capacity(self) -> int:
        """How many calls to hand over at once: a longer queue could not be dropped at once."""
        return 1 if self.jobs == 1 else self.jobs + 1

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Start a call; with one job, do it here and now. No error is raised here."""
        future: Future[Any] = Future()
        try:
            if self.jobs > 1:
                started: Future[Any] = self._executor.submit(function, *arguments)
                return started
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


def get_ready(parent: int) -> None:
    """Prepare a worker: it must not outlive its parent, and is going to need the libraries."""
    end_with_parent(parent)
    with _without("sklearn"):
        for library in LIBRARIES:
            try:
                import_module(library)
            except ImportError:
                continue  # told of by the fit that needs it


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Let a package seem not to be installed.

    LightGBM and XGBoost import scikit-learn for estimators that we do not use. It takes longer to
    import than all else that a worker needs.
    """
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


def _let_manager_end_unheard() -> None:
    """Keep what loky's thread says at its end from the user: a traceback for work that is gone.

    A pool that ends at once forgets its calls, and the thread may be about to hand one out.
    """
    told = threading.excepthook
    if getattr(told, "without_manager", False):
        return

    def hook(arguments: Any) -> None:
        if arguments.thread is None or arguments.thread.name != MANAGER:
            told(arguments)

    hook.without_manager = True  # type: ignore[attr-defined]
    threading.excepthook = hook


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which a terminal sends to all of them at once.

    Only this process answers it, by ending the others; they would each print a traceback.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
