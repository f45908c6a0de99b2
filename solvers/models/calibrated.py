"""Probabilities made believable by one number, the temperature, learned inside each fit."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

from solvers.models.base import Fitted, Learned, Wrapper, through
from solvers.pool import cautious
from solvers.target import Array, Target

FAINTEST = 1e-300  # a probability that still has a logarithm


@dataclass(frozen=True)
class Calibrated(Wrapper):
    """Scales an inner model's log probabilities by what held-out rows say [1]_.

    Rows of the fit are predicted by inner fits that do not see them; the scale is the one that
    these predictions score best with, thought to be wrong once more than they are (`cautious`).

    Attributes
    ----------
    folds : int
        Into how many the rows of a fit are cut. A class of one row cannot be told without that
        row, which is then left out of account.

    References
    ----------
    .. [1] Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, ICML.
    """

    folds: int = 4

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        classes = y.astype(np.intp)
        fold_of_row = dealt(classes, self.folds, seed)
        logs = np.full((len(y), len(target.labels)), np.nan)
        told = np.zeros(len(y), dtype=bool)
        for fold in range(self.folds):
            held, seen = fold_of_row == fold, fold_of_row != fold
            inner = self.inner.fit_predict(X[seen], y[seen], X[held], target=target, seed=seed)
            logs[held] = _logs(inner.predictions)
            told[held] = np.isin(classes[held], classes[seen])
        scale = best_scale(logs[told], classes[told])
        fitted = self.inner.fit_predict(X, y, X_new, target=target, seed=seed)
        return replace(
            fitted,
            predictions=_scaled(fitted.predictions, scale, target),
            learned=through(fitted.learned, _learned, scale=scale, target=target),
        )


def _learned(inner: Learned, X: pd.DataFrame, *, scale: float, target: Target) -> Array:
    return _scaled(inner(X), scale, target)


def _scaled(predictions: Array, scale: float, target: Target) -> Array:
    scaled = np.asarray(softmax(scale * _logs(predictions), axis=1))
    return scaled[:, 1:] if target.kind == "binary" else scaled


def _logs(predictions: Array) -> Array:
    """Give the logarithm of each class's probability."""
    if predictions.shape[1] == 1:
        predictions = np.hstack([1 - predictions, predictions])
    return np.asarray(np.log(np.maximum(predictions, FAINTEST)))


def dealt(classes: npt.NDArray[np.intp], n_folds: int, seed: int) -> npt.NDArray[np.intp]:
    """Deal shuffled rows out to folds class by class, so that each fold has its part of each."""
    order = np.random.default_rng(seed).permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    fold_of_row = np.empty(len(classes), dtype=np.intp)
    fold_of_row[order] = np.arange(len(classes)) % n_folds
    return fold_of_row


def best_scale(logs: Array, classes: npt.NDArray[np.intp]) -> float:
    """Find the factor of log probabilities whose cautious loss is least; 1 where no row tells."""
    if len(classes) == 0:
        return 1.0
    shares = cautious(logs, classes)

    def loss(exponent: float) -> float:
        return float(-(shares * log_softmax(np.exp(exponent) * logs, axis=1)).sum(axis=1).mean())

    found = minimize_scalar(loss, bounds=(-6.0, 6.0), method="bounded", options={"xatol": 1e-5})
    return float(np.exp(found.x))
