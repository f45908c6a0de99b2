"""Models that choose what an inner model is given."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from solvers.models.base import Fitted, Learned, Wrapper, through
from solvers.target import Array, Target


@dataclass(frozen=True)
class WithoutRows(Wrapper):
    """Fits an inner model without the rows whose `column` is above `above`; predicts them all.

    What is left out goes by features, never by the label, and no row is kept from being scored.
    """

    column: str
    above: float

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        kept = ~X[self.column].gt(self.above).to_numpy()
        return self.inner.fit_predict(X[kept], y[kept], X_new, target=target, seed=seed)


@dataclass(frozen=True)
class AsCodes(Wrapper):
    """Shows an inner model the codes of categories as numbers, in their declared order."""

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        seen, new = (_with_codes(table) for table in (X, X_new))
        fitted = self.inner.fit_predict(seen, y, new, target=target, seed=seed)
        return replace(fitted, learned=through(fitted.learned, _of_codes))


def _of_codes(inner: Learned, X: pd.DataFrame) -> Array:
    return inner(_with_codes(X))


def _with_codes(table: pd.DataFrame) -> pd.DataFrame:
    """A missing category is -1."""
    words = [c for c in table if isinstance(table[c].dtype, pd.CategoricalDtype)]
    return table.assign(**{str(c): table[c].cat.codes.astype("float64") for c in words})


@dataclass(frozen=True)
class WithoutColumns(Wrapper):
    """A model that does not see some of the features."""

    hidden: tuple[str, ...]

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; what is hidden has no share of the importance."""
        seen = [name for name in X.columns if name not in self.hidden]
        fitted = self.inner.fit_predict(X[seen], y, X_new[seen], target=target, seed=seed)
        fitted = replace(fitted, learned=through(fitted.learned, of_columns, names=seen))
        if fitted.importance is None:
            return fitted
        importance = np.zeros(X.shape[1])
        importance[X.columns.isin(seen)] = fitted.importance
        return replace(fitted, importance=importance)


def of_columns(inner: Learned, X: pd.DataFrame, *, names: list[str]) -> Array:
    """Show what was learned the columns that it was learned from."""
    return inner(X[names])
