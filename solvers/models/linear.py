"""Linear models, on standardised features."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from solvers.models.base import Fitted, Quick, as_numbers
from solvers.models.dense import standardised
from solvers.models.ranges import Range
from solvers.target import Array, Target


@dataclass(frozen=True)
class Logistic(Quick):
    """Logistic regression with a ridge penalty, for classes."""

    RANGES: ClassVar[Mapping[str, Range]] = MappingProxyType({"C": Range(0.001, 100.0, log=True)})

    C: float = 0.1
    name: str = "logistic"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; a class that is absent from the fit has no chance."""
        points, new = standardised(as_numbers(X)[0], as_numbers(X_new)[0])
        model = LogisticRegression(C=self.C, solver="lbfgs", tol=1e-8, max_iter=2000)
        model.fit(points, y.astype(np.intp))
        predictions = np.zeros((len(X_new), len(target.labels)))
        predictions[:, model.classes_] = model.predict_proba(new)
        return Fitted(predictions[:, 1:] if target.kind == "binary" else predictions)
