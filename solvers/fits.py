"""One fit: a base model fitted on all rows but one fold's, and what it predicts for the others."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from threadpoolctl import threadpool_limits

from solvers.models import Fitted, Learned, Model, is_text, reads_text
from solvers.target import Array, FoldIndex, Target

CHECKED = 8  # rows that are predicted twice where what was learned is kept


@dataclass(frozen=True)
class Fit:
    """One model to be fitted on all rows but one fold's, for one target.

    Where folds are `ordered` in time, it is fitted on the rows of earlier folds and on those that
    no fold holds out; the fold after the last holds out none.
    """

    model: Model
    target: Target
    target_number: int
    repeat: int
    fold: int
    seed: int
    ordered: bool = False

    def trained_on(self, fold_of_row: FoldIndex) -> npt.NDArray[np.bool_]:
        """Mark the rows to be fitted on: those of other folds, or of earlier ones."""
        return fold_of_row < self.fold if self.ordered else fold_of_row != self.fold

    def __str__(self) -> str:
        """Name the fit to people."""
        where = f"fold {self.fold} of fold seed {self.repeat}"
        return f"{self.model.name} on {self.target.name}, {where}"


class FitJob(NamedTuple):
    """A fit, all that it is made from, and whether to `keep` what it learns; for `run_fit`."""

    fit: Fit
    X: pd.DataFrame
    X_test: pd.DataFrame
    y: Array
    fold_of_row: FoldIndex
    keep: bool = False


@dataclass(frozen=True)
class FitResult:
    """What a fit predicts, and what it cost.

    Attributes
    ----------
    valid, test : ndarray of shape (n_valid, n_outputs) and (n_test, n_outputs)
        Predictions of the fold's rows and of the test's.
    importance : ndarray of shape (n_features,), optional
        Each feature's share, by the library's own measure.
    attempts : int
        2 where the first try failed.
    kept : bool
        Whether it was done in an earlier sitting of the same run.
    learned : function, optional
        Predicts further rows; None where it was not asked for, or the model has none to give.
    """

    fit: Fit
    valid: Array = field(repr=False)
    test: Array = field(repr=False)
    importance: Array | None = field(repr=False)
    rounds: int | None
    cpu_seconds: float
    attempts: int = 1
    kept: bool = False
    learned: Learned | None = field(default=None, repr=False)

    def facts(self) -> dict[str, Any]:
        """Tell all but the predictions, as the record does."""
        return {
            "model": self.fit.model.name,
            "target": self.fit.target.name,
            "repeat": self.fit.repeat,
            "fold": self.fit.fold,
            "seed": self.fit.seed,
            "rounds": self.rounds,
            "cpu_seconds": round(self.cpu_seconds, 3),
            "attempts": self.attempts,
            "kept": self.kept,
        }


def run_fit(
    fit: Fit,
    X: pd.DataFrame,
    X_test: pd.DataFrame,
    y: Array,
    fold_of_row: FoldIndex,
    keep: bool = False,
) -> FitResult:
    """Fit on the rows outside the fold; predict the fold's rows and the test's.

    `y` has the shape (n_rows,), or (n_rows, n_parts) where the target is predicted part by part.
    """
    valid = fold_of_row == fit.fold
    train = fit.trained_on(fold_of_row)
    X_new = pd.concat([X.loc[valid], X_test], ignore_index=True)
    if len(X_new) == 0:  # after the last of ordered folds, no test yet: libraries refuse no rows
        X_new = X.head(1)
    started = time.process_time()
    seen = _seen_by(fit.model, X)
    with threadpool_limits(1):
        fitted = (_fit if y.ndim == 1 else _fit_parts)(
            fit, X.loc[train, seen], y[train], X_new.loc[:, seen]
        )
    if keep:
        _check(fit, fitted, X_new.loc[:, seen].head(CHECKED))
    n_valid = int(np.count_nonzero(valid))
    return FitResult(
        fit=fit,
        valid=fitted.predictions[:n_valid],
        test=fitted.predictions[n_valid : n_valid + len(X_test)],
        importance=_of_all(fitted.importance, seen),
        rounds=fitted.rounds,
        cpu_seconds=time.process_time() - started,
        learned=fitted.learned if keep else None,
    )


def _check(fit: Fit, fitted: Fitted, X: pd.DataFrame) -> None:
    """See that what was learned predicts rows as the fit did.

    Raises
    ------
    ValueError
        If it does not: a wrapper passed on what its inner model learned, as if it were its own.
    """
    if fitted.learned is None:
        return
    with threadpool_limits(1):
        again = fitted.learned(X)
    if not np.allclose(again, fitted.predictions[: len(X)], rtol=1e-6, atol=1e-9):
        msg = f"what {fit.model.name} learned predicts otherwise than it did: a bug in the model"
        raise ValueError(msg)


def predict_again(fit: Fit, learned: Learned, X: pd.DataFrame) -> Array:
    """Predict further rows by what a fit has learned."""
    with threadpool_limits(1):
        return learned(X.loc[:, _seen_by(fit.model, X)])


def _seen_by(model: Model, X: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Mark the columns that a model is given: only those that read text are given any."""
    return np.array([reads_text(model) or not is_text(X[name]) for name in X.columns], dtype=bool)


def _of_all(importance: Array | None, seen: npt.NDArray[np.bool_]) -> Array | None:
    """Lay shares of the columns that were seen out over all; what was not seen has none."""
    if importance is None:
        return None
    shares = np.zeros(len(seen))
    shares[seen] = importance
    return shares


def _fit(fit: Fit, X: pd.DataFrame, y: Array, X_new: pd.DataFrame) -> Fitted:
    y = fit.target.to_link(y)
    return fit.model.fit_predict(X, y, X_new, target=fit.target, seed=fit.seed)


def _fit_parts(fit: Fit, X: pd.DataFrame, ys: Array, X_new: pd.DataFrame) -> Fitted:
    """Fit to each part in the unit of the link; add in the target's own, and turn the sum."""
    target = fit.target
    parts = [_fit(fit, X, np.ascontiguousarray(y), X_new) for y in ys.T]
    rounds = [part.rounds for part in parts if part.rounds is not None]
    shares = [part.importance for part in parts if part.importance is not None]
    learned = [part.learned for part in parts if part.learned is not None]
    return Fitted(
        _whole(target, [part.predictions for part in parts]),
        rounds=sum(rounds) if rounds else None,
        importance=np.mean(shares, axis=0) if shares else None,
        learned=partial(_whole_of, target, learned) if len(learned) == len(parts) else None,
    )


def _whole(target: Target, parts: Sequence[Array]) -> Array:
    # A smooth model may fall below what a part can be, and so may the sum.
    whole = sum(np.maximum(target.from_link(part), target.least) for part in parts)
    return target.to_link(np.asarray(whole))


def _whole_of(target: Target, learned: Sequence[Learned], X: pd.DataFrame) -> Array:
    return _whole(target, [of_part(X) for of_part in learned])
