"""Features as points for models of distances and sums: scaled, one-hot, nothing missing."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from solvers.target import Array

FAR = 5.0  # deviations from the mean, beyond which a value says no more


@dataclass(frozen=True)
class Dense:
    """Turns features into standardised numbers without gaps, as linear and kernel models need.

    Attributes
    ----------
    skew : float
        Numbers that are never negative and more skewed than this are replaced by ``log(1 + x)``,
        where that is less skewed. `log1p` may differ in its last bit from machine to machine.
    rare : int
        A category in fewer training rows than this has no column of its own.
    clip : float
        Standardised values are held within this many deviations of the mean.
    weight : float
        One-hot columns are multiplied by it, so that kernels see fewer differences in words.
    """

    skew: float = 0.75
    rare: int = 5
    clip: float = 6.0
    weight: float = 0.5

    def __call__(self, X: pd.DataFrame, X_new: pd.DataFrame) -> tuple[Array, Array]:
        """Learn scales and categories from `X` alone; turn both into arrays."""
        pairs = []
        for name in X.columns:
            if isinstance(X[name].dtype, pd.CategoricalDtype):
                pairs.append(self._one_hot(X[name], X_new[name]))
            else:
                pairs.append(self._number(X[name], X_new[name]))
        return np.hstack([old for old, _ in pairs]), np.hstack([new for _, new in pairs])

    def _one_hot(self, x: pd.Series, x_new: pd.Series) -> tuple[Array, Array]:
        """One column for each category that is common enough among the training rows."""
        codes, codes_new = x.cat.codes.to_numpy(), x_new.cat.codes.to_numpy()
        known = [c for c in range(len(x.cat.categories)) if (codes == c).sum() >= self.rare]
        pair = (np.equal.outer(c, known).astype(np.float64) for c in (codes, codes_new))
        old, new = self._standard(*pair)
        return np.asarray(old * self.weight), np.asarray(new * self.weight)

    def _number(self, x: pd.Series, x_new: pd.Series) -> tuple[Array, Array]:
        """One column, its skew taken out; a missing value counts as the mean."""
        old, new = (s.to_numpy(dtype=np.float64, na_value=np.nan) for s in (x, x_new))
        if (old[np.isfinite(old)] >= 0).all() and skewness(old) > self.skew:
            logs = np.log1p(old)
            if abs(skewness(logs)) < skewness(old):
                old, new = logs, np.log1p(np.maximum(new, 0.0))
        return self._standard(old.reshape(-1, 1), new.reshape(-1, 1))

    def _standard(self, old: Array, new: Array) -> tuple[Array, Array]:
        """Mean 0 and deviation 1 over the training rows."""
        return standardised(old, new, far=self.clip)


def standardised(old: Array, new: Array, far: float = FAR) -> tuple[Array, Array]:
    """Give both on the scale of `old`: columns of mean 0 and deviation 1 there, held within `far`.

    What is missing counts as the mean; a column that is missing altogether is 0.
    """
    there = np.isfinite(old)
    n = np.maximum(there.sum(axis=0), 1)
    centre = np.where(there, old, 0.0).sum(axis=0) / n
    scale = np.sqrt(np.where(there, (old - centre) ** 2, 0.0).sum(axis=0) / n)
    scale = np.where(scale > 0, scale, 1.0)
    first, second = (
        np.clip(np.nan_to_num((table - centre) / scale, nan=0.0), -far, far) for table in (old, new)
    )
    return first, second


def skewness(values: Array) -> float:
    """Third standardised moment of what is known; 0 for a constant."""
    known = values[~np.isnan(values)]
    scale = known.std() if len(known) else 0.0
    return float(np.mean(((known - known.mean()) / scale) ** 3)) if scale > 0 else 0.0
