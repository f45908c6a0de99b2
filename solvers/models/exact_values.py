"""Logistic regression on exact values: each value of a feature is a name of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from solvers.models.base import Fitted, Quick, as_numbers
from solvers.target import Array, Target

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ExactValues(Quick):
    """Logistic regression on an indicator for each value that a feature takes often enough.

    Suits tables whose numbers are copied from a list of originals: a number to the last digit is
    then a name, and its neighbours on the scale say little about it. A value that the fitted rows
    do not know has no indicator.

    Attributes
    ----------
    C : float
        Inverse of the ridge penalty.
    min_count : int
        How many of the fitted rows have to hold a value.
    min_pair : int
        How many have to hold two features' values together; 0 for no pairs.
    pair_weight : float
        What a pair's indicator holds: below 1, pairs are shrunk more.
    """

    C: float = 0.006
    min_count: int = 10
    min_pair: int = 0
    pair_weight: float = 0.3
    name: str = "exact_values"

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; for two classes."""
        if target.kind != "binary":
            msg = f"{self.name} is for two classes, and {target.name!r} is a {target.kind} target"
            raise ValueError(msg)
        codes, codes_new = value_codes(as_numbers(X)[0], as_numbers(X_new)[0])
        parts = list(self._indicators(codes, codes_new))
        rows, rows_new = (sparse.hstack(side, format="csr") for side in zip(*parts, strict=True))
        model = LogisticRegression(
            C=self.C, solver="lbfgs", tol=1e-5, max_iter=300, fit_intercept=True, class_weight=None
        )
        model.fit(rows, y.astype(np.intp))
        return Fitted(model.predict_proba(rows_new)[:, 1:])

    def _indicators(self, codes: Codes, codes_new: Codes) -> Iterator[tuple[Any, Any]]:
        n_features = codes.shape[1]
        for j in range(n_features):
            yield indicators(codes[:, j], codes_new[:, j], self.min_count, 1.0)
        if not self.min_pair:
            return
        base = int(codes.max()) + 2
        for i, j in combinations(range(n_features), 2):
            pair = codes[:, i] * base + codes[:, j]
            known = (codes_new[:, i] >= 0) & (codes_new[:, j] >= 0)
            pair_new = np.where(known, codes_new[:, i] * base + codes_new[:, j], -1)
            yield indicators(pair, pair_new, self.min_pair, self.pair_weight)


def value_codes(values: Array, values_new: Array, digits: int = 5) -> tuple[Codes, Codes]:
    """Number each feature's values, smallest first; -1 for one that only `values_new` holds.

    Numbers are compared to `digits` decimals; a missing one is a value like others.
    """
    codes = np.empty(values.shape, dtype=np.int64)
    codes_new = np.empty(values_new.shape, dtype=np.int64)
    for j in range(values.shape[1]):
        known, codes[:, j] = np.unique(np.round(values[:, j], digits), return_inverse=True)
        found = pd.Index(known).get_indexer(pd.Index(np.round(values_new[:, j], digits)))
        codes_new[:, j] = found
    return codes, codes_new


def indicators(codes: Codes, codes_new: Codes, min_count: int, weight: float) -> tuple[Any, Any]:
    """Give each code that `min_count` rows of `codes` hold a sparse column of its own."""
    found, counts = np.unique(codes, return_counts=True)
    kept = found[counts >= min_count]
    return _columns(codes, kept, weight), _columns(codes_new, kept, weight)


def _columns(codes: Codes, kept: Codes, weight: float) -> Any:
    place = pd.Index(kept).get_indexer(pd.Index(codes))
    rows = np.flatnonzero(place >= 0)
    values = np.full(len(rows), weight)
    return sparse.csr_matrix((values, (rows, place[rows])), shape=(len(codes), len(kept)))
