"""Inner models that are fitted to the same columns and averaged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np
import pandas as pd

from solvers.models.base import Fitted, Learned, Model, reads_text
from solvers.pool import log_average
from solvers.target import Array, Target


@dataclass(frozen=True)
class Averaged:
    """The plain average of inner models; of several classes, in logarithms.

    For models around which something costly stands: it is done once for all of them.
    """

    models: tuple[Model, ...]
    name: str = "averaged"

    @property
    def reads_text(self) -> bool:
        """Whether any of them does."""
        return any(map(reads_text, self.models))

    def rehearsal(self, work: float) -> Self:
        """Rehearse each of them."""
        return replace(self, models=tuple(model.rehearsal(work) for model in self.models))

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; the importance is the mean over those that tell of one."""
        fitted = [model.fit_predict(X, y, X_new, target=target, seed=seed) for model in self.models]
        learned = [one.learned for one in fitted if one.learned is not None]
        shares = [one.importance for one in fitted if one.importance is not None]
        rounds = [one.rounds for one in fitted if one.rounds is not None]
        return Fitted(
            _average([one.predictions for one in fitted], target),
            rounds=sum(rounds) if rounds else None,
            importance=np.mean(shares, axis=0) if shares else None,
            learned=partial(_of_each, learned, target) if len(learned) == len(fitted) else None,
        )


def _average(predictions: Sequence[Array], target: Target) -> Array:
    stacked = np.stack(predictions)
    return log_average(stacked) if target.kind == "multiclass" else stacked.mean(axis=0)


def _of_each(learned: Sequence[Learned], target: Target, X: pd.DataFrame) -> Array:
    return _average([of_one(X) for of_one in learned], target)
