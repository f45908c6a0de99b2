"""Inner models that are fitted to the same columns and averaged."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from solvers.models.base import Fitted, Model, reads_text
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
        predictions = np.stack([one.predictions for one in fitted])
        several = target.kind == "multiclass"
        shares = [one.importance for one in fitted if one.importance is not None]
        rounds = [one.rounds for one in fitted if one.rounds is not None]
        return Fitted(
            log_average(predictions) if several else predictions.mean(axis=0),
            rounds=sum(rounds) if rounds else None,
            importance=np.mean(shares, axis=0) if shares else None,
        )
