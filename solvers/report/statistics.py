"""What the figures show, worked out in NumPy."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.target import Array

Counts = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Calibration:
    """Predictions in bins of equal width: their mean, the share that came true, their number."""

    edges: Array
    predicted: Array
    observed: Array
    counts: Counts

    @property
    def gap(self) -> float:
        """Mean distance of prediction and share, each bin weighted by its number."""
        kept = self.counts > 0
        distance = np.abs(self.predicted[kept] - self.observed[kept])
        return float(np.average(distance, weights=self.counts[kept]))


def calibrate(probability: Array, came_true: Array, n_bins: int = 10) -> Calibration:
    """Compare probabilities with what came true.

    >>> bins = calibrate(np.array([0.05, 0.05, 0.95]), np.array([0.0, 1.0, 1.0]))
    >>> bins.counts[[0, -1]].tolist(), bins.observed.tolist()[0], round(bins.gap, 3)
    ([2, 1], 0.5, 0.317)
    """
    number = np.clip((probability * n_bins).astype(np.intp), 0, n_bins - 1)
    counts = np.bincount(number, minlength=n_bins)
    safe = np.maximum(counts, 1)
    predicted = np.bincount(number, weights=probability, minlength=n_bins) / safe
    observed = np.bincount(number, weights=came_true, minlength=n_bins) / safe
    return Calibration(np.linspace(0, 1, n_bins + 1), predicted, observed, counts)


@dataclass(frozen=True)
class Roc:
    """A receiver operating characteristic: the mean over fold seeds; the area of each."""

    false_positives: Array
    true_positives: Array
    areas: Array

    def area_text(self) -> str:
        """Write the area with as many decimals as its standard error allows; three without."""
        mean = float(self.areas.mean())
        if len(self.areas) < 2:
            return f"{mean:.3f}"
        error = float(self.areas.std(ddof=1) / np.sqrt(len(self.areas)))
        places = 3 if error >= 0.0005 else 4
        return f"{mean:.{places}f} ± {error:.{places}f}"


def roc(truth: Array, probability: Array, seed_of: npt.NDArray[np.int16]) -> Roc | None:
    """Trace the curve in each fold seed; None where a fold seed has one class only.

    >>> curve = roc(np.array([0.0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8]), np.zeros(4, "i2"))
    >>> curve.areas.tolist()
    [0.75]
    """
    grid = np.linspace(0, 1, 121) ** 1.5  # curves are steep at the left
    curves, areas = [], []
    for seed in range(int(seed_of[-1]) + 1):
        rows = slice(*np.searchsorted(seed_of, [seed, seed + 1]))
        order = np.argsort(-probability[rows], kind="stable")
        y, p = truth[rows][order], probability[rows][order]
        ends = np.append(np.flatnonzero(np.diff(p)), len(p) - 1)  # equal scores are one step
        hits = np.append(0.0, np.cumsum(y)[ends])
        misses = np.append(0.0, ends + 1) - hits
        if not hits[-1] or not misses[-1]:
            return None
        x, height = misses / misses[-1], hits / hits[-1]
        areas.append(float(np.sum(np.diff(x) * (height[1:] + height[:-1]) / 2)))
        curves.append(np.interp(grid, x, height))
    return Roc(grid, np.mean(curves, axis=0), np.array(areas))


def correlation(predictions: list[Array]) -> Array:
    """Correlate models' predictions; of several classes, each about its own mean.

    >>> correlation([np.array([[0.0], [1.0], [2.0]]), np.array([[1.0], [3.0], [5.0]])]).round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    centred = [array - array.mean(axis=0) for array in predictions]
    products = np.array([[np.vdot(a, b) for b in centred] for a in centred])
    sizes = np.sqrt(np.diag(products))
    # A model that predicts one number for all is correlated with nothing.
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(products / np.outer(sizes, sizes))


@dataclass(frozen=True)
class Pair:
    """Rows of class `true` that were taken for class `taken`, and their share of that class."""

    true: int
    taken: int
    count: int
    share: float


def confused(truth: Array, taken: Array, n_classes: int) -> list[Pair]:
    """List the mistakes, the most frequent first. Works for thousands of classes."""
    of_class = np.bincount(truth.astype(np.intp), minlength=n_classes)
    wrong = truth != taken
    codes, counts = np.unique(truth[wrong] * n_classes + taken[wrong], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [
        Pair(true, taken_for, int(n), float(n / of_class[true]))
        for (true, taken_for), n in ((divmod(int(codes[i]), n_classes), counts[i]) for i in order)
    ]


def confusion(truth: Array, taken: Array, n_classes: int) -> Counts:
    """Count rows by true class and by the class they were taken for."""
    codes = (truth * n_classes + taken).astype(np.intp)
    return np.bincount(codes, minlength=n_classes**2).reshape(n_classes, n_classes)
