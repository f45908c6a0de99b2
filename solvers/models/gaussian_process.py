"""Gaussian processes whose kernel is declared: a sum of terms, each over a few features."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.linalg import cho_factor, cho_solve

from solvers.models.base import Fitted, Quick, columns
from solvers.target import Array, Target


@dataclass(frozen=True)
class Smooth:
    """Alike where a number is: nearly so within a `length`, hardly beyond two."""

    column: str
    length: float

    def __call__(self, a: Array, b: Array) -> Array:
        """Return the kernel of shape (n_a, n_b)."""
        return np.asarray(np.exp(-0.5 * (np.subtract.outer(a, b) / self.length) ** 2))


@dataclass(frozen=True)
class Rough:
    """Alike where a number is, less with each step away: a walk that is drawn to its mean."""

    column: str
    length: float

    def __call__(self, a: Array, b: Array) -> Array:
        """Return the kernel of shape (n_a, n_b)."""
        return np.asarray(np.exp(-np.abs(np.subtract.outer(a, b)) / self.length))


Factor = Smooth | Rough


@dataclass(frozen=True)
class Term:
    """A product of factors: rows have to be alike in all of them.

    `variance` is how much of the target it may explain, as against other terms and the noise.
    """

    variance: float
    factors: tuple[Factor, ...]


@dataclass(frozen=True)
class GaussianProcess(Quick):
    """The mean of a Gaussian process [1]_ with a constant, the declared terms, and noise.

    One process is fitted for each value of the column `by`, around its mean. A declared kernel says
    what is known of the domain and is not fitted, so nothing is searched. Numbers count in their
    own units, and none may be missing. In rehearsal it is itself: it knows no rounds.

    Attributes
    ----------
    terms : tuple of Term
        They are added.
    noise : float
        Variance of what no feature tells. Only the ratios of variances matter; the constant's is 1.
    by : str
        A column of X; rows of its other values tell nothing.

    References
    ----------
    .. [1] Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, 2.2; kernels of
       sums and products: 4.2 and 5.4.3; predictions without a row: equation 5.12.
    """

    terms: tuple[Term, ...]
    noise: float
    by: str
    name: str = "gaussian_process"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; a value of `by` that has no rows gets the mean of all."""
        new = np.full(len(X_new), y.mean())
        key_new = X_new[self.by].to_numpy(dtype=np.float64)
        for value, rows in self._groups(X):
            asked, centre = key_new == value, y[rows].mean()
            factor = cho_factor(self._with_noise(X.iloc[rows]), lower=True)
            weights = cho_solve(factor, y[rows] - centre)
            new[asked] = self._kernel(X_new.loc[asked], X.iloc[rows]) @ weights + centre
        return Fitted(columns(new))

    def left_out(self, X: pd.DataFrame, y: Array) -> Array:
        """Predict each row by a fit without it, in closed form; the mean is that of all rows."""
        told = np.full(len(y), y.mean())
        for _, rows in self._groups(X):
            inverse = np.linalg.inv(self._with_noise(X.iloc[rows]))
            errors = inverse @ (y[rows] - y[rows].mean()) / np.diag(inverse)
            told[rows] = y[rows] - errors
        return told

    def _groups(self, X: pd.DataFrame) -> Iterator[tuple[float, npt.NDArray[np.intp]]]:
        key = X[self.by].to_numpy(dtype=np.float64)
        for value in np.unique(key):
            yield float(value), np.flatnonzero(key == value)

    def _with_noise(self, X: pd.DataFrame) -> Array:
        kernel = self._kernel(X, X)
        kernel[np.diag_indices_from(kernel)] += self.noise
        return kernel

    def _kernel(self, A: pd.DataFrame, B: pd.DataFrame) -> Array:
        """Add a constant of variance 1 and the terms."""
        kernel = np.ones((len(A), len(B)))
        for term in self.terms:
            product = np.full_like(kernel, term.variance)
            for factor in term.factors:
                a, b = (side[factor.column].to_numpy(dtype=np.float64) for side in (A, B))
                product *= factor(a, b)
            kernel += product
        return kernel
