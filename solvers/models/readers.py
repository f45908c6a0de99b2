"""What a reader of texts is: it tells classes by scores, which an inner model then weighs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.models.base import Fitted, Wrapper, is_text
from solvers.models.calibrated import dealt
from solvers.models.tokens import Texts
from solvers.target import Array, Target

Classes = npt.NDArray[np.intp]
Marked = npt.NDArray[np.bool_]


class Reading(Protocol):
    """Texts that were read once, to be learned from many times."""

    def scores(self, classes: Classes, seen: Marked, wanted: Marked, n_classes: int) -> Array:
        """Learn classes from the texts `seen`; score those `wanted`.

        Parameters
        ----------
        classes : ndarray of shape (n_texts,)
            Class index; of no account where a text is not `seen`.

        Returns
        -------
        ndarray of shape (n_scores, n_wanted, n_classes)
            Each grows with the logarithm of the class's chance.
        """


class Reader(Protocol):
    """A description of scores, made of texts and their classes."""

    @property
    def name(self) -> str:
        """What its columns begin with."""

    def read(self, texts: Texts, known: Marked) -> Reading:
        """Read columns of text, of which the rows marked as `known` may be learned from."""


@dataclass(frozen=True)
class ReadFirst(Wrapper):
    """Shows an inner model what readers tell of each text, instead of the text [1]_.

    A row to be predicted is told of by readers who have seen all rows of the fit; a row of the fit
    by readers who have not seen it. Texts are read once for all of these.

    Attributes
    ----------
    readers : tuple of Reader
        Each tells by one column for each of its scores and classes; of two classes, the second's.
        Put those first that tell much for their work: a rehearsal leaves out the last ones.
    folds : int
        Into how many the rows of a fit are cut.
    by_length : bool
        Whether each is told a second time, over the root of the first text's length: what a text
        of many words tells is large by their number.

    References
    ----------
    .. [1] Wolpert (1992), Stacked generalization, Neural Networks 5(2).
    """

    readers: tuple[Reader, ...]
    folds: int = 5
    by_length: bool = False

    @property
    def reads_text(self) -> bool:
        """It does, for an inner model that does not."""
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that are read with the texts, and not shown to the inner model."""
        return ()

    def rehearsal(self, work: float) -> Self:
        """Hear fewer readers, on fewer folds (two at least), and rehearse the inner model.

        Each reader works on each fold, so both numbers go by the root of `work`.
        """
        n_readers = max(1, round(len(self.readers) * work**0.5))
        return replace(
            self,
            readers=self.readers[:n_readers],
            folds=max(2, round(self.folds * work**0.5)),
            inner=self.inner.rehearsal(work),
        )

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; what texts tell goes to the account of their first column.

        Raises
        ------
        ValueError
            If the target is a number: readers tell classes.
        """
        if target.kind == "regression":
            msg = f"{target.name!r} is a number, and readers tell classes"
            raise ValueError(msg)
        both = pd.concat([X, X_new], ignore_index=True)
        names = [name for name in X.columns if is_text(X[name])]
        read = [*names, *self.keys]
        told = self.tell(both[read], y.astype(np.intp), len(target.labels), seed)
        seen = pd.concat([both.drop(columns=read), told], axis=1)
        fitted = self.inner.fit_predict(
            seen.iloc[: len(X)], y, seen.iloc[len(X) :], target=target, seed=seed
        )
        fitted = replace(fitted, learned=None)  # texts are read together
        if fitted.importance is None:
            return fitted
        shares = pd.Series(fitted.importance, index=seen.columns)
        shares[names[0]] = shares[told.columns].sum()
        importance = np.asarray(shares.reindex(X.columns, fill_value=0.0), dtype=np.float64)
        return replace(fitted, importance=importance)

    def tell(self, texts: pd.DataFrame, y: Classes, n_classes: int, seed: int) -> pd.DataFrame:
        """Let each reader tell of all texts, of which the first ``len(y)`` have a class."""
        known = np.arange(len(texts)) < len(y)
        classes, fold_of_text = np.full((2, len(texts)), -1, dtype=np.intp)
        classes[known], fold_of_text[known] = y, dealt(y, self.folds, seed)
        root = np.sqrt(np.maximum(texts.iloc[:, 0].str.len().to_numpy(dtype=np.float64), 1.0))
        columns_of_text, told = Texts(texts), dict[str, Array]()
        for place, reader in enumerate(self.readers):
            columns = self._told_by(reader, columns_of_text, classes, fold_of_text, n_classes)
            for number, values in enumerate(columns):
                told[f"{place} {reader.name} {number}"] = values
                if self.by_length:
                    told[f"{place} {reader.name} {number} by length"] = values / root
        return pd.DataFrame(told)

    def _told_by(
        self,
        reader: Reader,
        texts: Texts,
        classes: Classes,
        fold_of_text: Classes,
        n_classes: int,
    ) -> Array:
        """Give what a reader tells of each text, as (n_columns, n_texts)."""
        reading = reader.read(texts, fold_of_text >= 0)
        return in_turn(
            fold_of_text,
            lambda seen, wanted: own_columns(reading.scores(classes, seen, wanted, n_classes)),
        )


def in_turn(fold_of_text: Classes, tell: Callable[[Marked, Marked], Array]) -> Array:
    """Let each fold be told of by the other folds; texts of none (-1) by all that are in one."""
    known = fold_of_text >= 0
    folds = np.unique(fold_of_text).tolist()
    parts = {fold: tell(known & (fold_of_text != fold), fold_of_text == fold) for fold in folds}
    told = np.zeros((len(next(iter(parts.values()))), len(known)))
    for fold, part in parts.items():
        told[:, fold_of_text == fold] = part
    return told


def own_columns(scores: Array) -> Array:
    """Lay scores out as (n_columns, n_texts): which class is likelier, not how likely the text."""
    centred = scores - scores.mean(axis=2, keepdims=True)
    # Of two classes, one score says it all.
    told = centred[:, :, 1:] if scores.shape[2] == 2 else centred
    return np.asarray(told.transpose(0, 2, 1).reshape(-1, scores.shape[1]))
