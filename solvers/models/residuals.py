"""A model fitted to what another leaves over."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import pandas as pd

from solvers.models.base import Fitted, Learned, Model, Wrapper
from solvers.target import Array, Target


class LeavesOut(Model, Protocol):
    """A model that can say what it would have told of a row without having seen it."""

    def left_out(self, X: pd.DataFrame, y: Array) -> Array:
        """Predict each row (n_rows,) by a fit of the others."""


@dataclass(frozen=True)
class OnResiduals(Wrapper):
    """Adds to a first model's prediction what an inner one learns from its errors.

    The errors are those of each row when it is left out of the first model: those of a fit are
    smaller than the ones to come, and the inner model would learn how well it remembers. What is
    left over by a smooth model is steps and exceptions, which trees know [1]_.

    Attributes
    ----------
    first : LeavesOut
        A number's model.

    References
    ----------
    .. [1] Friedman (2001), Greedy Function Approximation: A Gradient Boosting Machine, Annals of
       Statistics 29(5), fits each step to what earlier ones leave over; leaving out, as stacking
       does: Wolpert (1992), Stacked generalization, Neural Networks 5(2).
    """

    first: LeavesOut

    @property
    def name(self) -> str:
        """Both models'."""
        return f"{self.inner.name}_on_{self.first.name}"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; rounds and importance are the inner model's."""
        first = self.first.fit_predict(X, y, X_new, target=target, seed=seed)
        left_over = y - self.first.left_out(X, y)
        second = self.inner.fit_predict(X, left_over, X_new, target=target, seed=seed)
        predictions = first.predictions + second.predictions
        if first.learned is None or second.learned is None:
            return replace(second, predictions=predictions, learned=None)
        return replace(
            second, predictions=predictions, learned=partial(_sum, first.learned, second.learned)
        )

    def rehearsal(self, work: float) -> "OnResiduals":
        """Rehearse both models."""
        inner, first = self.inner.rehearsal(work), self.first.rehearsal(work)
        return replace(self, inner=inner, first=first)


def _sum(first: Learned, second: Learned, X: pd.DataFrame) -> Array:
    return first(X) + second(X)
