"""A draft is good code, knows its own data, is solved, and is covered by what covers every task."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from signatures import Registry, UnknownTaskError, match
from solvers.cli.commands import app
from solvers.draft.columns import describe
from tests.solvers.draft.datasets import ALL, LONG, birds

ROOT = Path(__file__).parents[3]
KNOWN = ROOT / "signatures" / "tasks"


def new(*words):
    return CliRunner().invoke(app, ["new", *map(str, words)])


@pytest.fixture(scope="module")
def drafts(tmp_path_factory):
    """A folder of drafts, one for each kind of dataset, and what the command said of each."""
    root = tmp_path_factory.mktemp("drafts")
    (root / "own").mkdir()
    told = {}
    for name, write in ALL.items():
        result = new(f"{name}-here", write(root / name), "--into", root / "own", "--json")
        assert result.exit_code == 0, result.output
        told[name] = json.loads(result.stdout)
    return root, told


@pytest.fixture(scope="module")
def registry(drafts):
    return Registry([KNOWN, drafts[0] / "own"])


def python(*words, cwd, **variables):
    """Run Python on a module, in a folder, and give what it printed."""
    left_out = ("SOLVERS_", "PYTEST", "KNOWN_TASKS_PATH")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    done = subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        cwd=cwd, env=environment | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_drafts_pass_the_linter_and_the_formatter(drafts):
    pytest.importorskip("ruff", reason="ruff is no part of the environment with oldest versions")
    settings = ["--no-cache", "--config", ROOT / "pyproject.toml"]
    tests = 'lint.per-file-ignores={"test_*" = ["D"]}'
    python("ruff", "check", *settings, "--config", tests, cwd=drafts[0] / "own")
    python("ruff", "format", "--check", *settings, cwd=drafts[0] / "own")


def test_drafts_pass_the_type_checker(drafts, tmp_path):
    pytest.importorskip("mypy", reason="mypy is no part of the environment with oldest versions")
    settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path]
    python("mypy", *settings, *sorted((drafts[0] / "own").glob("*_solver.py")), cwd=ROOT)


def test_tests_of_drafts_pass_and_each_solves_its_example(drafts):
    said = python("pytest", "-q", "-p", "no:cacheprovider", ".", cwd=drafts[0] / "own")
    assert re.search(r"\d+ passed in", said)
    assert "skipped" not in said


@pytest.mark.parametrize("name", ALL)
def test_a_draft_matches_its_own_data_only(drafts, registry, name):
    root, told = drafts
    assert match(root / name, registry).slug == f"{name}-here"
    with pytest.raises(UnknownTaskError):
        match(root / name, Registry([KNOWN]))
    assert told[name]["slug"] == f"{name}-here"


def test_passengers_are_still_passengers(registry, passengers):
    assert match(passengers, registry).slug == "spaceship-titanic"


@pytest.mark.parametrize(
    ("name", "id_", "target", "labels", "metric"),
    [
        ("flowers", "flower_id", ["bloomed"], ["No", "Yes"], "accuracy"),
        ("birds", "ring", ["species"], ["finch", "gull", "thrush"], "log_loss"),
        ("ponds", "pond", ["frogs", "newts"], [], "rmse"),
        ("letters", "id", ["kind"], ["0", "1"], "auc"),
        ("awkward", "Id", ["Sale Price"], [], "rmse"),
    ],
)
def test_what_is_asked_is_told_from_the_data(drafts, name, id_, target, labels, metric):
    told = drafts[1][name]
    found = (told["id"], told["target"], told["labels"], told["metric"]["name"])
    assert found == (id_, target, labels, metric)


def test_each_column_goes_to_the_group_that_its_values_suggest(drafts):
    found = {name: told["columns"] for name, told in drafts[1].items()}
    assert found["flowers"] == {
        "flower_id": "names", "height": "numbers", "petals": "numbers", "fragrant": "flags",
        "colour": "categories",
    }  # fmt: skip
    assert found["birds"] == {
        "ring": "names", "seen": "dates", "hatched": "dates", "hide": "codes", "wing": "numbers",
    }  # fmt: skip
    assert found["ponds"] == {
        "pond": "names", "depth": "numbers", "price": "loose", "clear": "loose",
    }  # fmt: skip
    assert found["letters"] == {"id": "names", "letter": "texts"}
    assert found["awkward"][LONG] == "categories"
    assert found["awkward"]['say "hi"'] == "codes"  # its words are too long for a list
    assert drafts[1]["flowers"]["left_out"] == ["greenhouse"]


@pytest.mark.parametrize(("n_words", "group"), [(60, "categories"), (110, "codes")])
def test_words_that_come_often_are_categories_where_they_can_be_listed(n_words, group):
    words = pd.Series([f"W{number % n_words}" for number in range(12 * n_words)])
    assert describe("watcher", "code", words, is_id=False).group == group
    assert describe("watcher", "code", words[: 2 * n_words], is_id=False).group == "codes"


def test_a_contract_says_what_was_seen(drafts):
    source = (drafts[0] / "own" / "flowers_here_solver.py").read_text(encoding="utf-8")
    assert "flower_id: str = pa.Field(unique=True)" in source
    assert "petals: int = pa.Field(ge=4, le=8)" in source
    assert "fragrant: pd.BooleanDtype = pa.Field(nullable=True)" in source
    assert 'colour: str = pa.Field(nullable=True, isin=CATEGORIES["colour"])' in source
    assert '"colour": ["blue", "red", "white"]' in source
    assert re.search(r"height: float = pa.Field\(nullable=True, ge=\d+, le=\d+\)", source)


def test_nothing_that_names_a_row_is_copied(drafts):
    root, told = drafts
    ids = pd.read_csv(root / "flowers" / "train.csv", sep=";")["flower_id"]
    letters = pd.read_csv(root / "letters" / "train.csv")["letter"]
    written = [Path(file).read_text(encoding="utf-8") for t in told.values() for file in t["files"]]
    assert not [value for value in [*ids, *letters] for text in written if value in text]


def test_a_draft_is_the_same_every_time(drafts, tmp_path):
    root, told = drafts
    result = new("birds-here", root / "birds", "--into", tmp_path, "--json")
    for one, other in zip(told["birds"]["files"], json.loads(result.stdout)["files"], strict=True):
        assert Path(one).read_bytes() == Path(other).read_bytes()


def test_what_is_said_wins_over_what_would_be_told(drafts, tmp_path):
    said = ["--target", "newts", "--id", "pond", "--metric", "rmse", "--json"]
    told = json.loads(new("newts", drafts[0] / "ponds", "--into", tmp_path, *said).stdout)
    assert (told["target"], told["id"]) == (["newts"], "pond")
    assert "id: pond (as asked for)" in told["notes"]
    assert "metric rmse: as asked for" in told["notes"]
    assert 'train_only = ["frogs"]' in (tmp_path / "newts.toml").read_text(encoding="utf-8")


def test_classes_may_be_scored_by_log_loss_where_no_sample_says_otherwise(drafts, tmp_path):
    data = shutil.copytree(drafts[0] / "birds", tmp_path / "data")
    (data / "sample_submission.json").unlink()
    told = new("birds-too", data, "--into", tmp_path / "own", "--metric", "log_loss", "--json")
    assert json.loads(told.stdout)["metric"] == {"name": "log_loss", "higher_is_better": False}


def test_a_column_more_than_a_known_task_has_makes_another_task(passengers, tmp_path):
    for name in ("train", "test"):
        lines = (passengers / f"{name}.csv").read_text().splitlines()
        head, *rows = lines
        more = [f"{head},Luggage", *(f"{row},{place % 7}" for place, row in enumerate(rows))]
        (passengers / f"{name}.csv").write_text("\n".join(more) + "\n")
    result = new("luggage", passengers, "--into", tmp_path / "own", "--json")
    assert "Luggage" in json.loads(result.stdout)["key"]
    both = Registry([KNOWN, tmp_path / "own"])
    assert match(passengers, both).slug == "luggage"


def test_ids_that_start_anew_in_test_are_laid_out_by_order(tmp_path):
    data = birds(tmp_path / "data")
    for name in ("train", "test", "sample_submission"):
        rows = json.loads((data / f"{name}.json").read_text())
        renumbered = [{**row, "ring": place} for place, row in enumerate(rows)]
        (data / f"{name}.json").write_text(json.dumps(renumbered))
    assert new("anew", data, "--into", tmp_path).exit_code == 0
    assert 'aligned = "order"' in (tmp_path / "anew.toml").read_text(encoding="utf-8")


def test_the_folder_that_the_environment_names_is_taken(drafts, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("KNOWN_TASKS_PATH", str(tmp_path))
    assert new("finches", drafts[0] / "birds").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "finches.toml", "finches_solver.py", "test_finches.py",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the project that a draft can be written into."""
    root = tmp_path_factory.mktemp("checkout")
    leave_out = shutil.ignore_patterns("__pycache__")
    for package in ("signatures", "solvers"):
        shutil.copytree(ROOT / package, root / package, ignore=leave_out)
    tests = root / "tests" / "solvers"
    (tests / "tasks").mkdir(parents=True)
    for name in ("tests/solvers/test_every_task.py", "pyproject.toml"):
        shutil.copy(ROOT / name, root / name)
    return root


