"""What companions' ends tell, rebuilt inside every fit."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from solvers.models.base import Fitted, Learned, Wrapper, through
from solvers.target import Array, Target


@dataclass(frozen=True)
class Mates:
    """Some of the rows that share a key: those with a 1 in a column.

    Attributes
    ----------
    name : str
        What the columns that tell of them begin with.
    among : str
        A column of X that is 1 for the rows that count, 0 for others.
    """

    name: str
    among: str


@dataclass(frozen=True)
class WithMates(Wrapper):
    """Adds how a row's mates ended, from the labels of the fit and no others.

    A training row's own label is left out of what it is told, and a row to be predicted has none
    there, so both are told of others only. For each kind of mates there are two columns:

    - ``<name>_known``: how many mates are among the training rows;
    - ``<name>_surplus``: by how much their labels exceed what is expected of rows like them, summed
      and divided by their number plus `shrink`; 0 without any. One mate's end so counts half.

    Attributes
    ----------
    key : str
        A column of X that numbers each row's group, missing for a row without mates. It is not
        shown to the inner model.
    like : str
        A column of X: the label to be expected is the mean of the training rows with its value.
    """

    key: str
    like: str
    mates: tuple[Mates, ...]
    shrink: float = 1.0

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`."""
        told, told_new = self.tell(X, y, X_new)
        seen = pd.concat([X.drop(columns=self.key), told], axis=1)
        new = pd.concat([X_new.drop(columns=self.key), told_new], axis=1)
        fitted = self.inner.fit_predict(seen, y, new, target=target, seed=seed)
        asked = X[list({self.key, self.like, *(mates.among for mates in self.mates)})]
        learned = through(fitted.learned, self._of_new, X=asked, y=y)
        fitted = replace(fitted, learned=learned)
        if fitted.importance is None:
            return fitted
        # What was told by mates goes to the key's account: it is all that the key is there for.
        shares = pd.Series(fitted.importance, index=seen.columns)
        shares[self.key] = shares[told.columns].sum()
        return replace(fitted, importance=np.asarray(shares[X.columns], dtype=np.float64))

    def _of_new(self, inner: Learned, X_new: pd.DataFrame, *, X: pd.DataFrame, y: Array) -> Array:
        """Predict rows that are told of the fit's rows, which are `X` and `y`."""
        told = self.tell(X, y, X_new)[1]
        return inner(pd.concat([X_new.drop(columns=self.key), told], axis=1))

    def tell(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Give the columns about mates, for training rows and for rows to be predicted."""
        kinds = X[self.like]
        labels = pd.Series(y, index=X.index)
        left = labels - labels.groupby(kinds).transform("mean")
        told: dict[str, Array] = {}
        told_new: dict[str, Array] = {}
        for mates in self.mates:
            counts = X[mates.among].astype("float64")
            own = pd.DataFrame({"known": counts, "left": left * counts})
            sums = own.groupby(X[self.key]).sum()
            told |= self._columns(mates.name, sums.reindex(X[self.key]).to_numpy() - own.to_numpy())
            told_new |= self._columns(mates.name, sums.reindex(X_new[self.key]).to_numpy())
        return pd.DataFrame(told, index=X.index), pd.DataFrame(told_new, index=X_new.index)

    def _columns(self, name: str, sums: Array) -> dict[str, Array]:
        """Name the mates' number and surplus; NaN where there is no key, and so no mates."""
        known, left = np.nan_to_num(sums, nan=0.0).T
        # A difference of equal sums need not be 0 to the last bit.
        surplus = np.where(known > 0.5, left / (np.maximum(known, 0.0) + self.shrink), 0.0)
        return {f"{name}_known": np.round(known), f"{name}_surplus": surplus}
