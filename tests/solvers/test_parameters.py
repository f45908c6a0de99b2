"""Tuned parameters: what a file of them may say, and what comes of it."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from signatures import REGISTRY
from solvers import parameters
from solvers.cli.commands import app
from solvers.models import CatBoost, LightGBM, XGBoost
from solvers.models.classes import ClassDuels, ClassKernel
from solvers.models.companions import WithMates
from solvers.models.extra_trees import ExtraTrees
from solvers.models.kernels import KernelLogistic, KernelRidge, SupportVectors
from solvers.models.linear import Logistic
from solvers.models.ranges import Range, parameters_of, ranges_of, with_parameters
from solvers.parameters import Gained, Origin, Parameters, ParametersError, load, place
from solvers.target import Target

TASK = REGISTRY["titanic"]
FACTS = Parameters(
    task="titanic",
    study=Origin(seed=3, trials=40, data_sha256="ab", solver_sha256="cd"),
    score=Gained(
        metric="accuracy", fold_seeds=5, before=0.85, before_error=0.001, after=0.86,
        after_error=1e-06, gain=0.01, gain_error=0.002,
    ),
    versions={"optuna": "5.0.0", "odd name": 'with "quotes"'},
    models={"catboost": {"rounds": 77, "learning_rate": 0.1}, "logistic": {"C": 2.0}},
)  # fmt: skip


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where the parameters of a task are read from."""
    path = tmp_path / "titanic.toml"
    monkeypatch.setattr(parameters, "place", lambda signature: path)
    return path


def test_parameters_lie_beside_the_package_of_the_solver(tmp_path, monkeypatch):
    built_in = place(TASK)
    assert built_in.parts[-3:] == ("solvers", "params", "titanic.toml")
    (tmp_path / "garden_beds.py").write_text("SOLVER = None\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    other = dataclasses.replace(TASK, slug="garden-beds", solver="garden_beds:SOLVER")
    assert place(other) == tmp_path / "params" / "garden-beds.toml"


def test_every_shipped_file_of_parameters_can_be_used():
    for signature in REGISTRY.values():
        solver = load(signature).solver
        assert [m.name for m in solver.models] == [m.name for m in signature.load_solver().models]


def test_without_a_file_the_solver_is_as_declared(file):
    loaded = load(TASK)
    assert loaded.solver is TASK.load_solver()
    assert loaded.sha256 is None


def test_what_is_written_is_read_again(file):
    file.write_text(FACTS.to_toml(), encoding="utf-8")
    loaded = load(TASK)
    assert loaded.parameters == FACTS
    catboost, xgboost, _, logistic = loaded.solver.models
    assert isinstance(catboost, WithMates)
    assert (catboost.inner.rounds, catboost.inner.learning_rate) == (77, 0.1)
    assert catboost.inner.depth == 4
    assert logistic.inner.C == 2.0
    assert xgboost == TASK.load_solver().models[1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rounds = 77", "rounds = 77.5", "'rounds' of catboost is 77.5, expected a whole number"),
        ("rounds = 77", "rounds = 5000", "'rounds' of catboost is 5000, expected a whole number"),
        ("rounds = 77", "rounds = true", "'rounds' of catboost is True, expected a whole number"),
        ("rounds = 77", 'rounds = "7"', "'rounds' of catboost is '7', expected a whole number"),
        ("rounds = 77", "speed = 77", "'speed' of catboost cannot be tuned, only rounds, "),
        (
            "learning_rate = 0.1",
            "learning_rate = nan",
            "is nan, expected a number from 0.01 to 0.3",
        ),
        ("gain = 0.01", "gain = inf", "score.gain: Input should be a finite number"),
        ("[models.catboost]", "[models.cat]", "the solver has no model 'cat', only catboost, "),
        ("[models.catboost]", "[models.catboost", "it is not valid TOML"),
        ('task = "titanic"', 'task = "spaceship-titanic"', "they are those of 'spaceship-titanic'"),
        ("[study]", "[other]", "study: Field required"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(file, old, new, said):
    text = FACTS.to_toml()
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ParametersError) as error:
        load(TASK)
    assert said in str(error.value)
    assert str(file) in str(error.value)
    result = CliRunner().invoke(app, ["show", "titanic"])
    assert result.exit_code == 1
    assert result.stderr.startswith("solvers: The tuned parameters in ")


def test_a_file_that_is_no_text_says_so(file):
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ParametersError, match="it is not valid TOML"):
        load(TASK)


def test_show_tells_what_a_task_is_and_how_it_was_tuned(file):
    show = lambda *words: CliRunner().invoke(app, ["show", "titanic", *words])  # noqa: E731
    plain = show().stdout
    assert "accuracy, higher is better" in plain
    assert "  Age (number, may be missing)" in plain
    assert "tuned parameters: none" in plain
    file.write_text(FACTS.to_toml(), encoding="utf-8")
    tuned = show().stdout
    assert "  catboost (tuned): rounds 77, learning_rate 0.1, depth 4" in tuned
    assert f"tuned parameters: {file}" in tuned
    assert "gained 0.01 ± 0.002" in tuned
    facts = json.loads(show("--json").stdout)
    assert facts["tuned"]["study"]["seed"] == 3
    assert [model["tuned"] for model in facts["models"]] == [True, False, False, True]
    assert "Age" in facts["contract"]
    assert set(facts["contract"]) <= {*TASK.columns}


def test_an_argument_outside_its_range_is_left_alone():
    leafwise = XGBoost(max_depth=0, max_leaves=15)
    assert "max_depth" not in ranges_of(leafwise)
    assert "max_leaves" in ranges_of(leafwise)
    assert "max_leaves" not in ranges_of(XGBoost())
    assert parameters_of(XGBoost())["max_depth"] == 6


def test_a_range_holds_numbers_of_its_kind_only():
    whole, real = Range(1, 5), Range(0.5, 2.0)
    assert [whole.holds(v) for v in (1, 5, 0, 6, 2.0, True, "2")] == [True, True] + [False] * 5
    assert [real.holds(v) for v in (0.5, 1, 2.1, True)] == [True, True, False, False]


def test_a_model_that_declares_nothing_has_no_ranges():
    models = {model.name: model for model in REGISTRY["bike-sharing-demand"].load_solver().models}
    assert ranges_of(models["gaussian_process"]) == {}


ALL = (
    CatBoost(), XGBoost(), XGBoost(max_depth=0, max_leaves=15, grow_policy="lossguide"), LightGBM(),
    ExtraTrees(), Logistic(), KernelLogistic(), ClassKernel(), ClassDuels(),
    KernelRidge(gamma=0.1, linear=0.01, noise=0.1), SupportVectors(C=1.0, epsilon=0.1, gamma=0.1),
)  # fmt: skip


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.name)
@pytest.mark.parametrize("end", ["low", "high"])
def test_both_ends_of_every_range_can_be_fitted(model, end):
    values = {name: getattr(range_, end) for name, range_ in ranges_of(model).items()}
    assert values
    if end == "high" and "rounds" in values:
        values["rounds"] = 60
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(80, 4)), columns=list("abcd"))
    y = X["a"].to_numpy() + random.normal(size=80)
    numbers = isinstance(model, KernelRidge | SupportVectors)
    target = Target("t") if numbers else Target("t", ("no", "yes"))
    fitted = with_parameters(model, values).fit_predict(
        X, y if numbers else (y > 0).astype(float), X, target=target, seed=0
    )
    assert np.isfinite(fitted.predictions).all()
    assert fitted.predictions.shape == (80, 1)
