"""What a base model is, and what the three boosting libraries have in common."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, Self

import numpy as np
import pandas as pd

from signatures import MissingDependencyError
from solvers.target import Array, Target

Learned = Callable[[pd.DataFrame], Array]


@dataclass(frozen=True)
class Fitted:
    """What a fit tells.

    Attributes
    ----------
    predictions : ndarray of shape (n_new, n_outputs)
        Probabilities, or the target's own unit.
    rounds : int, optional
        Boosting rounds that were done; None for a model that knows none.
    importance : ndarray of shape (n_features,), optional
        Each feature's share by the library's own measure: what its splits gained, or for CatBoost
        how far they move a prediction. Sums to 1, or to 0 where nothing was split.
    learned : function, optional
        Predicts further rows from what was fitted; it can be pickled. None where the rows to be
        predicted take part in the fit, as with texts that are read together, or where a fit is
        done in a moment: it is done again for further rows.
    """

    predictions: Array
    rounds: int | None = None
    importance: Array | None = None
    learned: Learned | None = None


class Model(Protocol):
    """What out-of-fold prediction needs of a base model.

    Its `repr` tells all its parameters, as that of a dataclass does: finished fits are found by it.
    One with an attribute `reads_text` that is true is given the columns of text too, which hold
    strings and none missing.
    """

    @property
    def name(self) -> str:
        """What scores and records call it."""

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """Fit `X` (n_rows, n_features), `y` (n_rows,); predict the rows of `X_new`."""

    def rehearsal(self, work: float) -> Self:
        """Return the same model with about `work` (0 to 1) of its work."""


class Quick:
    """A model that knows no rounds, or is done in a moment: in rehearsal it is itself."""

    def rehearsal(self, work: float) -> Self:
        """Return the model itself."""
        return self


@dataclass(frozen=True)
class Wrapper:
    """A model around an inner one, whose name it bears."""

    inner: Model

    @property
    def name(self) -> str:
        """The inner model's."""
        return self.inner.name

    @property
    def reads_text(self) -> bool:
        """What the inner model does."""
        return reads_text(self.inner)

    def rehearsal(self, work: float) -> Self:
        """Rehearse the inner model."""
        return replace(self, inner=self.inner.rehearsal(work))


@dataclass(frozen=True)
class Boosted:
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

    def directions(self, X: pd.DataFrame) -> list[int]:
        """Give 1, -1 or 0 for each column."""
        directions = dict(self.monotone)
        return [directions.get(name, 0) for name in X.columns]


def reads_text(model: Model) -> bool:
    """Tell whether a model is given the columns of text too."""
    return bool(getattr(model, "reads_text", False))


def is_text(column: pd.Series) -> bool:
    """Tell a column of text from numbers and categories."""
    return isinstance(column.dtype, pd.StringDtype)


def as_numbers(X: pd.DataFrame, missing_category: float = np.nan) -> tuple[Array, list[int]]:
    """Turn a feature frame into a float array and the positions of its categorical columns.

    Categories become their codes, so text never reaches a library, nor do column names, of which
    some libraries refuse special characters.

    Raises
    ------
    TypeError
        If a column is neither numeric nor categorical: text is read by models that say so.
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


def through(learned: Learned | None, wrap: Callable[..., Array], **given: Any) -> Learned | None:
    """Put what a wrapper does, ``wrap(inner, X, **given)``, around what its inner model learned."""
    return None if learned is None else partial(wrap, learned, **given)


def columns(predictions: Any) -> Array:
    """Shape a library's predictions as (n_rows, n_outputs)."""
    array = np.asarray(predictions, dtype=np.float64)
    return array.reshape(len(array), -1)


def constant(y: Array, n_new: int, target: Target) -> Array:
    """Predict the mean, or each class's share, as (n_new, n_outputs)."""
    if target.kind == "multiclass":
        row = np.bincount(y.astype(np.intp), minlength=len(target.labels)) / len(y)
    else:
        row = np.array([y.mean()])
    return np.tile(row, (n_new, 1))


def shares(gains: Any) -> Array:
    """Turn what each feature gained into shares of the whole."""
    array = np.asarray(gains, dtype=np.float64)
    total = array.sum()
    return array / total if total > 0 else np.zeros_like(array)


def library(name: str) -> Any:
    """Import a boosting library, or say how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependencyError(name) from error
