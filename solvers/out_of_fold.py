"""Out-of-fold predictions of base models: each row is predicted by models that never saw it."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from solvers.fits import Fit, FitResult, run_fit
from solvers.models import Model
from solvers.seeds import fit_seed
from solvers.target import Array, FoldIndex, Target, n_folds
from solvers.workers import Workers


@dataclass(frozen=True)
class Predictions:
    """One model's (or one blend's) predictions of one target.

    Attributes
    ----------
    oof : ndarray of shape (n_repeats, n_rows, n_outputs)
        For each fold seed, every train row predicted by the model that did not see it.
    test : ndarray of shape (n_repeats, n_test, n_outputs)
        For each fold seed, the mean over its folds' models.
    """

    oof: Array
    test: Array

    @property
    def mean_test(self) -> Array:
        """Mean over fold seeds, (n_test, n_outputs): what is submitted."""
        return np.asarray(self.test.mean(axis=0))


@dataclass(frozen=True)
class FitCost:
    """What one fit cost, for the record."""

    model: str
    target: str
    repeat: int
    fold: int
    seed: int
    cpu_seconds: float


@dataclass(frozen=True)
class BaseModels:
    """All base models' predictions: for each model's name, one `Predictions` per target."""

    predictions: Mapping[str, tuple[Predictions, ...]]
    costs: tuple[FitCost, ...]
    workers_peak_mb: float


def out_of_fold(
    models: Sequence[Model],
    X: pd.DataFrame,
    X_test: pd.DataFrame,
    ys: Sequence[Array],
    targets: Sequence[Target],
    *,
    folds: Sequence[FoldIndex],
    seed: int,
    workers: Workers | None = None,
    on_fit: Callable[[FitResult, int], None] | None = None,
) -> BaseModels:
    """Predict each training row with models that were not fitted on it [1]_.

    Parameters
    ----------
    models : sequence of Model
        Their names differ. Put the slowest first: the last fits to start should be short.
    X, X_test : DataFrames of n_rows and n_test rows
        The same numeric and categorical columns.
    ys : sequence of ndarray of shape (n_rows,)
        One per target: class index, or the target in its own unit for regression.
    folds : sequence of ndarray of shape (n_rows,)
        One per fold seed: the number of the fold that holds each row out.
    workers : Workers, optional
        Processes to fit in; by default this one. The predictions do not depend on it.
    on_fit : function, optional
        Called with each result as it ends, and the number of all fits.

    Raises
    ------
    ValueError
        If a row is held out by no fold, or two models share a name.

    References
    ----------
    .. [1] Wolpert (1992), Stacked generalization, Neural Networks 5(2).
    """
    _check(models, folds)
    fits = [
        Fit(model, target, number, repeat, fold, fit_seed(seed, repeat, fold, number, model.name))
        for model in models
        for repeat, index in enumerate(folds)
        for number, target in enumerate(targets)
        for fold in range(n_folds(index))
    ]
    results = []
    arguments = ((fit, X, X_test, ys[fit.target_number], folds[fit.repeat]) for fit in fits)
    for result in (workers or Workers()).run(run_fit, arguments):
        results.append(result)
        if on_fit is not None:
            on_fit(result, len(fits))
    # Results arrive in any order; sums over folds must not depend on it.
    order = {fit: position for position, fit in enumerate(fits)}
    results.sort(key=lambda result: order[result.fit])
    return BaseModels(
        predictions=MappingProxyType(
            {
                model.name: tuple(
                    _assemble(results, model, number, folds) for number in range(len(targets))
                )
                for model in models
            }
        ),
        costs=tuple(_cost(result) for result in results),
        workers_peak_mb=_workers_peak_mb(results),
    )


def _check(models: Sequence[Model], folds: Sequence[FoldIndex]) -> None:
    if any((index < 0).any() for index in folds):
        msg = "a row is held out by no fold"
        raise ValueError(msg)
    names = [model.name for model in models]
    if len(set(names)) < len(names):
        msg = f"two models share a name: {names}"
        raise ValueError(msg)


def _assemble(
    results: Sequence[FitResult], model: Model, target_number: int, folds: Sequence[FoldIndex]
) -> Predictions:
    """Lay one model's results for one target out by fold seed and row."""
    mine = [r for r in results if r.fit.model == model and r.fit.target_number == target_number]
    n_test, n_outputs = mine[0].test.shape
    oof = np.empty((len(folds), len(folds[0]), n_outputs))
    test = np.zeros((len(folds), n_test, n_outputs))
    for result in mine:
        repeat, fold = result.fit.repeat, result.fit.fold
        oof[repeat, folds[repeat] == fold] = result.valid
        test[repeat] += result.test / n_folds(folds[repeat])
    return Predictions(oof, test)


def _cost(result: FitResult) -> FitCost:
    fit = result.fit
    seconds = round(result.cpu_seconds, 3)
    return FitCost(fit.model.name, fit.target.name, fit.repeat, fit.fold, fit.seed, seconds)


def _workers_peak_mb(results: Sequence[FitResult]) -> float:
    """Sum the other processes' own peaks: no less than their peak together."""
    peaks: dict[int, float] = {}
    for result in results:
        peaks[result.worker] = max(peaks.get(result.worker, 0.0), result.worker_peak_mb)
    peaks.pop(os.getpid(), None)
    return sum(peaks.values())
