"""Linear models, on standardised features."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from solvers.models.base import Fitted, columns
from solvers.target import Array, Target

FAR = 5.0  # deviations from the mean, beyond which a value says no more


def standardised(X: pd.DataFrame, X_new: pd.DataFrame) -> tuple[Array, Array]:
    """Give both on the scale of `X`: columns of mean 0 and variance 1 there, held within five.

    Features must be numbers; what is missing counts as the mean.
    """
    values, new = (table.to_numpy(dtype=np.float64, na_value=np.nan) for table in (X, X_new))
    centre, scale = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    points = [
        np.clip(np.nan_to_num((v - centre) / scale, nan=0.0), -FAR, FAR) for v in (values, new)
    ]
    return points[0], points[1]


@dataclass(frozen=True)
class Logistic:
    """Logistic regression with a ridge penalty, for two classes."""

    C: float = 0.1
    name: str = "logistic"

    def rehearsal(self, work: float) -> Self:
        """Return the model itself: it takes a few milliseconds."""
        return self

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        points, new = standardised(X, X_new)
        model = LogisticRegression(C=self.C, solver="lbfgs", tol=1e-8, max_iter=2000)
        return Fitted(columns(model.fit(points, y.astype(np.intp)).predict_proba(new)[:, 1]))
