"""XGBoost as a base model."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import pandas as pd

from solvers.models.base import Boosted, Fitted, as_numbers, columns, library, shares
from solvers.models.ranges import Range
from solvers.target import Array, Target


@dataclass(frozen=True)
class XGBoost(Boosted):
    """XGBoost [1]_ with histograms, single-threaded.

    References
    ----------
    .. [1] Chen and Guestrin (2016), XGBoost: A Scalable Tree Boosting System, KDD.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "rounds": Range(50, 1000, log=True),
            "learning_rate": Range(0.01, 0.3, log=True),
            "max_depth": Range(2, 10),
            "max_leaves": Range(4, 128, log=True),
            "min_child_weight": Range(0.5, 50.0, log=True),
            "subsample": Range(0.4, 1.0),
            "colsample_bynode": Range(0.1, 1.0),
            "reg_lambda": Range(0.1, 30.0, log=True),
        }
    )

    rounds: int = 300
    learning_rate: float = 0.05
    grow_policy: str = "depthwise"
    max_depth: int = 6
    max_leaves: int = 0
    min_child_weight: float = 1.0
    subsample: float = 1.0
    colsample_bytree: float = 1.0
    colsample_bynode: float = 1.0
    reg_alpha: float = 0.0
    reg_lambda: float = 1.0
    gamma: float = 0.0
    name: str = "xgboost"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        booster = library("xgboost").train(
            self._params(X, target, seed), _matrix(X, y), num_boost_round=self.rounds
        )
        learned = partial(_predict, booster)
        # Nameless columns are called f0, f1, ... there; unused ones are left out.
        gains = booster.get_score(importance_type="total_gain")
        return Fitted(
            learned(X_new),
            rounds=booster.num_boosted_rounds(),
            importance=shares([gains.get(f"f{column}", 0.0) for column in range(X.shape[1])]),
            learned=learned,
        )

    def _params(self, X: pd.DataFrame, target: Target, seed: int) -> dict[str, Any]:
        objective = {
            "binary": "binary:logistic",
            "multiclass": "multi:softprob",
            "regression": "reg:squarederror",
        }
        params: dict[str, Any] = {
            "objective": objective[target.kind],
            "booster": "gbtree",
            "tree_method": "hist",
            "grow_policy": self.grow_policy,
            "eta": self.learning_rate,
            "max_depth": self.max_depth,
            "max_leaves": self.max_leaves,
            "min_child_weight": self.min_child_weight,
            "subsample": self.subsample,
            "sampling_method": "uniform",
            "colsample_bytree": self.colsample_bytree,
            "colsample_bynode": self.colsample_bynode,
            "alpha": self.reg_alpha,
            "lambda": self.reg_lambda,
            "gamma": self.gamma,
            "colsample_bylevel": 1.0,
            "max_delta_step": 0.0,
            "max_cat_threshold": 64,
            "monotone_constraints": tuple(self.directions(X)),
            "max_bin": 256,
            "max_cat_to_onehot": 4,
            "verbosity": 0,
            "device": "cpu",
            "nthread": 1,
            "seed": seed,
        }
        if target.kind == "multiclass":
            params["num_class"] = len(target.labels)
        return params


def _matrix(rows: pd.DataFrame, y: Array | None = None) -> Any:
    values, categorical = as_numbers(rows)
    types = ["c" if column in categorical else "q" for column in range(values.shape[1])]
    return library("xgboost").DMatrix(
        values, y, feature_types=types, enable_categorical=True, nthread=1
    )


def _predict(booster: Any, X: pd.DataFrame) -> Array:
    return columns(booster.predict(_matrix(X)))
