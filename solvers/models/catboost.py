"""CatBoost as a base model."""

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
class CatBoost(Boosted):
    """CatBoost [1]_, single-threaded; it writes no files.

    References
    ----------
    .. [1] Prokhorenkova et al. (2018), CatBoost: unbiased boosting with
       categorical features, NeurIPS 31.
    """

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {
            "rounds": Range(50, 1000, log=True),
            "learning_rate": Range(0.01, 0.3, log=True),
            "depth": Range(2, 8),
            "l2_leaf_reg": Range(0.5, 30.0, log=True),
            "random_strength": Range(0.1, 10.0, log=True),
            "bagging_temperature": Range(0.0, 2.0),
            "rsm": Range(0.1, 1.0),
        }
    )

    rounds: int = 500
    learning_rate: float = 0.05
    depth: int = 6
    l2_leaf_reg: float = 3.0
    random_strength: float = 1.0
    bagging_temperature: float = 1.0
    rsm: float = 1.0
    name: str = "catboost"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        model = library("catboost").CatBoost(self._params(X, target, seed))
        model.fit(_pool(X, y), verbose=False)
        learned = partial(_predict, model, target)
        return Fitted(
            learned(X_new),
            rounds=model.tree_count_,
            importance=shares(
                model.get_feature_importance(type="PredictionValuesChange", thread_count=1)
            ),
            learned=learned,
        )

    def _params(self, X: pd.DataFrame, target: Target, seed: int) -> dict[str, Any]:
        loss = {"binary": "Logloss", "multiclass": "MultiClass", "regression": "RMSE"}
        params: dict[str, Any] = {
            "loss_function": loss[target.kind],
            "iterations": self.rounds,
            "learning_rate": self.learning_rate,
            "depth": self.depth,
            "l2_leaf_reg": self.l2_leaf_reg,
            "random_strength": self.random_strength,
            "bootstrap_type": "Bayesian",
            "bagging_temperature": self.bagging_temperature,
            "rsm": self.rsm,
            "monotone_constraints": self.directions(X),
            # CatBoost shrinks by default where there are constraints, and only there.
            "model_shrink_rate": 0.01 if self.monotone else 0.0,
            "model_shrink_mode": "Constant",
            "leaf_estimation_method": "Newton",
            "leaf_estimation_iterations": 1 if target.kind == "regression" else 10,
            "score_function": "Cosine",
            "boost_from_average": target.kind == "regression",
            "nan_mode": "Min",
            "one_hot_max_size": 2,
            "feature_border_type": "GreedyLogSum",
            "sampling_frequency": "PerTree",
            "min_data_in_leaf": 1,
            "border_count": 254,
            "grow_policy": "SymmetricTree",
            "boosting_type": "Plain",
            "random_seed": seed,
            "thread_count": 1,
            "task_type": "CPU",
            "allow_writing_files": False,
            "logging_level": "Silent",
        }
        if target.kind == "multiclass":
            # Else a class that is absent from the fit would be absent from the predictions.
            params["classes_count"] = len(target.labels)
        return params


def _pool(rows: pd.DataFrame, y: Array | None = None) -> Any:
    values, categorical = as_numbers(rows, missing_category=-1)
    # CatBoost takes categories as integers or text, never as floats.
    return library("catboost").Pool(
        pd.DataFrame(values).astype(dict.fromkeys(categorical, "int64")),
        y,
        cat_features=categorical,
        thread_count=1,
    )


def _predict(model: Any, target: Target, X: pd.DataFrame) -> Array:
    kind = "RawFormulaVal" if target.kind == "regression" else "Probability"
    predictions = model.predict(_pool(X), prediction_type=kind, thread_count=1)
    return columns(predictions[:, 1] if target.kind == "binary" else predictions)
