"""Features and models of the enzyme substrates on a few made-up molecules, by hand."""

import numpy as np
import pandas as pd
import pytest

from solvers import contract
from solvers.models import Fitted
from solvers.models.exact_values import ExactValues, indicators, value_codes
from solvers.models.extra_trees import ExtraTrees
from solvers.models.wrappers import WithoutColumns
from solvers.target import Target
from solvers.tasks.playground_series_s3e18 import (
    DESCRIPTORS,
    SOLVER,
    descriptors,
    fidelity,
    molecules,
)

BINARY = Target("EC1", ("0", "1"))


def rows(*weights):
    """Molecules that differ in one descriptor only."""
    table = pd.DataFrame(1.0, index=range(len(weights)), columns=DESCRIPTORS)
    return table.assign(ExactMolWt=weights)


def test_labels_and_id_are_no_descriptors():
    assert len(DESCRIPTORS) == 31
    assert not {"id", "EC1", "EC3", "EC6"} & set(DESCRIPTORS)


def test_descriptors_are_as_they_are():
    table = rows(18.01, 46.07)
    pd.testing.assert_frame_equal(descriptors(table, table), table)


def test_a_value_that_one_row_alone_holds_is_made_up():
    table = rows(18.01, 18.01, 46.07)
    told = fidelity(table, table)
    assert told["made_up_values"].tolist() == [0, 0, 1]
    # Thirty columns hold one value three times; the weight is there twice, twice and once.
    usual = [(30 * np.log(3) + np.log(times)) / 31 for times in (2, 2, 1)]
    assert told["usual_count"].tolist() == pytest.approx(usual)


def test_values_are_the_same_to_five_decimals():
    table = rows(18.010001, 18.010002)
    assert fidelity(table, table)["made_up_values"].tolist() == [0, 0]


def test_values_are_numbered_and_unknown_ones_are_not():
    known = np.array([[2.5], [1.0], [2.5], [np.nan]])
    codes, new = value_codes(known, np.array([[1.0], [7.0], [np.nan]]))
    assert codes[:, 0].tolist() == [1, 0, 1, 2]
    assert new[:, 0].tolist() == [0, -1, 2]


def test_only_a_value_held_often_enough_has_an_indicator():
    codes, new = np.array([0, 0, 1, 2, 2]), np.array([2, 1, 0, -1])
    fitted, predicted = indicators(codes, new, min_count=2, weight=0.5)
    assert fitted.toarray().tolist() == [[0.5, 0], [0.5, 0], [0, 0], [0, 0.5], [0, 0.5]]
    assert predicted.toarray().tolist() == [[0, 0.5], [0, 0], [0.5, 0], [0, 0]]


def test_exact_values_learn_what_is_no_trend():
    X = pd.DataFrame({"a": np.tile([1.0, 2.0, 3.0, 4.0], 25)})
    y = np.tile([0.0, 1.0, 0.0, 1.0], 25)
    new = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 9.0]})
    told = ExactValues(C=1.0).fit_predict(X, y, new, target=BINARY, seed=0).predictions[:, 0]
    assert (told[[1, 3]] > 0.8).all()
    assert (told[[0, 2]] < 0.2).all()
    assert told[4] == pytest.approx(0.5, abs=0.05)


def test_pairs_learn_what_no_value_tells_alone():
    X = pd.DataFrame({"a": np.tile([0.0, 0, 1, 1], 25), "b": np.tile([0.0, 1, 0, 1], 25)})
    y = np.tile([0.0, 1, 1, 0], 25)
    model = ExactValues(C=1.0, min_pair=5, pair_weight=1.0)
    told = model.fit_predict(X, y, X[:4], target=BINARY, seed=0).predictions[:, 0]
    assert (told > 0.5).tolist() == [False, True, True, False]


def test_exact_values_refuse_what_is_not_two_classes():
    X = pd.DataFrame({"a": [1.0, 2.0]})
    with pytest.raises(ValueError, match="two classes"):
        ExactValues().fit_predict(X, np.array([0.5, 1.5]), X, target=Target("y"), seed=0)


class Spy:
    """A model that tells which columns it sees."""

    name = "spy"

    def fit_predict(self, X, y, X_new, *, target, seed):
        assert list(X_new.columns) == list(X.columns)
        return Fitted(np.zeros((len(X_new), 1)), importance=np.arange(1.0, X.shape[1] + 1))

    def rehearsal(self, work):
        return self


def test_what_is_hidden_is_not_seen_and_has_no_importance():
    X = pd.DataFrame({"a": [1.0], "b": [2.0], "c": [3.0]})
    fitted = WithoutColumns(Spy(), ("b",)).fit_predict(X, np.zeros(1), X, target=BINARY, seed=0)
    assert fitted.importance.tolist() == [1, 0, 2]


@pytest.mark.parametrize("labels", [(), ("0", "1"), ("a", "b", "c")])
def test_extra_trees_shape_predictions_as_the_target_asks(labels):
    target = Target("y", labels)
    X = pd.DataFrame({"a": np.arange(90.0)})
    y = np.repeat([0.0, 1.0], 45)
    model = ExtraTrees(trees=5)
    told = model.fit_predict(X, y, X[:7], target=target, seed=1).predictions
    again = model.fit_predict(X, y, X[:7], target=target, seed=1).predictions
    assert told.shape == (7, target.n_outputs)
    assert np.array_equal(told, again)
    if len(labels) == 3:
        assert (told[:, 2] == 0).all()


def test_example_satisfies_the_contract():
    train, test, sample = molecules(60, 20, 3)
    for table in (train, test):
        assert contract.check(table.astype(str), SOLVER.contract, name="rows").failures == ()
    assert list(sample.columns) == ["id", "EC1", "EC2"]
    assert set(train.columns) - set(test.columns) == {f"EC{number}" for number in range(1, 7)}
