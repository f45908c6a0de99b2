"""Out-of-fold predictions of base models: each row is predicted by models that never saw it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd

from signatures import KnownTaskError
from solvers.calls import CallFailedError, Calls
from solvers.checkpoints import Checkpoints, find
from solvers.fits import Fit, FitJob, FitResult, run_fit
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
        For each fold seed, every train row predicted by the model that did not see it; NaN where
        no fold holds it out.
    test : ndarray of shape (n_repeats, n_test, n_outputs)
        For each fold seed, the mean over its folds' models, or the last one's of ordered folds.
    """

    oof: Array
    test: Array

    @property
    def mean_test(self) -> Array:
        """Mean over fold seeds, (n_test, n_outputs): what is submitted."""
        return np.asarray(self.test.mean(axis=0))


@dataclass(frozen=True)
class BaseModels:
    """All base models' predictions: for each model's name, one `Predictions` per target."""

    predictions: Mapping[str, tuple[Predictions, ...]]
    results: tuple[FitResult, ...]


class FitWatcher(Protocol):
    """Told of fits."""

    def fit_ends(self, result: FitResult, total: int) -> None:
        """One of `total` fits has ended."""

    def fit_failed(self, arguments: tuple[Any, ...], error: BaseException) -> None:
        """The fit of a `FitJob` failed, and is going to be tried once more."""


class FitFailedError(KnownTaskError, RuntimeError):
    """A fit failed twice; the cause is the error of the second time."""

    fields = ("fit", "reason")

    def __init__(self, fit: str, reason: str) -> None:
        self.fit, self.reason = fit, reason
        super().__init__(
            f"Fitting {fit}, failed twice: {reason}. The run stops: no model is left out."
        )


def out_of_fold(
    models: Sequence[Model],
    X: pd.DataFrame,
    X_test: pd.DataFrame,
    ys: Sequence[Array],
    targets: Sequence[Target],
    *,
    folds: Sequence[FoldIndex],
    seed: int,
    ordered: bool = False,
    workers: Workers | None = None,
    checkpoints: Checkpoints | None = None,
    watcher: FitWatcher | None = None,
    keep: bool = False,
) -> BaseModels:
    """Predict each training row with models that were not fitted on it [1]_.

    Parameters
    ----------
    models : sequence of Model
        Their names differ. Put the slowest first: the last fits to start should be short.
    X, X_test : DataFrames of n_rows and n_test rows
        The same numeric and categorical columns.
    ys : sequence of ndarray of shape (n_rows,)
        One per target: class index, or the target in its own unit for regression; or of shape
        (n_rows, n_parts), numbers that add up to it and are predicted apart.
    folds : sequence of ndarray of shape (n_rows,)
        One per fold seed: the number of the fold that holds each row out.
    ordered : bool
        Whether folds follow each other in time: each is predicted from earlier ones and from the
        rows that none holds out (-1), the test from all rows. Else from all other folds, and the
        test by the mean over folds.
    workers : Workers, optional
        Processes to fit in; by default this one. The predictions do not depend on it.
    checkpoints : Checkpoints, optional
        Where finished fits are kept, and found again.
    watcher : FitWatcher, optional
        Told of each fit as it ends, and of each that is tried again.
    keep : bool
        Whether to keep what fits have learned, for rows that are to be predicted later.

    Raises
    ------
    ValueError
        If a row is held out by no fold, or two models share a name.
    FitFailedError
        If a fit fails twice.

    References
    ----------
    .. [1] Wolpert (1992), Stacked generalization, Neural Networks 5(2).
    """
    _check(models, folds, ordered=ordered)
    fits = [
        Fit(
            model, target, number, repeat, fold,
            seed=fit_seed(seed, repeat, fold, number, model.name), ordered=ordered,
        )
        for model in models
        for repeat, index in enumerate(folds)
        for number, target in enumerate(targets)
        for fold in range(n_folds(index) + ordered)
    ]  # fmt: skip
    jobs = [FitJob(fit, X, X_test, ys[fit.target_number], folds[fit.repeat], keep) for fit in fits]
    results = []
    for result in _results(jobs, workers or Workers(), checkpoints, watcher):
        results.append(result)
        if watcher is not None:
            watcher.fit_ends(result, len(fits))
    # Results arrive in any order; sums over folds must not depend on it.
    order = {fit: position for position, fit in enumerate(fits)}
    results.sort(key=lambda result: order[result.fit])
    return BaseModels(
        predictions={
            model.name: tuple(
                assemble(results, model, number, folds) for number in range(len(targets))
            )
            for model in models
        },
        results=tuple(results),
    )


def _results(
    jobs: Sequence[FitJob],
    workers: Workers,
    checkpoints: Checkpoints | None,
    watcher: FitWatcher | None,
) -> Iterator[FitResult]:
    """Yield the fits that were kept, then the others as they end; keep these."""
    names = {} if checkpoints is None else checkpoints.names(jobs)
    kept = {fit: found for fit, path in names.items() if (found := find(path, fit)) is not None}
    yield from kept.values()
    calls = Calls(workers, run_fit, None if watcher is None else watcher.fit_failed)
    try:
        for result, attempts in calls.run(job for job in jobs if job.fit not in kept):
            done = replace(result, attempts=attempts)
            if checkpoints is not None:
                checkpoints.save(names[done.fit], done)
            yield done
    except CallFailedError as error:
        raise FitFailedError(str(error.arguments[0]), error.reason) from error.__cause__


def _check(models: Sequence[Model], folds: Sequence[FoldIndex], *, ordered: bool) -> None:
    if not ordered and any((index < 0).any() for index in folds):
        msg = "a row is held out by no fold"
        raise ValueError(msg)
    names = [model.name for model in models]
    if len(set(names)) < len(names):
        msg = f"two models share a name: {names}"
        raise ValueError(msg)


def assemble(
    results: Sequence[FitResult], model: Model, target_number: int, folds: Sequence[FoldIndex]
) -> Predictions:
    """Lay one model's results for one target out by fold seed and row."""
    mine = [r for r in results if r.fit.model == model and r.fit.target_number == target_number]
    n_test, n_outputs = mine[0].test.shape
    oof = np.full((len(folds), len(folds[0]), n_outputs), np.nan)
    test = np.zeros((len(folds), n_test, n_outputs))
    for result in mine:
        fit = result.fit
        oof[fit.repeat, folds[fit.repeat] == fit.fold] = result.valid
        if not fit.ordered:
            test[fit.repeat] += result.test / n_folds(folds[fit.repeat])
        elif fit.fold == n_folds(folds[fit.repeat]):
            test[fit.repeat] = result.test
    return Predictions(oof, test)
