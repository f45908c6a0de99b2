import numpy as np
import pytest
from sklearn import metrics as sk

from signatures import Metric, checks
from solvers.metrics import METRICS, accuracy, margin_to_threshold, score
from solvers.target import Target

BINARY = Target("t", ("no", "yes"))
THREE = Target("t", ("a", "b", "c"))
NUMBER = Target("t")


@pytest.mark.parametrize(
    ("name", "target", "y", "predictions", "by_hand"),
    [
        ("accuracy", BINARY, [0, 1, 1, 0], [[0.1], [0.9], [0.2], [0.4]], 3 / 4),
        ("accuracy", THREE, [0, 2], [[0.5, 0.3, 0.2], [0.5, 0.1, 0.4]], 1 / 2),
        # Of the 2 x 2 pairs of a yes and a no, three are in the right order.
        ("auc", BINARY, [0, 1, 1, 0], [[0.1], [0.9], [0.3], [0.4]], 3 / 4),
        ("log_loss", BINARY, [1, 0], [[0.8], [0.4]], -(np.log(0.8) + np.log(0.6)) / 2),
        ("log_loss", THREE, [1], [[0.2, 0.5, 0.3]], -np.log(0.5)),
        ("rmse", NUMBER, [1.0, 3.0], [[2.0], [1.0]], np.sqrt((1 + 4) / 2)),
        ("rmsle", NUMBER, [np.e - 1], [[0.0]], 1.0),
        ("rmsle", NUMBER, [0.0], [[-5.0]], 0.0),
        # One is told e times too high and one e times too low: each is 1 off in logarithm.
        ("rmse_log", NUMBER, [1.0, np.e], [[np.e], [1.0]], 1.0),
    ],
)
def test_metric_agrees_with_a_case_worked_out_by_hand(name, target, y, predictions, by_hand):
    metric = Metric(name, higher_is_better=name in {"accuracy", "auc"})
    found = score(metric, [target], [np.array(y)], [np.array(predictions)])
    assert found == pytest.approx(by_hand)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("seed", [0, 1])
def test_metric_agrees_with_scikit_learn(name, seed):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, 50) if name in {"accuracy", "auc", "log_loss"} else random.random(50)
    said = random.random(50)
    by_scikit_learn = {
        "accuracy": lambda: sk.accuracy_score(y, said >= 0.5),
        "auc": lambda: sk.roc_auc_score(y, said),
        "log_loss": lambda: sk.log_loss(y, said),
        "rmse": lambda: sk.mean_squared_error(y, said) ** 0.5,
        "rmsle": lambda: sk.mean_squared_log_error(y, said) ** 0.5,
        "rmse_log": lambda: sk.mean_squared_error(np.log(y), np.log(said)) ** 0.5,
    }
    target = BINARY if name in {"accuracy", "auc", "log_loss"} else NUMBER
    found = score(Metric(name, True), [target], [y], [said[:, np.newaxis]])
    assert found == pytest.approx(by_scikit_learn[name]())


def test_a_prediction_without_a_logarithm_costs_much_and_stays_a_number():
    metric, y = Metric("rmse_log", False), np.array([200_000.0])
    bad, none = (score(metric, [NUMBER], [y], [np.array([[value]])]) for value in (1.0, -5.0))
    assert bad < none < np.inf
    assert none == score(metric, [NUMBER], [y], [np.array([[0.0]])])


def test_probabilities_in_single_precision_are_scored_without_a_warning():
    shares = np.array([[0.2, 0.5, 0.3000001]])
    assert score(Metric("log_loss", False), [THREE], [np.array([1])], [shares]) == pytest.approx(
        -np.log(0.5), abs=1e-6
    )


def test_what_is_no_class_is_wrong_for_every_class():
    assert accuracy([0, 1, 2], [0, -1, -1]) == pytest.approx(1 / 3)


def test_several_targets_are_averaged():
    metric = Metric("rmse", higher_is_better=False)
    ys = [np.array([0.0]), np.array([0.0])]
    assert score(metric, [NUMBER, NUMBER], ys, [np.array([[1.0]]), np.array([[3.0]])]) == 2.0


def test_every_metric_that_a_signature_may_name_can_be_computed():
    assert set(METRICS) == set(checks.METRICS)


def test_margin_is_the_distance_to_another_label():
    assert margin_to_threshold(BINARY, np.array([[0.6], [0.5]])) == pytest.approx([0.1, 0.0])
    assert margin_to_threshold(THREE, np.array([[0.5, 0.1, 0.4]])) == pytest.approx([0.1])
