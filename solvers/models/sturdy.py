"""Fits that a library would refuse: a class that is not there, features that do not vary."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.models.base import Fitted, Wrapper, constant, is_text
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
            return Fitted(constant(y, len(X_new), target))
        old, new = X.loc[:, varies], X_new.loc[:, varies]
        fitted = self._fit(old, y, new, target, seed)
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
        predictions = np.zeros((len(X_new), len(target.labels)))
        predictions[:, present] = fewer.of_each_class(fitted.predictions)
        return replace(fitted, predictions=predictions)


def _varies(column: pd.Series) -> bool:
    """A gap is a value too, and texts are taken to differ."""
    return is_text(column) or len(column.unique()) > 1
