"""The metrics, by the name a signature gives them."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from sklearn import metrics as sk

from signatures import Metric
from solvers.target import Array, Target

Score = Callable[[Array, Array, Target], float]


def accuracy(y: npt.ArrayLike, decided: npt.ArrayLike) -> float:
    """Return the share of rows whose class was told, from class indices of shape ``(n_rows,)``.

    An index of -1 stands for what is no class at all, and is wrong wherever it is decided for.
    """
    return float(sk.accuracy_score(y, decided))


def _accuracy(y: Array, predictions: Array, target: Target) -> float:
    return accuracy(y, target.class_index(predictions))


def _auc(y: Array, predictions: Array, target: Target) -> float:
    return float(sk.roc_auc_score(y, predictions[:, 0]))


def _log_loss(y: Array, predictions: Array, target: Target) -> float:
    classes = np.arange(len(target.labels))
    probabilities = predictions if target.kind == "multiclass" else predictions[:, 0]
    with warnings.catch_warnings():
        # Single precision and rounded files miss a sum of one by more than scikit-learn is silent
        # about; it computes the same, warned or not.
        warnings.filterwarnings("ignore", message=".* values do not sum to one")
        return float(sk.log_loss(y, probabilities, labels=classes))


def _rmse(y: Array, predictions: Array, target: Target) -> float:
    return float(sk.root_mean_squared_error(y, predictions[:, 0]))


def _rmsle(y: Array, predictions: Array, target: Target) -> float:
    return float(sk.root_mean_squared_log_error(y, np.maximum(predictions[:, 0], 0.0)))


def _rmse_log(y: Array, predictions: Array, target: Target) -> float:
    # What has no logarithm counts as the smallest number that has one: as wrong as can be, while
    # the score stays a number that can be averaged and compared.
    positive = np.maximum(predictions[:, 0], np.finfo(np.float64).tiny)
    return float(sk.root_mean_squared_error(np.log(y), np.log(positive)))


METRICS: Mapping[str, Score] = MappingProxyType(
    {
        "accuracy": _accuracy,
        "auc": _auc,
        "log_loss": _log_loss,
        "rmse": _rmse,
        "rmse_log": _rmse_log,
        "rmsle": _rmsle,
    }
)

OF_NUMBERS = frozenset({"rmse", "rmse_log", "rmsle"})


def named(name: str) -> Metric:
    """Look a metric up, with its direction.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if name not in METRICS:
        msg = f"there is no metric {name!r}; choose one of {', '.join(METRICS)}"
        raise ValueError(msg)
    return Metric(name, higher_is_better=name in {"accuracy", "auc"})


def score(
    metric: Metric, targets: Sequence[Target], ys: Sequence[Array], predictions: Sequence[Array]
) -> float:
    """Score predictions; several targets are scored one by one and averaged.

    Parameters
    ----------
    ys : sequence of ndarray of shape (n_rows,)
        One array per target: class index, or the target in its own unit for regression.
    predictions : sequence of ndarray of shape (n_rows, n_outputs)
        One array per target: probabilities in [0, 1], or what models predict of a number.

    Returns
    -------
    float
        In the metric's own unit and direction.
    """
    function = METRICS[metric.name]
    triples = zip(ys, predictions, targets, strict=True)
    return float(np.mean([function(y, target.from_link(p), target) for y, p, target in triples]))


def margin_to_threshold(target: Target, predictions: Array) -> Array:
    """How far each row is from another label, as a difference in probability."""
    if target.kind == "binary":
        return np.abs(predictions[:, 0] - 0.5)
    best_two = np.sort(predictions, axis=1)[:, -2:]
    return best_two[:, 1] - best_two[:, 0]
