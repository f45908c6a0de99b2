"""Run fits in parallel: one thread inside a fit, processes over fits.

On tables of this size that is both the only arrangement whose bytes do not depend on the machine
and the fastest one.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import BrokenProcessPool
from threadpoolctl import threadpool_limits

from signatures import KnownTaskError
from solvers.folds import FoldIndex
from solvers.memory import peak_mb
from solvers.models import Model
from solvers.target import Array, Target


class WorkerLostError(KnownTaskError, RuntimeError):
    """The operating system ended a fit's process."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self.jobs = jobs

    def __str__(self) -> str:
        """Say what happened and what to do."""
        return (
            f"A process that was fitting a model was ended from outside, with {self.jobs} at work; "
            "most often memory ran out. Nothing was kept. Try again with a smaller --jobs."
        )


@dataclass(frozen=True)
class Fit:
    """One model to be fitted on all rows but one fold's, for one target."""

    model: Model
    target: Target
    target_number: int
    repeat: int
    fold: int
    seed: int


@dataclass(frozen=True)
class FitResult:
    """What a fit predicts, and what it cost."""

    fit: Fit
    valid: Array = field(repr=False)
    test: Array = field(repr=False)
    cpu_seconds: float
    worker: int
    worker_peak_mb: float


def usable_cpus() -> int:
    """CPUs this process may really use: affinity and container quota included."""
    return int(joblib.cpu_count())


def run_fits(
    fits: Sequence[Fit],
    X: pd.DataFrame,
    X_test: pd.DataFrame,
    ys: Sequence[Array],
    folds: Sequence[FoldIndex],
    *,
    jobs: int,
) -> Iterator[FitResult]:
    """Run fits in `jobs` processes and yield each result as it ends, in any order.

    Parameters
    ----------
    ys : sequence of ndarray of shape (n_rows,)
        One per target.
    folds : sequence of ndarray of shape (n_rows,)
        One per fold seed: the number of the fold that holds each row out.

    Raises
    ------
    WorkerLostError
        If the operating system kills a worker.
    """
    with joblib.parallel_config(backend="loky", inner_max_num_threads=1):
        # Rows are sent by value: a memory map would need a temp folder with room in it.
        parallel = joblib.Parallel(
            n_jobs=jobs, batch_size=1, max_nbytes=None, return_as="generator_unordered"
        )
        calls = (
            joblib.delayed(run_fit)(fit, X, X_test, ys[fit.target_number], folds[fit.repeat])
            for fit in fits
        )
        try:
            with _workers_deaf_to_ctrl_c():
                results = parallel(calls)
            yield from results
        except BrokenProcessPool as error:
            raise WorkerLostError(jobs) from error
        except BaseException:
            # Without this, workers would finish what they are at before anyone may stop.
            get_reusable_executor().shutdown(wait=False, kill_workers=True)
            raise


@contextmanager
def _workers_deaf_to_ctrl_c() -> Iterator[None]:
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


def run_fit(
    fit: Fit, X: pd.DataFrame, X_test: pd.DataFrame, y: Array, fold_of_row: FoldIndex
) -> FitResult:
    """Fit on the rows outside the fold; predict the fold's rows and the test's."""
    valid = fold_of_row == fit.fold
    X_new = pd.concat([X.loc[valid], X_test], ignore_index=True)
    started = time.process_time()
    with threadpool_limits(1):
        predictions = fit.model.fit_predict(
            X.loc[~valid], y[~valid], X_new, target=fit.target, seed=fit.seed
        )
    n_valid = int(np.count_nonzero(valid))
    return FitResult(
        fit=fit,
        valid=predictions[:n_valid],
        test=predictions[n_valid:],
        cpu_seconds=time.process_time() - started,
        worker=os.getpid(),
        worker_peak_mb=peak_mb(),
    )
