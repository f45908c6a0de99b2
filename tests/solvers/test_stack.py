"""The average, the stack, and the choice between them, on predictions made up for the purpose."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression

from signatures import Metric
from solvers.out_of_fold import BaseModels, Predictions
from solvers.pool import cautious
from solvers.scores import choose, over_seeds
from solvers.stack import average, blend, stack
from solvers.target import Target

ACCURACY, RMSE = Metric("accuracy", True), Metric("rmse", False)
BINARY, THREE, NUMBER = Target("t", ("no", "yes")), Target("t", ("a", "b", "c")), Target("t")
N, N_TEST, REPEATS = 400, 10, 3


@pytest.fixture
def random():
    return np.random.default_rng(0)


@pytest.fixture
def folds(random):
    return [random.permutation(np.arange(N) % 5).astype(np.int16) for _ in range(REPEATS)]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def knowing(y, random, knowledge):
    """Probabilities of a model that knows the class a little, or the wrong way round."""
    odds = knowledge * (2 * y - 1) + random.normal(size=(REPEATS, N))
    test = random.random((REPEATS, N_TEST, 1))
    return Predictions(sigmoid(odds)[:, :, None], test)


def test_average_is_the_mean_of_the_models(random):
    y = np.arange(N) % 2.0
    one, two = knowing(y, random, 1), knowing(y, random, 1)
    both = average([one, two], BINARY)
    assert both.oof == pytest.approx((one.oof + two.oof) / 2)
    assert both.test == pytest.approx((one.test + two.test) / 2)


def test_several_classes_are_averaged_in_logarithms_and_sum_to_one():
    oof = [np.array([[[0.8, 0.1, 0.1]]]), np.array([[[0.2, 0.4, 0.4]]])]
    both = average([Predictions(one, one) for one in oof], THREE)
    # Roots of products: .4, .2 and .2, which sum to .8.
    assert both.oof == pytest.approx(np.array([[[0.5, 0.25, 0.25]]]))
    assert both.test == pytest.approx(both.oof)


def test_no_model_has_a_veto():
    sure, unsure = np.array([[[1.0, 0.0, 0.0]]]), np.array([[[0.2, 0.7, 0.1]]])
    both = average([Predictions(one, one) for one in (sure, unsure)], THREE)
    assert (both.oof > 1e-5).all()


def test_one_more_row_is_thought_wrong_than_was_seen():
    scores = np.array([[3.0, 1.0, 2.0], [5.0, 9.0, 1.0], [0.0, 0.0, 1.0]])
    shares = cautious(scores, np.array([0, 0, 2]))
    # Three rows, so a quarter goes to the best of the others, whoever won.
    assert shares.tolist() == [[0.75, 0, 0.25], [0.75, 0.25, 0], [0.25, 0, 0.75]]


def test_a_pool_of_models_that_never_err_is_not_certain(random, folds):
    y = np.arange(N) % 3
    sharp = np.tile(softmax(9.0 * np.eye(3)[y], axis=1), (REPEATS, 1, 1))
    stacked = stack([Predictions(sharp, sharp[:, :N_TEST])], y.astype(float), folds, THREE)
    right = stacked.oof[0, np.arange(N), y]
    n_others = 4 * N // 5
    assert right == pytest.approx(n_others / (n_others + 1), abs=5e-4)


def test_stack_rows_come_from_a_meta_model_that_did_not_see_them(random, folds):
    y = np.arange(N) % 2.0
    models = [knowing(y, random, 1), knowing(y, random, 0.5)]
    before = stack(models, y, folds, BINARY).oof
    turned = y.copy()
    row = int(np.flatnonzero(folds[0] == 0)[0])
    turned[row] = 1 - turned[row]
    after = stack(models, turned, folds, BINARY).oof
    held_out = folds[0] == 0
    # The row's own label reaches every meta-model but that of its own fold.
    assert (before[0, held_out] == after[0, held_out]).all()
    assert (before[0, ~held_out] != after[0, ~held_out]).any()


@pytest.mark.parametrize("target", [BINARY, THREE, NUMBER], ids=lambda target: target.kind)
def test_stack_has_the_shape_of_a_prediction(random, folds, target):
    y = np.arange(N) % 3.0 if target is THREE else np.arange(N) % 2.0
    shape = (REPEATS, N, target.n_outputs)
    models = [
        Predictions(random.random(shape), random.random((REPEATS, N_TEST, target.n_outputs)))
        for _ in range(2)
    ]
    stacked = stack(models, y, folds, target)
    assert stacked.oof.shape == shape
    assert np.isfinite(stacked.test).all()
    if target.labels:
        assert ((stacked.oof >= 0) & (stacked.oof <= 1)).all()


def test_a_class_that_is_absent_from_the_other_folds_keeps_its_column(random):
    y = np.arange(N) % 2.0
    y[0] = 2.0
    folds = [np.concatenate([[0], np.arange(N - 1) % 5]).astype(np.int16)] * REPEATS
    models = [Predictions(random.random((REPEATS, N, 3)), random.random((REPEATS, N_TEST, 3)))]
    stacked = stack(models, y, folds, THREE)
    assert (stacked.oof[:, folds[0] == 0, 2] > 0).all()
    assert stacked.oof.sum(axis=2) == pytest.approx(1)


def test_several_classes_are_pooled_with_one_weight_per_model(random, folds):
    # The first model halves its log odds, the second knows nothing: weights of 2 and 0 mend that.
    y = random.integers(0, 3, N)
    truth = random.normal(size=(REPEATS, N, 3)) + 3 * np.eye(3)[y]
    drawn = np.array([[random.choice(3, p=softmax(row)) for row in one] for one in truth])
    noise = random.normal(size=(REPEATS, N, 3))
    models = [
        Predictions(softmax(logits, axis=2), softmax(logits, axis=2)[:, :N_TEST])
        for logits in (truth / 2, noise)
    ]
    stacked = stack(models, drawn[0].astype(float), folds, THREE)
    assert stacked.oof[0] == pytest.approx(softmax(truth, axis=2)[0], abs=0.25)
    assert np.corrcoef(stacked.oof[0].ravel(), softmax(truth, axis=2)[0].ravel())[0, 1] > 0.99


def test_a_number_is_stacked_in_the_unit_that_models_predict(random, folds):
    # The model is right about the logarithm, but for a factor and a shift.
    y = np.exp(random.normal(size=N))
    model = Predictions(
        np.tile((np.log(y) / 2 + 1)[:, None], (REPEATS, 1, 1)), np.zeros((REPEATS, N_TEST, 1))
    )
    stacked = stack([model], y, folds, Target("price", link="log"))
    assert stacked.oof[0, :, 0] == pytest.approx(np.log(y))
    assert stacked.test[0, 0, 0] == pytest.approx(-2)


def test_rows_that_no_fold_holds_out_are_neither_stacked_nor_scored(random):
    y = random.normal(size=N)
    folds = [np.where(np.arange(N) < 10, -1, np.arange(N) % 5).astype(np.int16)]
    oof = np.where(np.arange(N)[:, None] < 10, np.nan, y[:, None])[None]
    model = Predictions(oof, np.zeros((1, N_TEST, 1)))
    stacked = stack([model], y, folds, NUMBER)
    assert np.isnan(stacked.oof[0, :10]).all()
    assert stacked.oof[0, 10:, 0] == pytest.approx(y[10:])
    assert over_seeds(RMSE, [NUMBER], [y], [model], folds).mean == 0


def test_certain_probabilities_do_not_break_the_meta_model(random, folds):
    y = np.arange(N) % 2.0
    certain = Predictions(np.tile(y[:, None], (REPEATS, 1, 1)), np.ones((REPEATS, N_TEST, 1)))
    assert np.isfinite(stack([certain], y, folds, BINARY).oof).all()


def test_stack_is_used_where_it_wins_clearly(random, folds):
    # One model knows the answer the wrong way round: an average is lost, a meta-model is not.
    y = random.integers(0, 2, N).astype(float)
    models = {"right": (knowing(y, random, 1.5),), "wrong": (knowing(y, random, -1.5),)}
    blended = blend(BaseModels(models, ()), [y], [BINARY], folds, ACCURACY)
    assert blended.choice.used == "stack"
    assert blended.choice.gain > 2 * blended.choice.error
    assert blended.final is blended.predictions["stack"]
    assert set(blended.scores) == {"right", "wrong", "average", "stack"}


def by_fold(*values):
    """Predict one number in all rows of a fold; the truth is 0, so it is the fold's error too."""
    oof = np.array([values[0], values[1]] * 2).reshape(1, 4, 1)
    return [Predictions(oof, np.zeros((1, 1, 1)))]