def test_in_a_checkout_a_draft_is_covered_by_what_covers_every_task(checkout, drafts):
    data = drafts[0] / "birds"
    said = python("solvers.cli", "new", "1-birds", data, cwd=checkout)
    files = [
        checkout / "signatures" / "tasks" / "1-birds.toml",
        checkout / "solvers" / "tasks" / "task_1_birds.py",
        checkout / "tests" / "solvers" / "tasks" / "test_1_birds.py",
    ]
    assert all(str(file) in said for file in files)
    assert all(file.is_file() for file in files)
    assert "make task NAME=1-birds" in said
    words = ["-q", "tests", "-k", "(1-birds or 1_birds) and not quick_run"]
    assert re.search(r"\d+ passed", python("pytest", *words, cwd=checkout))


def test_the_data_of_a_draft_are_solved(drafts, tmp_path):
    words = ["--profile", "quick", "--jobs", "2", "--no-report", "--json"]
    out = ["--out", tmp_path / "run"]
    here = {"KNOWN_TASKS_PATH": str(drafts[0] / "own")}
    said = python("solvers.cli", "solve", drafts[0] / "birds", *out, *words, cwd=tmp_path, **here)
    assert json.loads(said)["task"] == "birds-here"
    models = json.loads(said)["scores"]["models"]
    assert models["average"]["mean"] < 0.5  # the width of the wing tells the species
