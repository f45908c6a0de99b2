"""Kernel models: smooth functions of all features at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.linalg import cho_factor, cho_solve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVR

from solvers.models.base import Fitted, Quick, as_numbers, columns
from solvers.models.dense import Dense, standardised
from solvers.models.ranges import Range
from solvers.target import Array, Target


@dataclass(frozen=True)
class KernelRidge(Quick):
    """The mean of a Gaussian process [1]_: a constant, a linear and a Gaussian kernel, and noise.

    The target is standardised for it. In rehearsal it is itself: it knows no rounds.

    References
    ----------
    .. [1] Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, 2.2.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "gamma": Range(0.0001, 1.0, log=True),
            "linear": Range(0.00001, 0.1, log=True),
            "noise": Range(0.001, 1.0, log=True),
        }
    )

    gamma: float
    linear: float
    noise: float
    dense: Dense = field(default_factory=Dense)
    name: str = "kernel_ridge"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        points, new = self.dense(X, X_new)
        centre, scale = y.mean(), y.std() or 1.0
        kernel = self._kernel(points, points)
        kernel[np.diag_indices_from(kernel)] += self.noise
        weights = cho_solve(cho_factor(kernel, lower=True), (y - centre) / scale)
        return Fitted(columns(self._kernel(new, points) @ weights * scale + centre))

    def _kernel(self, a: Array, b: Array) -> Array:
        return np.asarray(rbf_kernel(a, b, gamma=self.gamma) + self.linear * (a @ b.T) + 1.0)


@dataclass(frozen=True)
class SupportVectors(Quick):
    """Support vector regression [1]_ with a Gaussian kernel; errors under `epsilon` are free.

    One row pulls at most `C`, however wrong: outliers are held. The target is standardised for
    it. In rehearsal it is itself: it knows no rounds.

    References
    ----------
    .. [1] Smola and Schoelkopf (2004), A tutorial on support vector regression, Statistics and
       Computing 14.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "C": Range(0.1, 30.0, log=True),
            "epsilon": Range(0.001, 0.5, log=True),
            "gamma": Range(0.0001, 1.0, log=True),
        }
    )

    C: float
    epsilon: float
    gamma: float
    dense: Dense = field(default_factory=Dense)
    name: str = "support_vectors"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        points, new = self.dense(X, X_new)
        centre, scale = y.mean(), y.std() or 1.0
        model = SVR(
            kernel="rbf", C=self.C, epsilon=self.epsilon, gamma=self.gamma, tol=1e-4,
            shrinking=True, cache_size=200, max_iter=-1,
        )  # fmt: skip
        model.fit(points, (y - centre) / scale)
        return Fitted(columns(model.predict(new) * scale + centre))


@dataclass(frozen=True)
class KernelLogistic(Quick):
    """Kernel ridge regression of the class, squeezed to a probability, for two classes.

    Standardised features, none missing; `gamma` is the Gaussian kernel's, small for smooth.
    Least squares on 0 and 1 ranks rows as well as a likelihood does, and is solved in one step;
    a logistic regression of its leave-one-out predictions makes probabilities of them.

    References
    ----------
    .. [1] Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, equation 5.12.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "alpha": Range(0.01, 100.0, log=True),
            "gamma": Range(0.0001, 1.0, log=True),
        }
    )

    alpha: float = 1.0
    gamma: float = 0.003
    name: str = "kernel"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        values, new = standardised(as_numbers(X)[0], as_numbers(X_new)[0])
        middle = y.mean()
        kernel = rbf_kernel(values, values, gamma=self.gamma)
        inverse = np.linalg.inv(kernel + self.alpha * np.eye(len(y)))
        weights = inverse @ (y - middle)
        # What a fit without a row would say of it, in closed form [1]_.
        left_out = y - middle - weights / np.diag(inverse)
        squeeze = LogisticRegression(C=1e6, solver="lbfgs", tol=1e-8, max_iter=2000)
        told = rbf_kernel(new, values, gamma=self.gamma) @ weights
        squeeze.fit(left_out.reshape(-1, 1), y.astype(np.intp))
        return Fitted(columns(squeeze.predict_proba(told.reshape(-1, 1))[:, 1]))
