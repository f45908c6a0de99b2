"""Declared Gaussian processes, and a model on what they leave over, worked out by hand."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from solvers.models import Fitted, LightGBM
from solvers.models.gaussian_process import GaussianProcess, Rough, Smooth, Term
from solvers.models.residuals import OnResiduals
from solvers.target import Target

NUMBER = Target("n")
NEAR = (Term(2.0, (Smooth("x", 1.0),)),)


def told(model, X, y, X_new):
    return model.fit_predict(X, y, X_new, target=NUMBER, seed=0).predictions[:, 0]


def table(x, group=0.0):
    return pd.DataFrame({"x": x, "group": group})


def test_kernels_fall_with_distance_in_their_own_way():
    here, there = np.array([0.0]), np.array([0.0, 2.0, 4.0])
    assert Smooth("x", 2.0)(here, there)[0] == pytest.approx([1, np.exp(-0.5), np.exp(-2)])
    assert Rough("x", 2.0)(here, there)[0] == pytest.approx([1, np.exp(-1), np.exp(-2)])


def test_two_rows_and_one_between_them():
    y = np.array([1.0, 3.0])  # around a mean of 2: -1 and 1
    new = told(GaussianProcess(NEAR, 0.5, "group"), table([0.0, 1.0]), y, table([0.5, 0.0]))
    # The kernel is 1 + 2 exp(-d^2 / 2); for opposite errors the constant has no say.
    far = 2 * np.exp(-0.5)
    weight = 1 / (2 + 0.5 - far)
    assert new == pytest.approx([2.0, 2 - weight * (2 - far)])


def test_a_product_asks_for_likeness_in_all_factors():
    both = GaussianProcess((Term(2.0, (Smooth("x", 1.0), Rough("z", 1.0))),), 0.5, "group")
    X = table([0.0, 0.0]).assign(z=[0.0, 100.0])
    alike = told(both, X, np.array([1.0, 3.0]), X)
    assert alike == pytest.approx([2 - 2 / 2.5, 2 + 2 / 2.5])


def test_groups_tell_each_other_nothing_and_an_unknown_one_gets_the_mean():
    X = pd.concat([table([0.0, 1.0], 0.0), table([0.0, 1.0], 1.0)], ignore_index=True)
    y = np.array([1.0, 3.0, 10.0, 30.0])
    model = GaussianProcess(NEAR, 0.5, "group")
    alone = told(model, X[:2], y[:2], table([0.3]))
    assert told(model, X, y, table([0.3])) == pytest.approx(alone)
    assert told(model, X, y, table([0.3], 9.0)) == pytest.approx([11.0])


def test_leaving_a_row_out_is_a_fit_without_it():
    X = table([0.0, 0.7, 1.0, 2.5, 4.0])
    y = np.array([0.0, 2.0, 5.0, 1.0, 2.0])  # without a 2 the mean is still 2
    model = GaussianProcess(NEAR, 0.3, "group")
    left_out = model.left_out(X, y)
    for row in (1, 4):
        others = np.arange(5) != row
        (expected,) = told(model, X[others], y[others], X[~others])
        assert left_out[row] == pytest.approx(expected)


def test_a_group_of_one_row_is_itself():
    assert GaussianProcess(NEAR, 0.3, "group").left_out(table([1.0]), np.array([7.0])) == [7.0]


def test_a_second_fit_has_the_same_bytes_and_rehearsal_is_the_model_itself():
    random = np.random.default_rng(0)
    X = table(random.normal(size=60), random.integers(0, 3, 60))
    y = random.normal(size=60)
    model = GaussianProcess(NEAR, 0.3, "group")
    assert told(model, X, y, X).tobytes() == told(model, X, y, X).tobytes()
    assert model.rehearsal(0.25) == model


@dataclass(frozen=True)
class Five:
    """Predicts 5, and 4 for a row that it did not see."""

    name: str = "five"

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(np.full((len(X_new), 1), 5.0))

    def left_out(self, X, y):
        return np.full(len(y), 4.0)

    def rehearsal(self, work):
        return self


class MeanOf(Five):
    """Predicts the mean of what it was given."""

    def fit_predict(self, X, y, X_new, *, target, seed):
        return Fitted(np.full((len(X_new), 1), y.mean()), rounds=3, importance=np.ones(2) / 2)


def test_the_second_model_learns_what_is_left_over_of_rows_not_seen():
    model = OnResiduals(MeanOf("mean"), first=Five())
    fitted = model.fit_predict(
        table([0.0, 1.0]), np.array([6.0, 8.0]), table([0.0]), target=NUMBER, seed=0
    )
    assert fitted.predictions.tolist() == [[5 + (2 + 4) / 2]]
    assert fitted.rounds == 3
    assert fitted.importance.tolist() == [0.5, 0.5]
    assert model.name == "mean_on_five"


def test_both_models_are_rehearsed():
    model = OnResiduals(LightGBM(rounds=100), first=GaussianProcess(NEAR, 0.3, "group"))
    assert model.rehearsal(0.1).inner.rounds == 10
    assert model.rehearsal(0.1).name == "lightgbm_on_gaussian_process"


def test_steps_that_a_smooth_model_misses_are_learnt():
    x = np.linspace(-1, 1, 200)
    step = (x > 0.1) * 1.0
    smooth = GaussianProcess((Term(1.0, (Smooth("x", 1.0),)),), 0.3, "group")
    both = OnResiduals(LightGBM(rounds=50, min_data_in_leaf=5), first=smooth)
    errors = [np.abs(told(m, table(x), step, table(x)) - step).mean() for m in (smooth, both)]
    assert errors[1] < errors[0] / 3
