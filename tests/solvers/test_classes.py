"""Models of many classes and their calibration, on points made up for the purpose."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

from solvers.models.axes import DiscriminantAxes, whitened
from solvers.models.base import Fitted, Quick
from solvers.models.calibrated import Calibrated, best_scale, dealt
from solvers.models.classes import ClassDuels, ClassKernel, worst_duel
from solvers.target import Target

MODELS = [ClassDuels(), ClassKernel()]
MODELS += [Calibrated(model) for model in MODELS]
TARGETS = [Target("t", ("a", "b")), Target("t", ("a", "b", "c", "d"))]


def clouds(n_classes, n=160, seed=0):
    """Round clouds in six dimensions, far enough apart to tell most points."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    middle = np.random.default_rng(99).normal(0, 2, (n_classes, 6))
    return pd.DataFrame(middle[y] + random.normal(size=(n, 6))), y.astype(float)


@pytest.fixture(params=MODELS, ids=lambda model: f"{type(model).__name__}-{model.name}")
def model(request):
    return request.param


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.kind)
def test_probabilities_tell_the_class_and_come_again(model, target):
    X, y = clouds(len(target.labels))
    X_new, truth = clouds(len(target.labels), n=80, seed=1)
    first, again = (model.fit_predict(X, y, X_new, target=target, seed=3) for _ in range(2))
    assert first.predictions.tobytes() == again.predictions.tobytes()
    assert first.predictions.shape == (80, target.n_outputs)
    assert ((first.predictions >= 0) & (first.predictions <= 1)).all()
    assert (target.class_index(first.predictions) == truth).mean() > 0.9
    if target.kind == "multiclass":
        assert first.predictions.sum(axis=1) == pytest.approx(1)


def test_a_class_that_is_absent_from_a_fit_has_no_chance(model):
    X, y = clouds(4)
    kept = y != 2
    predictions = model.fit_predict(X[kept], y[kept], X, target=TARGETS[1], seed=0).predictions
    assert predictions.shape == (len(X), 4)
    assert predictions[:, 2].max() < 1e-6


def test_a_class_of_one_row_can_be_fitted(model):
    X, y = clouds(4)
    kept = (y != 2) | (np.arange(len(y)) == 2)
    predictions = model.fit_predict(X[kept], y[kept], X, target=TARGETS[1], seed=0).predictions
    assert np.isfinite(predictions).all()
    assert predictions[:, 2].argmax() % 4 == 2  # wherever that is likeliest, it is right


@pytest.mark.parametrize("number", [model for model in MODELS if not isinstance(model, Calibrated)])
def test_a_number_is_refused(number):
    X, y = clouds(4)
    with pytest.raises(ValueError, match="'t' is a number"):
        number.fit_predict(X, y, X, target=Target("t"), seed=0)


def test_classes_spread_by_one_in_every_direction_once_whitened():
    X, y = clouds(4)
    skewed = X.to_numpy() @ np.random.default_rng(1).normal(size=(6, 6))
    white = whitened(skewed, y, skewed[:5], shrink=0.0)
    rest = white.old - white.means[y.astype(int)]
    assert rest.T @ rest / (len(y) - 4) == pytest.approx(np.eye(6), abs=1e-9)
    assert white.new == pytest.approx(white.old[:5])
    assert white.known.tolist() == [0, 1, 2, 3]


def test_axes_are_those_that_tell_means_apart():
    X, y = clouds(3)
    points, new, known = DiscriminantAxes(shrink=0.0)(X.to_numpy(), y, X.to_numpy())
    assert points.shape == (len(X), 2)  # three means lie in a plane
    assert (new == points).all()
    assert known.tolist() == [0, 1, 2]
    assert points.mean(axis=0) == pytest.approx(0, abs=1e-9)
    assert points.std() == pytest.approx(1)


def test_a_class_is_as_good_as_its_worst_duel():
    # a beats b by 3 and c by 1; b loses to c by 2.
    assert worst_duel(np.array([[3.0, 1.0, -2.0]]), 3).tolist() == [[1.0, -3.0, -1.0]]
    # Of two classes there is one number, in favour of the second.
    assert worst_duel(np.array([0.5]), 2).tolist() == [[-0.5, 0.5]]


@dataclass(frozen=True)
class HalfSure(Quick):
    """Knows odds, and says their root; `X` holds the logarithms of the odds."""

    name: str = "half"

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(softmax(X_new.to_numpy() / 2, axis=1))


def test_calibration_finds_how_sure_to_be():
    random = np.random.default_rng(0)
    logs = random.normal(0, 2, (4000, 4))
    drawn = np.array([random.choice(4, p=softmax(row)) for row in logs]).astype(float)
    told = Calibrated(HalfSure()).fit_predict(
        pd.DataFrame(logs), drawn, pd.DataFrame(logs[:100]), target=TARGETS[1], seed=0
    )
    assert told.predictions == pytest.approx(softmax(logs[:100], axis=1), abs=0.04)


def test_who_never_errs_is_not_certain():
    logs = np.log(softmax(np.array([[3.0, 0.0], [0.0, 3.0]] * 50), axis=1))
    scale = best_scale(logs, np.array([0, 1] * 50))
    # A hundred rows right, and one thought wrong: odds of a hundred to one.
    assert np.exp(3 * scale) == pytest.approx(100, rel=1e-3)
    assert best_scale(logs[:0], np.array([], dtype=np.intp)) == 1.0


def test_each_fold_has_its_part_of_each_class():
    classes = np.repeat(np.arange(5), [8, 7, 6, 5, 4])
    folds = dealt(classes, 4, seed=1)
    assert np.bincount(folds).tolist() == [8, 8, 7, 7]
    for kind in range(5):
        counts = np.bincount(folds[classes == kind], minlength=4)
        assert counts.max() - counts.min() <= 1
    assert (folds == dealt(classes, 4, seed=1)).all()
    assert (folds != dealt(classes, 4, seed=2)).any()
