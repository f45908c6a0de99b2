"""Numbers as broken lines, so that a linear model bends where they do."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from solvers.models.base import Fitted, Learned, Wrapper, through
from solvers.target import Array, Target


@dataclass(frozen=True)
class BrokenLines(Wrapper):
    """Shows an inner linear model each number as hat functions, so that it fits broken lines [1]_.

    The line may break at quantiles of the fitted rows' different values, so that a frequent value
    does not take all knots. Beyond the outer knots it is flat. A missing number has no hat.

    Attributes
    ----------
    knots : int
        Where a line may break or end; 2 at least.

    References
    ----------
    .. [1] Hastie, Tibshirani and Friedman (2009), The elements of statistical learning, 5.2 and
       9.1.
    """

    knots: int = 5

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; a number's hats are not told apart in the importance, so there is none."""
        lines = {
            str(name): at
            for name in X.columns
            if pd.api.types.is_numeric_dtype(X[name].dtype)
            and len(at := knots(X[name].to_numpy(dtype=np.float64, na_value=np.nan), self.knots))
        }
        seen, new = (_drawn(table, lines) for table in (X, X_new))
        fitted = self.inner.fit_predict(seen, y, new, target=target, seed=seed)
        learned = through(fitted.learned, _of_lines, lines=lines)
        return replace(fitted, importance=None, learned=learned)


def _of_lines(inner: Learned, X: pd.DataFrame, *, lines: dict[str, Array]) -> Array:
    return inner(_drawn(X, lines))


def knots(values: Array, n: int) -> Array:
    """Give quantiles of the different values, which are fewer where there are few."""
    different = np.unique(values[np.isfinite(values)])
    return np.unique(np.quantile(different, np.linspace(0, 1, n))) if len(different) else different


def hats(values: Array, at: Array) -> Array:
    """Give each knot's hat function, of shape (n_values, n_knots): 1 there, 0 at its neighbours.

    Examples
    --------
    >>> hats(np.array([0.0, 2.5, 9.0]), np.array([0.0, 2.0, 4.0])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.75, 0.25], [0.0, 0.0, 1.0]]
    """
    told = np.column_stack([np.interp(values, at, peak) for peak in np.eye(len(at))])
    return np.nan_to_num(told, nan=0.0)


def _drawn(table: pd.DataFrame, lines: dict[str, Array]) -> pd.DataFrame:
    """Put hats in the place of numbers; a number without a known value is left out."""
    rest = table.select_dtypes(exclude="number")
    drawn = {
        f"{name} {number}": column
        for name, at in lines.items()
        for number, column in enumerate(
            hats(table[name].to_numpy(dtype=np.float64, na_value=np.nan), at).T
        )
    }
    return pd.concat([rest, pd.DataFrame(drawn, index=table.index)], axis=1)
