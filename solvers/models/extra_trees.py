"""Extremely randomised trees as a base model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from solvers.models.base import Fitted, as_numbers
from solvers.models.ranges import Range
from solvers.target import Array, Target


@dataclass(frozen=True)
class ExtraTrees:
    """Extremely randomised trees [1]_ of scikit-learn, single-threaded; they take no categories.

    References
    ----------
    .. [1] Geurts, Ernst and Wehenkel (2006), Extremely randomized trees, Machine Learning 63.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "min_samples_leaf": Range(1, 100, log=True),
            "max_features": Range(0.1, 1.0),
        }
    )

    trees: int = 150
    min_samples_leaf: int = 15
    max_features: float = 0.4
    name: str = "extra_trees"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; a class that is absent from the fit has no chance."""
        values, categorical = as_numbers(X)
        if categorical:
            msg = f"{self.name} takes no categories, and {X.columns[categorical[0]]!r} is one"
            raise TypeError(msg)
        forest = self._forest(target, seed)
        forest.fit(values, y if target.kind == "regression" else y.astype(np.intp))
        learned = partial(_predict, forest, target)
        importance = np.asarray(forest.feature_importances_)
        return Fitted(learned(X_new), importance=importance, learned=learned)

    def rehearsal(self, work: float) -> Self:
        """Grow fewer trees."""
        return replace(self, trees=max(1, round(self.trees * work)))

    def _forest(self, target: Target, seed: int) -> Any:
        shared: dict[str, Any] = {
            "n_estimators": self.trees,
            "min_samples_leaf": self.min_samples_leaf,
            "max_features": self.max_features,
            "max_depth": None,
            "bootstrap": False,
            "random_state": seed,
            "n_jobs": 1,
        }
        if target.kind == "regression":
            return ExtraTreesRegressor(criterion="squared_error", **shared)
        return ExtraTreesClassifier(criterion="gini", class_weight=None, **shared)


def _predict(forest: Any, target: Target, X: pd.DataFrame) -> Array:
    values = as_numbers(X)[0]
    if target.kind == "regression":
        return np.asarray(forest.predict(values).reshape(-1, 1))
    predictions = np.zeros((len(values), len(target.labels)))
    predictions[:, forest.classes_] = forest.predict_proba(values)
    return predictions[:, 1:] if target.kind == "binary" else predictions
