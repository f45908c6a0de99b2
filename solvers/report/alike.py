"""How alike the base models' predictions are, pair by pair."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from solvers.record_types import Predictand
from solvers.report.charts_of_models import likeness
from solvers.report.drawing import Picture
from solvers.report.statistics import correlation
from solvers.report.wording import joined, number, percent
from solvers.target import Array

PAIRS = 10


@dataclass(frozen=True)
class PairOfModels:
    """Two models: their correlation, and how far apart their answers are."""

    models: str
    correlation: str
    apart: str


@dataclass(frozen=True)
class Alike:
    """The correlation of base models as a picture, and the least alike pairs as a table."""

    picture: Picture
    pairs: list[PairOfModels]
    n_pairs: int
    apart: str


def compare(predictions: Mapping[str, Array], target: Predictand, n: str, key: str) -> Alike | None:
    """Compare models pair by pair; None where there is only one."""
    models = list(predictions)
    if len(models) < 2:
        return None
    matrix = correlation(list(predictions.values()))
    found = [(float(matrix[i, j]), j, i) for i in range(len(models)) for j in range(i)]
    found.sort(key=lambda pair: (np.nan_to_num(pair[0], nan=-2.0), *pair[1:]))
    answers = {name: _answers(array, target) for name, array in predictions.items()}
    pairs = []
    for value, first, second in found[:PAIRS]:
        names = [models[first], models[second]]
        apart = _apart(answers[names[0]], answers[names[1]], target)
        pairs.append(PairOfModels(joined(names), f"{value:.4f}", apart))
    what = "mean distance" if target.kind == "regression" else "labels that differ"
    return Alike(likeness(models, matrix, n, key), pairs, len(found), what)


def _answers(predictions: Array, target: Predictand) -> Array:
    """Give numbers as they are, and of probabilities the class that they decide for."""
    if target.kind == "regression":
        return predictions[:, 0]
    if target.kind == "binary":
        return (predictions[:, 0] >= 0.5).astype(np.float64)
    return np.asarray(np.argmax(predictions, axis=1), dtype=np.float64)


def _apart(one: Array, other: Array, target: Predictand) -> str:
    if target.kind == "regression":
        return number(float(np.abs(one - other).mean()))
    return percent(float((one != other).mean()))
