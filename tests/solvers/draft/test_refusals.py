"""What cannot be drafted is said in a sentence, and nothing is written."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from solvers.cli.commands import app
from tests.solvers.draft.datasets import birds, flowers, letters, ponds


@pytest.fixture
def refused(tmp_path):
    """Ask for a draft that cannot be, and give the sentence."""

    def ask(slug, data, *words, code):
        into = tmp_path / "own"
        into.mkdir(exist_ok=True)
        before = sorted(into.iterdir())
        words = ["new", slug, str(data), "--into", str(into), *words]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == code, result.output
        assert sorted(into.iterdir()) == before
        return result.stderr

    return ask


@pytest.fixture
def data(tmp_path):
    return flowers(tmp_path / "data")


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("Garden", "The slug 'Garden' cannot name a task"),
        ("garden_beds", "The slug 'garden_beds' cannot name a task"),
        ("titanic", "There is a known task 'titanic' already"),
        ("class", "The slug 'class' would name a module as Python itself does"),
        ("random", "Choose a longer one, such as 'random-data'"),
    ],
)
def test_a_slug_that_will_not_do(refused, data, slug, sentence):
    assert sentence in refused(slug, data, code=2)


@pytest.mark.parametrize("name", ["my-beds.toml", "my_beds_solver.py", "test_my_beds.py"])
def test_a_file_that_is_there_is_named_and_stays(refused, data, tmp_path, name):
    mine = tmp_path / "own" / name
    mine.parent.mkdir()
    mine.write_text("mine")
    assert str(mine) in refused("my-beds", data, code=2)
    assert mine.read_text() == "mine"


def test_no_place_to_write_to(data, tmp_path, monkeypatch):
    monkeypatch.delenv("KNOWN_TASKS_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("solvers.__file__", str(tmp_path / "site-packages/solvers/__init__.py"))
    result = CliRunner().invoke(app, ["new", "beds", str(data), "--json"])
    assert result.exit_code == 2
    assert "--into DIR" in json.loads(result.stdout)["message"]


def test_a_known_task(refused, passengers):
    assert "This is the known task 'spaceship-titanic'" in refused("mine", passengers, code=2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--target", "bloom"], "train has no column 'bloom'"),
        (["--id", "bloomed"], "no column 'bloomed' that train and test share"),
        (["--metric", "rmse"], "The metric rmse does not go with the target 'bloomed'"),
        (["--metric", "f1"], "no metric 'f1'"),
    ],
)
def test_something_said_that_cannot_be(refused, data, words, sentence):
    said = refused("beds", data, *words, code=2)
    assert sentence in " ".join(said.replace("│", " ").split())


def test_no_test_table(refused, data):
    (data / "test.csv").unlink()
    assert "holds no test table" in refused("beds", data, code=4)


def test_nothing_that_names_rows(refused, tmp_path):
    data = ponds(tmp_path / "data")
    for name in ("train", "test"):
        table = pd.read_csv(data / f"{name}.tsv", sep="\t").drop(columns="pond")
        table.to_csv(data / f"{name}.tsv", sep="\t", index=False)
    assert "to name rows by" in refused("beds", data, code=4)


def spoil(data, name, change):
    path = data / f"{name}.csv"
    change(pd.read_csv(path)).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("train", lambda t: pd.concat([t, t[:1]]), "id: expected each value once"),
        ("train", lambda t: t.assign(kind=t["kind"].mask(t.index == 3)), "kind: expected one of"),
        ("train", lambda t: t.assign(kind=(t.index < 3) * 1), "need at least 5 rows of 1; found 3"),
        ("train", lambda t: t.drop(columns="id"), "no column 'id' in train"),
        ("sample_submission", lambda t: t[:-1], "of the test are not in it"),
        (
            "sample_submission",
            lambda t: t.rename(columns={"kind": "chance"}),
            "calls 'kind' of train 'chance' in the sample submission",
        ),
    ],
)
def test_data_that_no_known_task_can_have(refused, tmp_path, name, change, sentence):
    data = letters(tmp_path / "data")
    spoil(data, name, change)
    assert sentence in refused("beds", data, code=4)


def test_targets_of_different_classes(refused, tmp_path):
    data = birds(tmp_path / "data")
    (data / "sample_submission.json").unlink()
    train = pd.read_json(data / "train.json")
    train.assign(sex=["m", "f"] * (len(train) // 2)).to_json(data / "train.json", orient="records")
    assert "targets of different classes: 'species', 'sex'" in refused("beds", data, code=4)


def test_a_write_that_fails_leaves_nothing(data, tmp_path, monkeypatch):
    from solvers.draft import drafting

    places = drafting.places_for("beds", tmp_path / "own")
    texts = {places.signature: "a", places.solver: "b", places.test: "\udc80"}
    with pytest.raises(UnicodeEncodeError):
        drafting._store(texts)
    assert not (tmp_path / "own").exists()


def test_a_folder_that_cannot_be_made_is_named(data, tmp_path):
    (tmp_path / "file").touch()
    into = tmp_path / "file" / "own"
    result = CliRunner().invoke(app, ["new", "beds", str(data), "--into", str(into)])
    assert result.exit_code == 2
    assert f"{str(into / 'beds.toml')!r} cannot be (Not a directory)" in result.stderr
