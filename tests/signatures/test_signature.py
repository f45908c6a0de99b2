import pickle
import sys

import pytest

from signatures import MissingDependencyError, Signature, SignatureError


def test_signature_is_read(signature_file):
    path = signature_file(
        labels=["small", "large"],
        medals={"gold": 0, "silver": 0.5, "bronze": 0.6, "median": 1, "source": "someone"},
        files={"train": "train.csv"},
        like=["The course data."],
    )
    signature = Signature.read(path)
    assert signature.slug == "fish-weights"
    assert signature.key == ("weight", "fins")
    assert signature.test_columns == ("fish", "fins", "scales", "length")
    assert signature.metric.name == "rmse"
    assert not signature.metric.higher_is_better
    assert signature.medals["gold"] == 0.0
    assert signature.files["train"] == "train.csv"
    assert signature.like == ("The course data.",)


def test_missing_tokens_have_a_default(signature_file):
    default = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>")
    assert Signature.read(signature_file()).missing == default
    assert Signature.read(signature_file(missing=["NA"])).missing == ("NA",)


def test_rows_are_aligned_by_id_unless_the_signature_says_otherwise(signature_file):
    assert Signature.read(signature_file()).aligned == "id"
    assert Signature.read(signature_file(aligned="order")).aligned == "order"


def test_columns_of_test_are_those_that_are_not_of_train_alone(signature_file):
    signature = Signature.read(signature_file(train_only=["fins"]))
    gone = {"fins", *signature.target}
    assert signature.test_columns == tuple(c for c in signature.columns if c not in gone)


def test_signature_cannot_be_changed_and_can_be_pickled_and_hashed(signature_file):
    signature = Signature.read(signature_file(files={"train": "train.csv"}))
    with pytest.raises(AttributeError):
        signature.title = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        signature.files["train"] = "x"  # type: ignore[index]
    assert pickle.loads(pickle.dumps(signature)) == signature
    assert len({signature, Signature.read(signature_file(files={"train": "train.csv"}))}) == 1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"title": None, "id": None}, "entries are missing: 'title', 'id'"),
        ({"colour": "red"}, "unknown entries 'colour'"),
        ({"title": None, "titel": "x"}, "missing: 'title', and others are unknown: 'titel'"),
        ({"title": 3}, "'title' is 3, expected some text"),
        ({"id": ""}, "'id' is '', expected some text"),
        ({"key": "weight"}, "'key' is 'weight', expected a list"),
        ({"key": []}, "'key' is empty"),
        ({"key": ["weight", 3]}, "'key' holds 3, expected texts"),
        ({"key": ["fins", "fins"]}, "'key' names 'fins' more than once"),
        ({"key": ["tail"]}, "'key' names 'tail', which 'columns' does not list"),
        ({"target": ["tail"]}, "'target' names 'tail'"),
        ({"id": "tail"}, "'id' names 'tail'"),
        ({"id": "weight"}, "both 'id' and 'target'"),
        ({"labels": ["one"]}, "'labels' holds one value"),
        ({"labels": [True, False]}, "'labels' holds True"),
        ({"solver": "fish.solver"}, "expected 'package.module:NAME'"),
        ({"solver": "fish/solver:S"}, "expected 'package.module:NAME'"),
        ({"metric": "rmse"}, "'metric' is 'rmse', expected a table"),
        ({"metric": {"name": "rmse"}}, "higher_is_better = true"),
        ({"metric": {"name": "rmse", "higher_is_better": 1}}, "higher_is_better = true"),
        ({"medals": {"gold": 1}}, "does not say where its lines come from"),
        ({"medals": {"platinum": 1, "source": "x"}}, "'medals' has 'platinum'"),
        ({"medals": {"gold": "1", "source": "x"}}, "gold = '1', expected a number"),
        ({"medals": {"gold": True, "source": "x"}}, "gold = True, expected a number"),
        ({"medals": {"gold": 2, "silver": 1, "source": "x"}}, "gold = 2, which is worse"),
        ({"files": {"train": 1}}, "'files' has train = 1"),
        ({"files": {"valid": "x"}}, "'files' has valid = 'x'"),
        ({"missing": "NA"}, "'missing' is 'NA', expected a list"),
        ({"aligned": "row"}, "'aligned' is 'row', expected one of id, order"),
        ({"aligned": ["id"]}, "'aligned' is ['id'], expected one of id, order"),
        ({"train_only": "fins"}, "'train_only' is 'fins', expected a list"),
        ({"train_only": ["tail"]}, "'train_only' names 'tail', which 'columns' does not list"),
        ({"train_only": ["weight"]}, "'train_only' names 'weight', as 'target' does"),
        ({"side": "*.jpg"}, "'side' is '*.jpg', expected a list"),
    ],
)
def test_wrong_signature_says_what_was_expected_and_found(signature_file, changes, problem):
    path = signature_file(**changes)
    with pytest.raises(SignatureError) as error:
        Signature.read(path)
    assert problem in str(error.value)
    assert error.value.path == str(path)


