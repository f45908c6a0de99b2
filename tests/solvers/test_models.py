"""Every base model on every kind of target, on made-up numbers."""

import dataclasses
import functools
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from signatures import MissingDependencyError
from solvers.models import CatBoost, LightGBM, XGBoost, as_numbers, base
from solvers.models.averaged import Averaged
from solvers.models.broken_lines import BrokenLines
from solvers.models.calibrated import Calibrated
from solvers.models.companions import Mates, WithMates
from solvers.models.extra_trees import ExtraTrees
from solvers.models.gaussian_process import GaussianProcess
from solvers.models.residuals import OnResiduals
from solvers.models.sturdy import Sturdy
from solvers.models.wrappers import AsCodes, WithoutColumns, WithoutRows
from solvers.target import Target

MODELS = [
    LightGBM(rounds=20, bagging_fraction=0.8, feature_fraction=0.8),
    XGBoost(rounds=20, subsample=0.8, colsample_bytree=0.8),
    CatBoost(rounds=20),
]
TARGETS = {
    "binary": Target("t", ("no", "yes")),
    "multiclass": Target("t", ("a", "b", "c")),
    "regression": Target("t"),
}


def made_up(kind, n=300):
    """Numbers with holes, a category with a level not in train, and a target they tell."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a number": random.normal(size=n),
            'odd "name", [really]': np.where(random.random(n) < 0.1, np.nan, random.random(n)),
            "flag": random.random(n) < 0.5,
            "category": pd.Categorical(
                random.choice(["x", "y"], n), categories=["x", "y", "never seen"]
            ),
        }
    )
    X.loc[X.index[:5], "category"] = None
    signal = X["a number"] + (X["category"] == "x")
    y = {
        "binary": signal > 0,
        "multiclass": pd.cut(signal, [-99, -0.3, 0.8, 99], labels=False),
        "regression": signal,
    }[kind]
    X_new = X.head(50).copy()
    X_new.loc[X_new.index[10:], "category"] = "never seen"
    return X, np.asarray(y, dtype=np.float64), X_new


@pytest.fixture(params=MODELS, ids=lambda model: model.name)
def model(request):
    return request.param


@pytest.mark.parametrize("kind", TARGETS)
def test_predictions_have_one_row_per_row_and_learn(model, kind):
    X, y, _ = made_up(kind)
    target = TARGETS[kind]
    predictions = model.fit_predict(X, y, X, target=target, seed=1).predictions
    assert predictions.shape == (len(X), target.n_outputs)
    assert np.isfinite(predictions).all()
    if kind == "regression":
        assert np.corrcoef(predictions[:, 0], y)[0, 1] > 0.9
    else:
        assert ((predictions >= 0) & (predictions <= 1)).all()
        assert (target.class_index(predictions) == y).mean() > 0.9
    if kind == "multiclass":
        assert predictions.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("kind", TARGETS)
def test_a_second_fit_in_the_same_process_has_the_same_bytes(model, kind):
    X, y, X_new = made_up(kind)
    first = model.fit_predict(X, y, X_new, target=TARGETS[kind], seed=1)
    model.fit_predict(X, y, X_new, target=TARGETS[kind], seed=2)
    again = model.fit_predict(X, y, X_new, target=TARGETS[kind], seed=1)
    assert first.predictions.tobytes() == again.predictions.tobytes()


@pytest.mark.parametrize("kind", TARGETS)
def test_rounds_and_importance_are_told(model, kind):
    X, y, X_new = made_up(kind)
    fitted = model.fit_predict(X, y, X_new, target=TARGETS[kind], seed=1)
    assert fitted.rounds == model.rounds
    assert fitted.importance.shape == (X.shape[1],)
    assert fitted.importance.sum() == pytest.approx(1)
    assert (fitted.importance >= 0).all()


def test_a_feature_that_says_nothing_has_no_importance(model):
    X, y, X_new = made_up("binary")
    X, X_new = X.assign(constant=1.0), X_new.assign(constant=1.0)
    fitted = model.fit_predict(X, y, X_new, target=TARGETS["binary"], seed=1)
    assert fitted.importance[X.columns.get_loc("constant")] == 0
    assert fitted.importance.max() > 0.1


def test_column_names_do_not_matter(model):
    X, y, X_new = made_up("binary")
    names = [f"column_{number}" for number in range(X.shape[1])]
    plain = model.fit_predict(
        X.set_axis(names, axis=1), y, X_new.set_axis(names, axis=1),
        target=TARGETS["binary"], seed=1,
    )  # fmt: skip
    odd = model.fit_predict(X, y, X_new, target=TARGETS["binary"], seed=1)
    assert plain.predictions.tobytes() == odd.predictions.tobytes()


def test_a_class_that_is_absent_from_a_fit_keeps_its_column(model):
    X, y, X_new = made_up("multiclass")
    kept = y != 1
    predictions = model.fit_predict(
        X[kept], y[kept], X_new, target=TARGETS["multiclass"], seed=1
    ).predictions
    assert predictions.shape == (len(X_new), 3)
    assert predictions[:, 1].max() < 0.2


def test_a_direction_is_kept_everywhere(model):
    X, y, _ = made_up("binary")
    X = X[["a number"]]
    y = np.where(np.abs(X["a number"]) < 0.3, 1 - y, y)  # turned round in the middle
    grid = pd.DataFrame({"a number": np.linspace(-2, 2, 200)})
    free, bound = (
        m.fit_predict(X, y, grid, target=TARGETS["binary"], seed=1).predictions[:, 0]
        for m in (model, dataclasses.replace(model, monotone=(("a number", 1),)))
    )
    assert (np.diff(free) < 0).any()
    assert (np.diff(bound) >= 0).all()


def test_nothing_is_written_to_the_working_directory(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y, X_new = made_up("binary")
    model.fit_predict(X, y, X_new, target=TARGETS["binary"], seed=1)
    assert os.listdir(Path.cwd()) == []


def test_a_rehearsal_takes_fewer_and_larger_steps(model):
    rehearsal = model.rehearsal(0.25)
    assert rehearsal.rounds == 5
    assert rehearsal.learning_rate == pytest.approx(0.2)
    assert type(rehearsal) is type(model)


def test_text_is_refused_as_a_feature():
    with pytest.raises(TypeError, match="'name' is"):
        as_numbers(pd.DataFrame({"name": ["Ada"]}))


def test_a_missing_category_has_no_code():
    frame = pd.DataFrame({"c": pd.Categorical([None, "b"], categories=["a", "b"])})
    values, categorical = as_numbers(frame)
    assert categorical == [0]
    assert np.isnan(values[0, 0])
    assert values[1, 0] == 1
    assert as_numbers(frame, missing_category=-1)[0][0, 0] == -1


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "lightgbm", None)
    with pytest.raises(MissingDependencyError, match="lightgbm"):
        base.library("lightgbm")


class Mean(base.Quick):
    name = "mean"

    def fit_predict(self, X, y, X_new, *, target, seed):
        learned = functools.partial(_mean, y.mean())
        return base.Fitted(learned(X_new), learned=learned)

    def left_out(self, X, y):
        return np.full(len(y), y.mean())


def _mean(value, X):
    return np.full((len(X), 1), value)


TREES = LightGBM(rounds=5)
LEARNERS = {
    "lightgbm": TREES,
    "xgboost": XGBoost(rounds=5),
    "catboost": CatBoost(rounds=5),
    "extra trees": AsCodes(ExtraTrees(trees=5)),
    "without rows": WithoutRows(TREES, "a number", 0.5),
    "without columns": WithoutColumns(TREES, ("a number",)),
    "sturdy": Sturdy(TREES),
    "calibrated": Calibrated(TREES),
    "on residuals": OnResiduals(TREES, Mean()),
    "averaged": Averaged((TREES, XGBoost(rounds=5))),
    "broken lines": BrokenLines(TREES),
    "with mates": WithMates(TREES, "key", "flag", (Mates("all", "flag"),)),
}


# The one tells classes, the other adds numbers.
NOT_OF = {("calibrated", "regression"), ("on residuals", "multiclass")}
PAIRS = [(name, kind) for name in LEARNERS for kind in TARGETS if (name, kind) not in NOT_OF]


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_what_was_learned_predicts_the_same_after_a_pickle(name, kind):
    X, y, X_new = made_up(kind)
    X, X_new = (table.assign(key=np.arange(len(table)) // 3, same=1.0) for table in (X, X_new))
    there = y != 1 if kind == "multiclass" else y == y
    fitted = LEARNERS[name].fit_predict(X[there], y[there], X_new, target=TARGETS[kind], seed=1)
    learned = pickle.loads(pickle.dumps(fitted.learned))
    assert learned(X_new).tobytes() == fitted.predictions.tobytes()
    assert learned(X_new[3:7]) == pytest.approx(fitted.predictions[3:7], abs=1e-12)


def test_nothing_is_learned_where_an_inner_model_learns_nothing_that_can_be_told():
    X, y, X_new = made_up("regression")
    process = GaussianProcess((), noise=1.0, by="flag")
    for model in (process, WithoutColumns(process, ("category",)), OnResiduals(process, Mean())):
        fitted = model.fit_predict(X, y, X_new, target=TARGETS["regression"], seed=1)
        assert fitted.learned is None
