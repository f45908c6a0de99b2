"""Models of many classes with few rows each; `Calibrated` makes their odds believable.

All look at rows in discriminant coordinates (`axes`), where one class spreads like another.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from solvers.models.axes import Classes, DiscriminantAxes
from solvers.models.base import Fitted, Quick, as_numbers
from solvers.models.ranges import Range
from solvers.target import Array, Target


def _fitted(scores: Array, known: Classes, target: Target) -> Fitted:
    """Turn scores into probabilities; a class that is absent from the fit has no chance."""
    if target.kind == "regression":
        msg = f"{target.name!r} is a number, and this model tells classes"
        raise ValueError(msg)
    probabilities = np.zeros((len(scores), len(target.labels)))
    probabilities[:, known] = softmax(scores, axis=1)
    return Fitted(probabilities[:, 1:] if target.kind == "binary" else probabilities)


class _ByScores(Quick, ABC):
    """What models of classes have in common: coordinates before their scores, odds after them."""

    axes: DiscriminantAxes

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        points, new, known = self.axes(as_numbers(X)[0], y, as_numbers(X_new)[0])
        if not points.shape[1]:  # nothing tells the classes apart
            return _fitted(np.zeros((len(new), len(known))), known, target)
        scores = self._scores(points, y.astype(np.intp), new, known)
        return _fitted(scores, known, target)

    @abstractmethod
    def _scores(self, points: Array, y: Classes, new: Array, known: Classes) -> Array:
        """Score the rows of `new` for each of the `known` classes, (n_new, n_known)."""


@dataclass(frozen=True)
class ClassKernel(_ByScores):
    """Kernel ridge regression of each class's indicator, in discriminant coordinates [1]_.

    Attributes
    ----------
    gamma : float
        Of the Gaussian kernel, over the number of coordinates.
    noise : float
        The ridge.

    References
    ----------
    .. [1] Rifkin and Klautau (2004), In defense of one-vs-all classification, Journal of Machine
       Learning Research 5.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "gamma": Range(0.01, 3.0, log=True),
            "noise": Range(0.001, 1.0, log=True),
        }
    )

    gamma: float = 0.3
    noise: float = 0.1
    axes: DiscriminantAxes = field(default_factory=DiscriminantAxes)
    name: str = "kernel"

    def _scores(self, points: Array, y: Classes, new: Array, known: Classes) -> Array:
        gamma = self.gamma / points.shape[1]
        kernel = rbf_kernel(points, points, gamma=gamma)
        kernel[np.diag_indices_from(kernel)] += self.noise
        own = np.equal.outer(y, known) - 1 / len(known)
        # Between 0 and 1, or nearly: ten times that are odds which a temperature can mend.
        weights = np.linalg.solve(kernel, own)
        return np.asarray(10 * rbf_kernel(new, points, gamma=gamma) @ weights)


@dataclass(frozen=True)
class ClassDuels(_ByScores):
    """Support vectors [1]_ between each two classes; a class is as good as its worst duel.

    Votes, the usual way to sum duels up, give the second best class nearly the best one's score,
    however clear the case. The worst duel of the best class is won, and of all others lost.

    Attributes
    ----------
    C : float
        What one row may pull.
    gamma : float
        Of the Gaussian kernel, over the number of coordinates.

    References
    ----------
    .. [1] Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "C": Range(0.1, 100.0, log=True),
            "gamma": Range(0.01, 3.0, log=True),
        }
    )

    C: float = 10.0
    gamma: float = 0.3
    axes: DiscriminantAxes = field(default_factory=DiscriminantAxes)
    name: str = "duels"

    def _scores(self, points: Array, y: Classes, new: Array, known: Classes) -> Array:
        model: Any = SVC(
            C=self.C, kernel="rbf", gamma=self.gamma / points.shape[1], tol=1e-3, shrinking=True,
            cache_size=200, max_iter=-1, decision_function_shape="ovo", break_ties=False,
            class_weight=None,
        )  # fmt: skip
        return worst_duel(model.fit(points, y).decision_function(new), len(known))


def worst_duel(duels: Array, n_classes: int) -> Array:
    """Give each class's worst duel, from those of (0, 1), (0, 2) ... in favour of the first."""
    if n_classes == 2:  # scikit-learn gives one column, in favour of the second
        duels = -duels.reshape(-1, 1)
    worst = np.full((len(duels), n_classes), np.inf)
    for duel, (first, second) in zip(duels.T, combinations(range(n_classes), 2), strict=True):
        worst[:, first] = np.minimum(worst[:, first], duel)
        worst[:, second] = np.minimum(worst[:, second], -duel)
    return worst
