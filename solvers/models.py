"""Base models: three gradient-boosted decision tree libraries behind one method.

A base model is a frozen description. `fit_predict` fits a fresh model on one thread and predicts,
so nothing is shared between fits and a description can be sent to another process. Arguments
whose default a library may change are written out.

Each library is imported at its first fit, in the process that fits.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import pandas as pd

from signatures import MissingDependencyError
from solvers.target import Array, Target


class Model(Protocol):
    """What out-of-fold prediction needs of a base model."""

    @property
    def name(self) -> str:
        """What scores and records call it."""

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Array:
        """Fit `X` (n_rows, n_features), `y` (n_rows,); predict `X_new` as (n_new, n_outputs)."""

    def rehearsal(self, work: float) -> Self:
        """Return the same model with about `work` (0 to 1) of its work."""


@dataclass(frozen=True)
class _Boosted:
    """What the three libraries have in common.

    `monotone` names features that may only raise (1) or lower (-1) the prediction.
    """

    rounds: int
    learning_rate: float
    monotone: tuple[tuple[str, int], ...] = ()

    def rehearsal(self, work: float) -> Self:
        """Fewer, larger steps: rounds times `work`, learning rate over it (0.3 at most)."""
        rate = min(0.3, self.learning_rate / work)
        return replace(self, rounds=max(1, round(self.rounds * work)), learning_rate=rate)

    def _directions(self, X: pd.DataFrame) -> list[int]:
        """Give 1, -1 or 0 for each column."""
        directions = dict(self.monotone)
        return [directions.get(name, 0) for name in X.columns]


@dataclass(frozen=True)
class LightGBM(_Boosted):
    """LightGBM [1]_, row-wise and single-threaded.

    References ---------- .. [1] Ke et al. (2017), LightGBM: A Highly Efficient Gradient Boosting
    Decision Tree, NeurIPS 30.
    """

    rounds: int = 300
    learning_rate: float = 0.05
    num_leaves: int = 31
    min_data_in_leaf: int = 20
    feature_fraction: float = 1.0
    bagging_fraction: float = 1.0
    lambda_l1: float = 0.0
    lambda_l2: float = 0.0
    extra_trees: bool = False
    name: ClassVar[str] = "lightgbm"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Array:
        """See `Model`."""
        lightgbm = _library("lightgbm")
        values, categorical = as_numbers(X)
        data = lightgbm.Dataset(
            values, y, categorical_feature=categorical, params={"verbosity": -1}, free_raw_data=True
        )
        booster = lightgbm.train(self._params(X, target, seed), data, num_boost_round=self.rounds)
        return _columns(booster.predict(as_numbers(X_new)[0], num_threads=1))

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
            "monotone_constraints": self._directions(X),
            "monotone_constraints_method": "basic",
            "max_bin": 255,
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


@dataclass(frozen=True)
class XGBoost(_Boosted):
    """XGBoost [1]_ with histograms, single-threaded.

    References
    ----------
    .. [1] Chen and Guestrin (2016), XGBoost: A Scalable Tree Boosting System, KDD.
    """

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
    name: ClassVar[str] = "xgboost"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Array:
        """See `Model`."""
        xgboost = _library("xgboost")

        def matrix(rows: pd.DataFrame, y: Array | None = None) -> Any:
            values, categorical = as_numbers(rows)
            types = ["c" if column in categorical else "q" for column in range(values.shape[1])]
            return xgboost.DMatrix(
                values, y, feature_types=types, enable_categorical=True, nthread=1
            )

        booster = xgboost.train(
            self._params(X, target, seed), matrix(X, y), num_boost_round=self.rounds
        )
        return _columns(booster.predict(matrix(X_new)))

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
            "monotone_constraints": tuple(self._directions(X)),
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


@dataclass(frozen=True)
class CatBoost(_Boosted):
    """CatBoost [1]_, single-threaded; it writes no files.

    References ---------- .. [1] Prokhorenkova et al. (2018), CatBoost: unbiased boosting with
    categorical features, NeurIPS 31.
    """

    rounds: int = 500
    learning_rate: float = 0.05
    depth: int = 6
    l2_leaf_reg: float = 3.0
    random_strength: float = 1.0
    bagging_temperature: float = 1.0
    rsm: float = 1.0
    name: ClassVar[str] = "catboost"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Array:
        """See `Model`."""
        catboost = _library("catboost")
        categorical = as_numbers(X)[1]

        def pool(rows: pd.DataFrame, y: Array | None = None) -> Any:
            values = pd.DataFrame(as_numbers(rows, missing_category=-1)[0])
            # CatBoost takes categories as integers or text, never as floats.
            return catboost.Pool(
                values.astype(dict.fromkeys(categorical, "int64")),
                y,
                cat_features=categorical,
                thread_count=1,
            )

        model = catboost.CatBoost(self._params(X, target, seed))
        model.fit(pool(X, y), verbose=False)
        kind = "RawFormulaVal" if target.kind == "regression" else "Probability"
        predictions = model.predict(pool(X_new), prediction_type=kind, thread_count=1)
        return _columns(predictions[:, 1] if target.kind == "binary" else predictions)

    def _params(self, X: pd.DataFrame, target: Target, seed: int) -> dict[str, Any]:
        loss = {"binary": "Logloss", "multiclass": "MultiClass", "regression": "RMSE"}
        return {
            "loss_function": loss[target.kind],
            "iterations": self.rounds,
            "learning_rate": self.learning_rate,
            "depth": self.depth,
            "l2_leaf_reg": self.l2_leaf_reg,
            "random_strength": self.random_strength,
            "bootstrap_type": "Bayesian",
            "bagging_temperature": self.bagging_temperature,
            "rsm": self.rsm,
            "monotone_constraints": self._directions(X),
            "border_count": 254,
            "grow_policy": "SymmetricTree",
            "boosting_type": "Plain",
            "random_seed": seed,
            "thread_count": 1,
            "task_type": "CPU",
            "allow_writing_files": False,
            "logging_level": "Silent",
        }


def as_numbers(X: pd.DataFrame, missing_category: float = np.nan) -> tuple[Array, list[int]]:
    """Turn a feature frame into a float array and the positions of its categorical columns.

    Categories become their codes, so text never reaches a library, nor do column names, of which
    some libraries refuse special characters.

    Raises
    ------
    TypeError
        If a column is neither numeric nor categorical: a feature function forgot to encode it.
    """
    values = np.empty(X.shape, dtype=np.float64)
    categorical = []
    for position, name in enumerate(X.columns):
        column = X[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            categorical.append(position)
            codes = column.cat.codes.to_numpy()
            values[:, position] = np.where(codes < 0, missing_category, codes)
        elif pd.api.types.is_numeric_dtype(column.dtype):
            values[:, position] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            msg = f"feature {name!r} is {column.dtype}; give numbers or a categorical"
            raise TypeError(msg)
    return values, categorical


def _columns(predictions: Any) -> Array:
    """Shape a library's predictions as (n_rows, n_outputs)."""
    array = np.asarray(predictions, dtype=np.float64)
    return array.reshape(len(array), -1)


def _library(name: str) -> Any:
    """Import a boosting library, or say how to get it."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(name) from error
