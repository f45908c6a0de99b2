"""Honest scores over fold seeds, and the choice between two blends by what is more than noise."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from signatures import Metric
from solvers.fits import Fit, FitResult
from solvers.log import FitEnd, Log
from solvers.metrics import score
from solvers.out_of_fold import Predictions
from solvers.prediction_columns import AVERAGE, STACK
from solvers.target import Array, FoldIndex, Target, n_folds


@dataclass(frozen=True)
class Score:
    """Mean and standard error over fold seeds; the error is None for a single seed."""

    mean: float
    sem: float | None
    per_seed: tuple[float, ...]


@dataclass(frozen=True)
class Choice:
    """Which blend is used, and why: the stack's gain on rows its meta-model did not see."""

    used: str
    gain: float
    error: float
    reason: str


def over_seeds(
    metric: Metric,
    targets: Sequence[Target],
    ys: Sequence[Array],
    predictions: Sequence[Predictions],
    folds: Sequence[FoldIndex],
) -> Score:
    """Score out-of-fold predictions for each fold seed; mean and standard error over them."""
    n_repeats = len(folds)
    values = [
        _on(metric, targets, ys, predictions, repeat, index >= 0)
        for repeat, index in enumerate(folds)
    ]
    sem = float(np.std(values, ddof=1) / np.sqrt(n_repeats)) if n_repeats > 1 else None
    return Score(float(np.mean(values)), sem, tuple(values))


@dataclass(frozen=True)
class Gain:
    """By how much one blend is better than another, and the error of that."""

    gain: float
    error: float

    @property
    def is_more_than_noise(self) -> bool:
        """Whether it exceeds two of its errors."""
        return self.gain > 2 * self.error

    def over(self, other: str, metric: Metric) -> str:
        """Say ``better than `other` by 0.00100 ± 0.00200 in accuracy``."""
        way = "better" if self.gain > 0 else "worse"
        return f"{way} than {other} by {abs(self.gain):.5f} ± {self.error:.5f} in {metric.name}"


def gain_over(
    metric: Metric,
    targets: Sequence[Target],
    ys: Sequence[Array],
    new: Sequence[Predictions],
    old: Sequence[Predictions],
    folds: Sequence[FoldIndex],
) -> Gain:
    """Compare two blends' out-of-fold predictions on the same folds.

    The gain is the difference of the two mean scores. Its error comes from the differences fold by
    fold, in pairs. Folds share most of their training rows, so the plain standard error of the
    differences is too small; the corrected one [1]_ is used.

    References
    ----------
    .. [1] Nadeau and Bengio (2003), Inference for the Generalization Error, Machine Learning 52.
    """
    sign = 1.0 if metric.higher_is_better else -1.0
    means = [over_seeds(metric, targets, ys, blend, folds).mean for blend in (new, old)]
    differences = [
        _on(metric, targets, ys, new, repeat, valid) - _on(metric, targets, ys, old, repeat, valid)
        for repeat, fold_of_row in enumerate(folds)
        for valid in (fold_of_row == fold for fold in range(n_folds(fold_of_row)))
        if can_be_scored(metric, [y[valid] for y in ys])
    ]
    spread = 1 / max(1, len(differences)) + 1 / (n_folds(folds[0]) - 1)
    error = float(np.sqrt(spread * np.var(differences, ddof=1))) if len(differences) > 1 else 0.0
    return Gain(sign * (means[0] - means[1]), error)


def choose(
    metric: Metric,
    targets: Sequence[Target],
    ys: Sequence[Array],
    averaged: Sequence[Predictions],
    stacked: Sequence[Predictions],
    folds: Sequence[FoldIndex],
) -> Choice:
    """Use the stack only where it beats the plain average by more than noise."""
    gain = gain_over(metric, targets, ys, stacked, averaged, folds)
    used = STACK if gain.is_more_than_noise else AVERAGE
    reason = (
        f"The stack is {gain.over('the plain average', metric)}, on rows its meta-model did not "
        f"see: {'a' if used == STACK else 'no'} gain of more than two errors, so {used} is used."
    )
    return Choice(used, gain.gain, gain.error, reason)


def _on(
    metric: Metric,
    targets: Sequence[Target],
    ys: Sequence[Array],
    predictions: Sequence[Predictions],
    repeat: int,
    rows: npt.NDArray[np.bool_],
) -> float:
    """Score one fold seed's predictions on some rows."""
    return score(metric, targets, [y[rows] for y in ys], [p.oof[repeat, rows] for p in predictions])


def can_be_scored(metric: Metric, ys: Sequence[Array]) -> bool:
    """Tell whether rows have a score: not if there are none, nor ranks if all are of one class."""
    return all(len(y) > 0 and (metric.name != "auc" or len(set(y)) > 1) for y in ys)


class Retries:
    """Logs fits that are tried again, and no others."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def fit_ends(self, result: FitResult, total: int) -> None:
        """Say nothing."""

    def fit_failed(self, arguments: tuple[Any, ...], error: BaseException) -> None:
        """Log why a fit is tried again."""
        fit, reason = str(arguments[0]), f"{type(error).__name__}: {error}"
        self._log.event(logging.WARNING, "fit failed, tried again", fit=fit, reason=reason)


class RunningScores(Retries):
    """Logs each fit, and tells a watcher its model's mean score over the folds that have ended."""

    def __init__(
        self, log: Log, metric: Metric, ys: Sequence[Array], folds: Sequence[FoldIndex]
    ) -> None:
        super().__init__(log)
        self._metric = metric
        self._ys = ys
        self._folds = folds
        self._scores: dict[str, list[float]] = defaultdict(list)
        self._done = 0

    def fit_ends(self, result: FitResult, total: int) -> None:
        """Score the fold that has just been predicted."""
        fit = result.fit
        valid = self._folds[fit.repeat] == fit.fold
        y = self._ys[fit.target_number][valid]
        scores = self._scores[fit.model.name]
        value = self._score(fit, y, result.valid)
        scores += [] if value is None else [value]
        self._done += 1
        self._log.event(logging.DEBUG, "fit", **result.facts(), score=value)
        if self._log.watcher is not None:
            self._log.watcher.fit_ends(
                FitEnd(
                    model=fit.model.name,
                    done=self._done,
                    total=total,
                    cpu_seconds=result.cpu_seconds,
                    score=float(np.mean(scores)) if scores else None,
                )
            )

    def _score(self, fit: Fit, y: Array, predictions: Array) -> float | None:
        """Score one fold, if it can be."""
        if not can_be_scored(self._metric, [y]):
            return None
        return score(self._metric, [fit.target], [y], [predictions])
