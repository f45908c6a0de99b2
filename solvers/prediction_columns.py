"""How columns and blends are called in the tables of predictions, without any library."""

from collections.abc import Collection, Sequence
from typing import Protocol

SEED, FOLD = "fold_seed", "fold"
AVERAGE, STACK = "average", "stack"
BLENDS = (AVERAGE, STACK)


class _Target(Protocol):
    """A target, as models or a record have it."""

    @property
    def name(self) -> str:
        """The column."""

    @property
    def kind(self) -> str:
        """Whether it is a number, or of how many classes."""

    @property
    def labels(self) -> Sequence[str]:
        """The classes."""


def of_data(name: str, models: Collection[str]) -> str:
    """Name a column of the data; those of folds and models keep their own names.

    Examples
    --------
    >>> of_data("y", ["catboost"]), of_data("fold", ["catboost"]), of_data("catboost", ["catboost"])
    ('y', 'data/fold', 'data/catboost')
    """
    taken = name in {SEED, FOLD} or name.partition("/")[0] in models
    return f"data/{name}" if taken else name


def of_model(model: str, target: _Target, n_targets: int) -> list[str]:
    """Name the columns of a model's predictions: one, or one for each of several classes."""
    stem = model if n_targets == 1 else f"{model}/{target.name}"
    labels = target.labels if target.kind == "multiclass" else ()
    return [f"{stem}/{label}" for label in labels] or [stem]
