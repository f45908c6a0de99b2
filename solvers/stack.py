"""Blend base models: the plain average, a meta-model fitted out of fold, and the choice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from threadpoolctl import threadpool_limits

from signatures import Metric
from solvers.out_of_fold import BaseModels, Predictions
from solvers.pool import LEAST, fit_pool, log_average, logs_of, pool
from solvers.prediction_columns import AVERAGE, STACK
from solvers.scores import Choice, Score, choose, over_seeds
from solvers.target import Array, FoldIndex, Target, n_folds

Meta = Callable[[Array], Array]  # from base models' predictions, laid out, to (n_new, n_outputs)


@dataclass(frozen=True)
class Stack(Predictions):
    """A stack's predictions.

    Attributes
    ----------
    metas : tuple of function
        The meta-model of each fold seed, fitted on all rows; none where the stack is the average.
    """

    metas: tuple[Meta, ...] = ()


@dataclass(frozen=True)
class Blended:
    """Both blends, one `Predictions` per target; scores of base models and blends; the choice."""

    predictions: Mapping[str, tuple[Predictions, ...]]
    scores: Mapping[str, Score]
    choice: Choice

    @property
    def final(self) -> tuple[Predictions, ...]:
        """The blend that is used."""
        return self.predictions[self.choice.used]

    def of_new(
        self, by_target: Sequence[Sequence[Predictions]], targets: Sequence[Target]
    ) -> list[Predictions]:
        """Blend base models' `test` predictions of other rows in the same way."""
        return [
            Predictions(blend.oof, _of_new(blend, models, target))
            for blend, models, target in zip(self.final, by_target, targets, strict=True)
        ]


def blend(
    base: BaseModels,
    ys: Sequence[Array],
    targets: Sequence[Target],
    folds: Sequence[FoldIndex],
    metric: Metric,
) -> Blended:
    """Average and stack the base models, score everything out of fold, and choose a blend."""
    by_target = list(zip(*base.predictions.values(), strict=True))
    blends = {
        AVERAGE: tuple(
            average(models, target) for models, target in zip(by_target, targets, strict=True)
        ),
        STACK: tuple(
            stack(models, y, folds, target)
            for models, y, target in zip(by_target, ys, targets, strict=True)
        ),
    }
    scores = {
        name: over_seeds(metric, targets, ys, predictions, folds)
        for name, predictions in {**base.predictions, **blends}.items()
    }
    choice = choose(metric, targets, ys, blends[AVERAGE], blends[STACK], folds)
    return Blended(blends, scores, choice)


def average(models: Sequence[Predictions], target: Target) -> Predictions:
    """Average base models with equal weights; of several classes, in logarithms."""
    oof, test = (np.stack([getattr(model, part) for model in models]) for part in ("oof", "test"))
    if target.kind == "multiclass":
        return Predictions(log_average(oof), log_average(test))
    return Predictions(np.mean(oof, axis=0), np.mean(test, axis=0))


def stack(
    models: Sequence[Predictions], y: Array, folds: Sequence[FoldIndex], target: Target
) -> Stack:
    """Blend base models by a meta-model fitted on their out-of-fold predictions [1]_.

    The `oof` rows of a fold come from a meta-model fitted on the other folds' rows, so it is scored
    on rows it did not see. The base models are not fitted anew for that: the inputs of the other
    folds come from base models that saw the held-out rows, as is usual in stacking. The test rows
    come from a meta-model fitted on all rows. Where a fold leaves a single class to learn from,
    it is the average.

    Parameters
    ----------
    models : sequence of Predictions
        One per base model, of the same target.
    y : ndarray of shape (n_rows,)
        Class index, or the target in its own unit for regression.

    References
    ----------
    .. [1] Wolpert (1992), Stacked generalization, Neural Networks 5(2).
    """
    if not _can_be_learned(y, folds, target):
        averaged = average(models, target)
        return Stack(averaged.oof, averaged.test)
    oof = np.full_like(models[0].oof, np.nan)
    metas = []
    with threadpool_limits(1):
        for repeat, fold_of_row in enumerate(folds):
            held_out = fold_of_row >= 0
            inputs = _meta_inputs([model.oof[repeat] for model in models], target)
            for fold in range(n_folds(fold_of_row)):
                valid = fold_of_row == fold
                others = held_out & ~valid
                oof[repeat, valid] = _meta(inputs[others], y[others], target)(inputs[valid])
            metas.append(_meta(inputs[held_out], y[held_out], target))
        return Stack(oof, _stacked(metas, models, target), tuple(metas))


def _of_new(blend: Predictions, models: Sequence[Predictions], target: Target) -> Array:
    if not isinstance(blend, Stack) or not blend.metas:
        return average(models, target).test
    with threadpool_limits(1):
        return _stacked(blend.metas, models, target)


def _stacked(metas: Sequence[Meta], models: Sequence[Predictions], target: Target) -> Array:
    """Give the meta-models the `test` predictions of their fold seed."""
    if models[0].test.shape[1] == 0:  # no rows, which scikit-learn would refuse
        return models[0].test
    return np.stack(
        [
            meta(_meta_inputs([model.test[repeat] for model in models], target))
            for repeat, meta in enumerate(metas)
        ]
    )


def _can_be_learned(y: Array, folds: Sequence[FoldIndex], target: Target) -> bool:
    """Tell whether all rows but those of a fold hold more than one class."""
    return target.kind == "regression" or all(
        len(np.unique(y[(index >= 0) & (index != fold)])) > 1
        for index in folds
        for fold in range(n_folds(index))
    )


def _meta_inputs(predictions: Sequence[Array], target: Target) -> Array:
    """Lay base predictions side by side, probabilities as log-odds: natural for a linear blend."""
    inputs = np.hstack(predictions)
    if target.kind == "regression":
        return inputs
    if target.kind == "multiclass":
        return logs_of(inputs)
    clipped = np.clip(inputs, LEAST, 1 - LEAST)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _meta(X: Array, y: Array, target: Target) -> Meta:
    """Fit a meta-model."""
    if target.kind == "regression":
        # Weights that may not be negative: base models are too alike for free ones.
        weights = LinearRegression(fit_intercept=True, positive=True)
        weights.fit(X, target.to_link(y))
        return partial(_number, weights)
    if target.kind == "multiclass":
        n_classes = len(target.labels)
        pooled = fit_pool(X, y.astype(np.intp), n_classes)
        return partial(pool, weights=pooled, n_classes=n_classes)
    model = LogisticRegression(
        C=0.1, solver="lbfgs", tol=1e-8, max_iter=1000, fit_intercept=True, class_weight=None
    )
    model.fit(X, y.astype(np.intp))
    return partial(_probability, model)


def _number(model: Any, X: Array) -> Array:
    return np.asarray(model.predict(X)).reshape(-1, 1)


def _probability(model: Any, X: Array) -> Array:
    return np.asarray(model.predict_proba(X)[:, 1:])
