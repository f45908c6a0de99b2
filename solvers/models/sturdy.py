"""Fits that a library would refuse: a class that is not there, features that do not vary."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.models.base import Fitted, Learned, Wrapper, constant, is_text, through
from solvers.models.wrappers import of_columns
from solvers.target import Array, Target


@dataclass(frozen=True)
class Sturdy(Wrapper):
    """Fits an inner model to what there is to be learned, however little that is.

    Features that do not vary among the rows are left out. Of classes that are absent from the fit
    the inner model hears nothing, and none is predicted. Where nothing is left to learn from, the
    mean, or each class's share, is predicted.
    """

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        varies = np.array([_varies(X[name]) for name in X.columns], dtype=bool)
        if not varies.any() or (y == y[0]).all():
            learned = partial(_constant, constant(y, 1, target))
            return Fitted(learned(X_new), learned=learned)
        old, new = X.loc[:, varies], X_new.loc[:, varies]
        fitted = self._fit(old, y, new, target, seed)
        names = list(old.columns)
        fitted = replace(fitted, learned=through(fitted.learned, of_columns, names=names))
        if fitted.importance is None:
            return fitted
        importance = np.zeros(X.shape[1])
        importance[varies] = fitted.importance
        return replace(fitted, importance=importance)

    def _fit(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, target: Target, seed: int
    ) -> Fitted:
        """Number the classes that are there, and give the others no chance."""
        present: npt.NDArray[np.intp] = np.unique(y).astype(np.intp)
        if target.kind != "multiclass" or len(present) == len(target.labels):
            return self.inner.fit_predict(X, y, X_new, target=target, seed=seed)
        fewer = replace(target, labels=tuple(target.labels[index] for index in present))
        found = np.searchsorted(present, y).astype(np.float64)
        fitted = self.inner.fit_predict(X, found, X_new, target=fewer, seed=seed)
        classes = _Classes(present, fewer, target)
        return replace(
            fitted,
            predictions=classes.laid_out(fitted.predictions),
            learned=through(fitted.learned, classes.of),
        )


def _constant(row: Array, X: pd.DataFrame) -> Array:
    return np.tile(row, (len(X), 1))


@dataclass(frozen=True)
class _Classes:
    """The classes that are `present` in a fit, which are `fewer` than the target's."""

    present: npt.NDArray[np.intp]
    fewer: Target
    target: Target

    def laid_out(self, predictions: Array) -> Array:
        """Give the absent ones no chance."""
        of_all = np.zeros((len(predictions), len(self.target.labels)))
        of_all[:, self.present] = self.fewer.of_each_class(predictions)
        return of_all

    def of(self, inner: Learned, X: pd.DataFrame) -> Array:
        """Predict by what was learned of those that are there."""
        return self.laid_out(inner(X))


def _varies(column: pd.Series) -> bool:
    """A gap is a value too, and texts are taken to differ."""
    return is_text(column) or len(column.unique()) > 1
