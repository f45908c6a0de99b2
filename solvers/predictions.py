"""Predictions as tables: what lies beside the submission, and what the submission is made of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.fits import FitResult
from solvers.intake import Dataset
from solvers.out_of_fold import Predictions
from solvers.prediction_columns import FOLD, SEED, of_data, of_model
from solvers.target import Array, FoldIndex, Target

PerTarget = Sequence[Predictions]


def in_test_order(final: PerTarget, data: Dataset) -> list[Array]:
    """Average over fold seeds: ``(n_test, n_outputs)`` per target, rows as in the test file."""
    return [
        # A smooth model may fall below what its link can turn, and a grader may refuse that.
        np.maximum(target.from_link(prediction.mean_test[data.test_order]), target.least)
        for target, prediction in zip(data.targets, final, strict=True)
    ]


def oof_predictions(
    data: Dataset, predictions: Mapping[str, PerTarget], folds: Sequence[FoldIndex]
) -> pd.DataFrame:
    """Lay out-of-fold predictions out: one row per fold seed and row held out, sorted by id.

    Beside them is what was to be predicted, under the target's name.
    """
    ids = data.rows.loc[data.is_train, data.form.id].to_numpy()
    table = {
        of_data(data.form.id, predictions): np.tile(ids, len(folds)),
        SEED: np.repeat(np.arange(len(folds)), len(ids)),
        FOLD: np.concatenate(folds),
        **{
            of_data(target.name, predictions): np.tile(_truth(target, y), len(folds))
            for target, y in zip(data.targets, data.ys, strict=True)
        },
    }
    for name, target, prediction in _each(data, predictions):
        for output, column in enumerate(of_model(name, target, len(data.targets))):
            table[column] = target.from_link(prediction.oof[:, :, output].ravel())
    everything = pd.DataFrame(table)
    return everything[everything[FOLD] >= 0].reset_index(drop=True)


def test_predictions(data: Dataset, predictions: Mapping[str, PerTarget]) -> pd.DataFrame:
    """Lay test predictions out: one row per test row, sorted by id; means over fold seeds."""
    ids = data.rows.loc[~data.is_train, data.form.id].to_numpy()
    table = {of_data(data.form.id, predictions): ids}
    for name, target, prediction in _each(data, predictions):
        for output, column in enumerate(of_model(name, target, len(data.targets))):
            table[column] = target.from_link(prediction.mean_test[:, output])
    return pd.DataFrame(table)


def _each(
    data: Dataset, predictions: Mapping[str, PerTarget]
) -> list[tuple[str, Target, Predictions]]:
    return [
        (name, target, prediction)
        for name, per_target in predictions.items()
        for target, prediction in zip(data.targets, per_target, strict=True)
    ]


def _truth(target: Target, y: Array) -> npt.NDArray[Any]:
    """Write classes as the files do; numbers stay numbers."""
    return np.array(target.labels, dtype=object)[y.astype(np.intp)] if target.labels else y


def feature_importance(results: Sequence[FitResult], features: Sequence[str]) -> pd.DataFrame:
    """Average each feature's share over a model's fits, with the standard deviation.

    Models of which no two fits know such shares have no rows.
    """
    shares: dict[tuple[str, str], list[Array]] = {}
    for result in results:
        if result.importance is not None:
            key = (result.fit.model.name, result.fit.target.name)
            shares.setdefault(key, []).append(result.importance)
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "target": target,
                "feature": features,
                "mean": np.mean(of_fits, axis=0),
                "sd": np.std(of_fits, axis=0, ddof=1),
                "fits": len(of_fits),
            }
        )
        for (model, target), of_fits in shares.items()
        if len(of_fits) > 1
    ]
    columns = ["model", "target", "feature", "mean", "sd", "fits"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
