"""Predictions as tables: what lies beside the submission, and what the submission is made of."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from solvers.intake import Dataset
from solvers.out_of_fold import Predictions
from solvers.target import Array, FoldIndex, Target

PerTarget = Sequence[Predictions]


def in_test_order(final: PerTarget, data: Dataset) -> list[Array]:
    """Average over fold seeds: ``(n_test, n_outputs)`` per target, rows as in the test file."""
    return [prediction.mean_test[data.test_order] for prediction in final]


def oof_predictions(
    data: Dataset, predictions: Mapping[str, PerTarget], folds: Sequence[FoldIndex]
) -> pd.DataFrame:
    """Lay out-of-fold predictions out: one row per fold seed and train row, sorted by id."""
    ids = data.rows.loc[data.is_train, data.form.id].to_numpy()
    table = {
        data.form.id: np.tile(ids, len(folds)),
        "fold_seed": np.repeat(np.arange(len(folds)), len(ids)),
        "fold": np.concatenate(folds),
    }
    for name, target, prediction in _each(data, predictions):
        for output, column in enumerate(_columns(name, target, len(data.targets))):
            table[column] = prediction.oof[:, :, output].ravel()
    return pd.DataFrame(table)


def test_predictions(data: Dataset, predictions: Mapping[str, PerTarget]) -> pd.DataFrame:
    """Lay test predictions out: one row per test row, sorted by id; means over fold seeds."""
    table = {data.form.id: data.rows.loc[~data.is_train, data.form.id].to_numpy()}
    for name, target, prediction in _each(data, predictions):
        for output, column in enumerate(_columns(name, target, len(data.targets))):
            table[column] = prediction.mean_test[:, output]
    return pd.DataFrame(table)


def _each(
    data: Dataset, predictions: Mapping[str, PerTarget]
) -> list[tuple[str, Target, Predictions]]:
    return [
        (name, target, prediction)
        for name, per_target in predictions.items()
        for target, prediction in zip(data.targets, per_target, strict=True)
    ]


def _columns(model: str, target: Target, n_targets: int) -> list[str]:
    stem = model if n_targets == 1 else f"{model}/{target.name}"
    return [f"{stem}/{label}" for label in target.labels] if target.n_outputs > 1 else [stem]
