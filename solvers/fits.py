"""One fit: a base model fitted on all rows but one fold's, and what it predicts for the others."""

import os
import time
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from solvers.environment import peak_mb
from solvers.models import Model
from solvers.target import Array, FoldIndex, Target


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
