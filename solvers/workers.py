"""Processes that fit models: one thread in each, so that only their number is spread over cores.

On tables of this size that is both the only arrangement whose bytes do not depend on the machine
and the fastest one.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, Self

import joblib
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import BrokenProcessPool

from signatures import KnownTaskError

# What a process that is going to fit imports first.
LIBRARIES = ("lightgbm", "xgboost", "catboost")
# For libraries that ask the environment, when they are loaded, how many threads to start.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class WorkerLostError(KnownTaskError, RuntimeError):
    """The operating system ended a worker."""

    fields = ("jobs",)

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        super().__init__(
            f"A process that was fitting a model was ended from outside, with {jobs} at work; most "
            "often memory ran out. Nothing was kept. Try again with a smaller --jobs."
        )


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
            try:
                self._executor = ProcessPoolExecutor(
                    self.jobs, env=ONE_THREAD, initializer=get_ready, initargs=(os.getpid(),)
                )
                with _deaf_to_ctrl_c():
                    self._executor.submit(os.getpid)  # the first call starts them all
            except OSError as error:
                raise NoWorkersError(error.strerror or str(error)) from error
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes, whatever they are at."""
        if self.jobs > 1:
            self._executor.shutdown(wait=False, kill_workers=True)

    def run(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[Any]:
        """Call a function for each tuple of arguments and yield results as they come, in any order.

        Raises
        ------
        WorkerLostError
            If the operating system kills a worker.
        """
        if self.jobs == 1:
            yield from (function(*words) for words in arguments)
            return
        waiting = iter(arguments)
        running: set[Future[Any]] = set()
        try:
            while True:
                # A few calls ahead and no more: a queue of them could not be dropped at once.
                for words in islice(waiting, self.jobs + 1 - len(running)):
                    running.add(self._executor.submit(function, *words))
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        except BrokenProcessPool as error:
            raise WorkerLostError(self.jobs) from error


def get_ready(parent: int) -> None:
    """Prepare a worker: it must not outlive its parent, and is going to need the libraries."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
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


def _end_with(parent: int) -> None:
    """End this process once its parent is gone; one that was killed cannot end its workers."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


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