@pytest.mark.parametrize(
    ("stacked", "gain", "error", "used"),
    [
        # Differences of -.2 and -.4 have a variance of .02; two folds are corrected by 1/2 + 1/1.
        # The root of the mean square of .8 and .6 is .7071: a gain of one to two errors is noise.
        ((0.8, 0.6), 1 - np.sqrt(0.5), np.sqrt(1.5 * 0.02), "average"),
        ((0.7, 0.6), 1 - np.sqrt(0.425), np.sqrt(1.5 * 0.005), "stack"),
        ((1.2, 1.2), -0.2, 0.0, "average"),
        ((1.0, 1.0), 0.0, 0.0, "average"),
    ],
)
def test_stack_has_to_win_by_more_than_two_corrected_errors(stacked, gain, error, used):
    folds = [np.array([0, 1, 0, 1], dtype=np.int16)]
    choice = choose(RMSE, [NUMBER], [np.zeros(4)], by_fold(1, 1), by_fold(*stacked), folds)
    assert choice.used == used
    assert choice.gain == pytest.approx(gain)
    assert choice.error == pytest.approx(error)


def test_gain_is_the_difference_of_the_scores_in_the_table(random, folds):
    y = random.integers(0, 2, N).astype(float)
    models = {"one": (knowing(y, random, 1),), "two": (knowing(y, random, 0.2),)}
    auc = Metric("auc", higher_is_better=True)
    blended = blend(BaseModels(models, ()), [y], [BINARY], folds, auc)
    table = blended.scores["stack"].mean - blended.scores["average"].mean
    assert blended.choice.gain == pytest.approx(table)


