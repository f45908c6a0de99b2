"""A solver as a scikit-learn estimator: any table's, and a known task's."""

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from signatures import REGISTRY, TaskRejectedError
from solvers import StackedSolver, load_solver
from solvers.models import CatBoost, LightGBM, XGBoost, base
from solvers.models.kernels import KernelRidge
from solvers.models.sturdy import Sturdy
from solvers.out_of_fold import FitFailedError

SMALL = (
    Sturdy(CatBoost(rounds=20, learning_rate=0.2)),
    Sturdy(XGBoost(rounds=20, learning_rate=0.2)),
    Sturdy(LightGBM(rounds=20, learning_rate=0.2, min_data_in_leaf=3)),
)


def small(**parameters):
    return StackedSolver(**{"models": SMALL, "profile": "quick", **parameters})


def table(n=120, seed=0):
    """Numbers with gaps, a flag and a word, and a class that they tell."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": random.normal(size=n),
            "gaps": np.where(random.random(n) < 0.2, np.nan, random.random(n)),
            "flag": random.random(n) < 0.5,
            "word": random.choice(["red", "green", "blue"], n),
        }
    )
    return X, np.where(X["size"] + (X["word"] == "red") > 0.3, "yes", "no")


@pytest.fixture(scope="module")
def passengers():
    """Synthetic passengers as pandas types them, and what became of them."""
    train, test, _ = REGISTRY["spaceship-titanic"].load_solver().example(240, 60, 1)

    def typed(text):
        amounts = ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
        flags = {"True": True, "False": False}
        return text.assign(
            **{name: pd.to_numeric(text[name]) for name in amounts},
            **{name: text[name].map(flags) for name in ("CryoSleep", "VIP")},
        )

    train = typed(train)
    return train.drop(columns="Transported"), train["Transported"].eq("True"), typed(test)


def solver(**parameters):
    return load_solver("spaceship-titanic", profile="quick", **parameters)


@pytest.fixture(scope="module")
def fitted(passengers):
    X, y, _ = passengers
    return solver().fit(X, y)


# Its own checks warn of casts in a library that they bring.
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning:sklearn")
@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
def test_every_check_of_scikit_learn_passes_and_none_is_excepted(metric):
    quick = tuple(dataclasses.replace(m, inner=m.inner.rehearsal(0.5)) for m in SMALL[1:])
    estimator = small(metric=metric, models=quick)
    results = check_estimator(estimator, on_skip=None, expected_failed_checks={})
    skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
    # It asks for an environment variable of SciPy's, which is for other arrays than NumPy's.
    assert skipped <= {"check_array_api_input"}


def test_the_metric_says_whether_it_tells_classes():
    assert is_classifier(small(metric="log_loss"))
    assert is_regressor(small(metric="rmsle"))
    assert not hasattr(small(metric="rmsle"), "predict_proba")


def test_words_flags_and_gaps_of_ones_own_frame_are_taken_as_they_are():
    X, y = table()
    told = small().fit(X[:90], y[:90])
    assert told.score(X[90:], y[90:]) > 0.8
    assert told.predict_proba(X[90:]).shape == (30, 2)
    assert set(told.scores_) == {"catboost", "xgboost", "lightgbm", "average", "stack"}


def test_a_word_that_was_never_seen_does_not_move_the_others():
    X, y = table()
    told = small().fit(X[:90], y[:90])
    before = told.predict_proba(X[90:])
    strange = pd.concat([X[90:], X[90:91].assign(word="aquamarine")])
    assert told.predict_proba(strange)[:-1] == pytest.approx(before, abs=0)


def test_it_works_at_the_end_of_a_pipeline_and_in_a_cross_validation():
    X, y = table()
    numbers = FunctionTransformer(lambda rows: rows[["size", "gaps"]])
    pipeline = make_pipeline(numbers, StandardScaler(), small())
    scores = cross_val_score(pipeline, X, y, cv=2, error_score="raise")
    assert scores.min() > 0.6


def test_a_model_that_keeps_nothing_is_fitted_again_for_new_rows():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] + X[:, 1]
    kernel = KernelRidge(gamma=0.1, linear=1.0, noise=0.01)
    told = small(models=(kernel,), metric="rmse").fit(X[:40], y[:40])
    assert all(result.learned is None for result in told.stacked_.base.results)
    assert np.abs(told.predict(X[40:]) - y[40:]).max() < 0.2


def test_a_wrapper_that_passes_on_what_is_not_its_own_is_found_out():
    class Doubled(base.Wrapper):
        def fit_predict(self, X, y, X_new, *, target, seed):
            fitted = self.inner.fit_predict(X, y, X_new, target=target, seed=seed)
            return dataclasses.replace(fitted, predictions=fitted.predictions / 2)

    X, y = table()
    with pytest.raises(FitFailedError, match="learned predicts otherwise than it did"):
        small(models=(Doubled(SMALL[2]),)).fit(X, y)


def test_several_targets_are_told_apart():
    X, y = table()
    two = pd.DataFrame({"one": y, "other": X["flag"]})
    told = small(metric="auc").fit(X[:90], two[:90])
    assert told.predict(X[90:]).shape == (30, 2)
    assert [p.shape for p in told.predict_proba(X[90:])] == [(30, 2), (30, 2)]
    assert told.score(X[90:], two[90:]) > 0.7


def test_what_cannot_be_is_said_in_a_sentence():
    X, y = table(30)
    for parameters, target, words in [
        ({"metric": "speed"}, y, "there is no metric 'speed'; choose one of accuracy"),
        ({"profile": "slow"}, y, "there is no profile 'slow'"),
        ({"metric": "auc"}, X["word"], "auc is of two classes, found 3"),
        ({"metric": "rmsle"}, X["size"] - 9, "rmsle compares logarithms: y must be 0 or more"),
        ({}, np.full(30, "yes"), "found one class only: .*yes"),
        ({"jobs": 0}, y, "jobs must be 1 or more"),
    ]:
        with pytest.raises(ValueError, match=words):
            small(**parameters).fit(X, target)
    with pytest.raises(ValueError, match="3 folds need as many rows at least; found n_samples=2"):
        small().fit(X[:2], ["yes", "no"])
    with pytest.raises(ValueError, match="'size' holds infinity"):
        small().fit(X.assign(size=np.inf), y)


def test_a_known_task_is_fitted_to_a_frame_that_pandas_has_typed(fitted, passengers):
    X, y, test = passengers
    assert fitted.predict(test).dtype == bool
    assert fitted.scores_[fitted.blend_][0] > 0.6
    assert fitted.score(X, y) > 0.8
    assert list(fitted.feature_names_in_[:2]) == ["PassengerId", "HomePlanet"]


def test_order_of_rows_and_columns_does_not_matter(fitted, passengers):
    X, y, test = passengers
    shuffled = X.sample(frac=1, random_state=0)[list(X.columns[::-1])]
    again = solver().fit(shuffled, y[shuffled.index])
    turned = test[::-1]
    assert (again.predict_proba(turned) == fitted.predict_proba(test)[::-1]).all()


def test_processes_do_not_change_the_prediction(fitted, passengers):
    X, y, test = passengers
    again = solver(jobs=2).fit(X, y)
    assert (again.predict_proba(test) == fitted.predict_proba(test)).all()


def test_a_fitted_row_is_not_described_together_with_itself(fitted, passengers):
    X, _, _ = passengers
    data = fitted._beside_fitted(fitted._rows(X, "test"))
    assert len(data.rows) == len(X)


def test_a_pickle_predicts_the_same(fitted, passengers):
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict_proba(passengers[2]) == fitted.predict_proba(passengers[2])).all()


def test_parameters_set_after_a_fit_do_not_change_what_was_fitted(fitted, passengers):
    copy = pickle.loads(pickle.dumps(fitted)).set_params(rules=(), features=())
    assert (copy.predict_proba(passengers[2]) == fitted.predict_proba(passengers[2])).all()


def test_broken_rows_are_told_as_the_contract_tells_them(fitted, passengers):
    X, y, test = passengers
    with pytest.raises(TaskRejectedError, match=r"test: Age: expected an age .* 1 row with '-5'"):
        fitted.predict(test.assign(Age=[-5.0, *test["Age"][1:]]))
    with pytest.raises(TaskRejectedError, match="train: the column 'Cabin' is missing"):
        solver().fit(X.drop(columns="Cabin"), y)
    with pytest.raises(TypeError, match="expected a DataFrame with the contract's columns"):
        solver().fit(X.to_numpy(), y)


def test_a_known_solver_is_a_copy_that_knows_its_metric_and_id():
    shared = REGISTRY["spaceship-titanic"].load_solver()
    mine = solver(seed=3)
    assert mine is not shared
    assert (mine.metric, mine.id, mine.seed, shared.seed) == ("accuracy", "PassengerId", 3, 0)
    assert clone(mine).get_params()["seed"] == 3
    with pytest.raises(KeyError, match="no known task 'spaceship'"):
        load_solver("spaceship")


def test_parts_of_a_target_are_columns_of_the_fit():
    rides = load_solver("bike-sharing-demand", profile="quick", models=(SMALL[2],))
    train, test, _ = rides.example(200, 50, 0)
    X, y = train.drop(columns="count"), train["count"].astype(float)
    assert (rides.fit(X, y).predict(test) >= 0).all()
    with pytest.raises(TaskRejectedError, match="'casual' is missing"):
        rides.fit(X.drop(columns="casual"), y)


@pytest.mark.parametrize(
    ("parameters", "changed", "sentence"),
    [
        ({}, lambda X, y: (X, np.where(X.index == 3, None, y)), "a row has no class"),
        ({}, lambda X, y: (X, np.full(len(X), "no")), "found one class only: 'no'"),
        ({}, lambda X, y: (X.set_axis(list("aabc"), axis=1), y), "columns of the same name: 'a'"),
        ({"id": "row"}, lambda X, y: (X, y), "no column 'row'.*it has 'size', 'gaps', 'flag'"),
        ({"models": ()}, lambda X, y: (X, y), "expected one base model at least"),
        ({"seed": -1}, lambda X, y: (X, y), "a whole number, 0 or more, not -1"),
        ({"seed": "x"}, lambda X, y: (X, y), "a whole number, 0 or more, not 'x'"),
        ({"metric": "rmse"}, lambda X, y: (X, X["size"] * 1e40), "scale it down"),
    ],
)
def test_what_cannot_be_fitted_is_told_in_a_sentence(parameters, changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        small(**parameters).fit(*changed(*table(60)))