def test_medals_of_a_metric_that_rises_fall_from_gold_on(signature_file):
    metric = {"name": "auc", "higher_is_better": True}
    path = signature_file(metric=metric, medals={"gold": 0.8, "median": 0.9, "source": "x"})
    with pytest.raises(SignatureError, match=r"gold = 0.8, which is worse than median = 0.9"):
        Signature.read(path)


def test_file_name_that_is_no_slug_is_refused(signature_file):
    with pytest.raises(SignatureError, match="'Fish Weights', expected lower-case words"):
        Signature.read(signature_file("Fish Weights"))


def test_file_that_is_no_toml_is_named_with_the_line(tmp_path):
    (tmp_path / "fish.toml").write_text("title = \n")
    with pytest.raises(SignatureError, match=r"fish.toml' .*not valid TOML.*line 1"):
        Signature.read(tmp_path / "fish.toml")


def test_file_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "fish.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(SignatureError, match="not UTF-8"):
        Signature.read(tmp_path / "fish.toml")


def test_absent_file_is_named(tmp_path):
    with pytest.raises(SignatureError, match=r"fish.toml' .*cannot be read"):
        Signature.read(tmp_path / "fish.toml")


@pytest.fixture
def solver_module(tmp_path, monkeypatch):
    def write(text):
        (tmp_path / "fish_solver_for_a_test.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)

    yield write
    sys.modules.pop("fish_solver_for_a_test", None)


@pytest.fixture
def fish(signature_file):
    return Signature.read(signature_file(solver="fish_solver_for_a_test:SOLVER"))


def test_solver_is_imported_when_asked_for(fish, solver_module):
    solver_module("SOLVER = 'swim'")
    assert "fish_solver_for_a_test" not in sys.modules
    assert fish.load_solver() == "swim"


def test_solver_module_that_is_not_there_is_a_wrong_signature(fish):
    with pytest.raises(SignatureError, match="'fish_solver_for_a_test:SOLVER' is not there"):
        fish.load_solver()


def test_solver_name_that_is_not_there_is_a_wrong_signature(fish, solver_module):
    solver_module("OTHER = 1")
    with pytest.raises(SignatureError, match="has no 'SOLVER'"):
        fish.load_solver()


def test_library_that_a_solver_lacks_is_named(fish, solver_module):
    solver_module("import library_that_is_not_there.part")
    with pytest.raises(MissingDependencyError, match="'library_that_is_not_there'") as error:
        fish.load_solver()
    assert error.value.library == "library_that_is_not_there"


def test_bug_in_a_solver_is_seen_as_it_is(fish, solver_module):
    solver_module("import fish_solver_for_a_test.part")
    with pytest.raises(ModuleNotFoundError) as error:
        fish.load_solver()
    assert not isinstance(error.value, MissingDependencyError)
    solver_module("1 / 0")
    with pytest.raises(ZeroDivisionError):
        fish.load_solver()