def test_test_rows_come_from_a_meta_model_fitted_on_all_rows(random, folds):
    y = random.integers(0, 2, N).astype(float)
    models = [knowing(y, random, 1), knowing(y, random, 0.5)]
    stacked = stack(models, y, folds, BINARY)

    def odds(arrays):
        return np.log(np.hstack(arrays) / (1 - np.hstack(arrays)))

    for repeat in range(REPEATS):
        meta = LogisticRegression(C=0.1, tol=1e-8, max_iter=1000)
        meta.fit(odds([model.oof[repeat] for model in models]), y)
        expected = meta.predict_proba(odds([model.test[repeat] for model in models]))[:, 1]
        assert stacked.test[repeat, :, 0] == pytest.approx(expected)


def test_a_smaller_error_is_a_gain_where_lower_is_better(folds):
    y = np.zeros(N)
    near, far = (
        [Predictions(np.full((REPEATS, N, 1), value), np.zeros((REPEATS, N_TEST, 1)))]
        for value in (0.1, 0.3)
    )
    choice = choose(RMSE, [NUMBER], [y], far, near, folds)
    assert (choice.used, choice.gain) == ("stack", pytest.approx(0.2))
    assert choose(RMSE, [NUMBER], [y], near, far, folds).used == "average"


def test_error_is_that_of_the_mean_over_fold_seeds():
    y = np.array([0.0, 0.0])
    oof = np.array([[[1.0], [1.0]], [[2.0], [2.0]], [[3.0], [3.0]]])
    folds = [np.zeros(2, dtype=np.int16)] * 3
    score = over_seeds(RMSE, [NUMBER], [y], [Predictions(oof, oof)], folds)
    assert score.per_seed == pytest.approx((1, 2, 3))
    assert score.mean == pytest.approx(2)
    assert score.sem == pytest.approx(1 / np.sqrt(3))


def test_one_fold_seed_has_no_error():
    oof = np.zeros((1, 2, 1))
    folds = [np.zeros(2, dtype=np.int16)]
    assert over_seeds(RMSE, [NUMBER], [np.zeros(2)], [Predictions(oof, oof)], folds).sem is None
