import numpy as np
import pytest

from signatures import Metric, checks
from solvers.metrics import METRICS, margin_to_threshold, score
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
    ],
)
def test_metric_agrees_with_a_case_worked_out_by_hand(name, target, y, predictions, by_hand):
    metric = Metric(name, higher_is_better=name in {"accuracy", "auc"})
    found = score(metric, [target], [np.array(y)], [np.array(predictions)])
    assert found == pytest.approx(by_hand)


def test_several_targets_are_averaged():
    metric = Metric("rmse", higher_is_better=False)
    ys = [np.array([0.0]), np.array([0.0])]
    assert score(metric, [NUMBER, NUMBER], ys, [np.array([[1.0]]), np.array([[3.0]])]) == 2.0


def test_every_metric_that_a_signature_may_name_can_be_computed():
    assert set(METRICS) == set(checks.METRICS)


def test_margin_is_the_distance_to_another_label():
    assert margin_to_threshold(BINARY, np.array([[0.6], [0.5]])) == pytest.approx([0.1, 0.0])
    assert margin_to_threshold(THREE, np.array([[0.5, 0.1, 0.4]])) == pytest.approx([0.1])
