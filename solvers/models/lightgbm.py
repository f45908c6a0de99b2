"""LightGBM as a base model."""

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
class LightGBM(Boosted):
    """LightGBM [1]_, row-wise and single-threaded.

    References
    ----------
    .. [1] Ke et al. (2017), LightGBM: A Highly Efficient Gradient Boosting
       Decision Tree, NeurIPS 30.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "rounds": Range(50, 1000, log=True),
            "learning_rate": Range(0.01, 0.3, log=True),
            "num_leaves": Range(4, 128, log=True),
            "min_data_in_leaf": Range(5, 200, log=True),
            "feature_fraction": Range(0.2, 1.0),
            "bagging_fraction": Range(0.5, 1.0),
            "lambda_l2": Range(0.0, 20.0),
        }
    )

    rounds: int = 300
    learning_rate: float = 0.05
    num_leaves: int = 31
    min_data_in_leaf: int = 20
    feature_fraction: float = 1.0
    bagging_fraction: float = 1.0
    lambda_l1: float = 0.0
    lambda_l2: float = 0.0
    extra_trees: bool = False
    name: str = "lightgbm"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        lightgbm = library("lightgbm")
        values, categorical = as_numbers(X)
        data = lightgbm.Dataset(
            values, y, categorical_feature=categorical, params={"verbosity": -1}, free_raw_data=True
        )
        booster = lightgbm.train(self._params(X, target, seed), data, num_boost_round=self.rounds)
        learned = partial(_predict, booster)
        return Fitted(
            learned(X_new),
            rounds=booster.current_iteration(),
            importance=shares(booster.feature_importance(importance_type="gain")),
            learned=learned,
        )

    def _params(self, X: pd.DataFrame, target: Target, seed: int) -> dict[str, Any]:
        objective = {"binary": "binary", "multiclass": "multiclass", "regression": "regression"}
        params: dict[str, Any] = {
            "objective": objective[target.kind],
            "boosting": "gbdt",
            "learning_rate": self.learning_rate,
            "num_leaves": self.num_leaves,
            "max_depth": -1,
            "min_data_in_leaf": self.min_data_in_leaf,
            "feature_fraction": self.feature_fraction,
            "bagging_fraction": self.bagging_fraction,
            "bagging_freq": 1 if self.bagging_fraction < 1 else 0,
            "lambda_l1": self.lambda_l1,
            "lambda_l2": self.lambda_l2,
            "extra_trees": self.extra_trees,
            "monotone_constraints": self.directions(X),
            "monotone_constraints_method": "basic",
            "min_sum_hessian_in_leaf": 1e-3,
            "min_gain_to_split": 0.0,
            "path_smooth": 0.0,
            "boost_from_average": True,
            "max_bin": 255,
            "min_data_in_bin": 3,
            "bin_construct_sample_cnt": 200_000,
            "cat_smooth": 10.0,
            "cat_l2": 10.0,
            "max_cat_threshold": 32,
            "max_cat_to_onehot": 4,
            "verbosity": -1,
            # `deterministic` alone is not enough for equal bytes at any thread count.
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "seed": seed,
            "bagging_seed": seed,
            "feature_fraction_seed": seed,
            "data_random_seed": seed,
            "extra_seed": seed,
        }
        if target.kind == "multiclass":
            params["num_class"] = len(target.labels)
        return params


def _predict(booster: Any, X: pd.DataFrame) -> Array:
    return columns(booster.predict(as_numbers(X)[0], num_threads=1))
