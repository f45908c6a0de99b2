"""The command ``bench``, in whole runs and in what it refuses."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from solvers.bench.readme import Table
from solvers.cli.commands import app
from tests.solvers.conftest import write_passengers

TASK = "spaceship-titanic"
BEGIN, END = Table(Path()).markers
README = f"# Title\n\n{BEGIN}\nold\n{END}\n\nrest\n"


def run(*words, env=None):
    return CliRunner().invoke(
        app, ["bench", *map(str, words)], env={"COLUMNS": "200"} | (env or {})
    )


@pytest.fixture
def finished_bench(finished, tmp_path):
    """The folder of a bench whose only run is finished."""
    shutil.copytree(finished[0].run, tmp_path / "out" / f"{TASK}-s0")
    return tmp_path / "out"


@pytest.fixture
def words(finished, finished_bench):
    """Ask for that bench."""
    return [finished[1], "--profile", "quick", "--no-verify", "--out", finished_bench]


def test_a_folder_of_datasets_is_solved_and_what_is_wrong_is_a_row(tmp_path, monkeypatch):
    """Two seeds of one dataset, verified; of the other, one column has an age that cannot be."""
    monkeypatch.chdir(tmp_path)
    write_passengers(tmp_path / "data" / "good")
    bad = write_passengers(tmp_path / "data" / "spoiled", seed=2) / "train.csv"
    rows = pd.read_csv(bad, dtype=str, keep_default_na=False)
    rows.loc[3, "Age"] = "-5"
    rows.to_csv(bad, index=False)
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    result = run("data", "--profile", "quick", "--jobs", "1", "--update-readme", "--json",
                 "--out", "out")  # fmt: skip
    assert result.exit_code == 1, result.stderr
    facts = json.loads(result.stdout)
    good, spoiled = facts["rows"]
    assert (good["verdict"], good["error"]) == ("same bytes", None)
    assert (spoiled["error"]["exit_code"], spoiled["result"]) == (4, None)
    assert "Age" in spoiled["error"]["message"]
    assert facts["work"]["fits"] == 2 * good["result"]["fits"]
    assert facts["work"]["rounds"] == 2 * good["result"]["rounds"]
    page = (tmp_path / "out" / "bench.md").read_text(encoding="utf-8")
    assert f"| {TASK}-2 | - | 0 | - |" in page
    assert "| failed, exit code 4: 'spaceship-titanic' declined this data" in page
    assert json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8")) == facts
    assert sorted(os.listdir(tmp_path / "out")) == ["bench.json", "bench.md", f"{TASK}-s0"]
    # A README keeps the table that it has, if not all went well.
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == README
    assert "stays as it is" in result.stderr


def test_a_bench_that_was_interrupted_goes_on(tmp_path):
    data, out = write_passengers(tmp_path / "data", n_train=2000), tmp_path / "out"
    command = [sys.executable, "-m", "solvers.cli", "bench", str(data), "--profile", "quick",
               "--no-verify", "--jobs", "1", "--out", str(out)]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while not list(out.glob("*/.unfinished/fits/*.npz")):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "0 of 1 runs finished. Go on with: solvers bench" in errors
    assert os.listdir(out) == [f"{TASK}-s0"]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    result = run(data, "--profile", "quick", "--no-verify", "--jobs", "1", "--out", out)
    assert result.exit_code == 0, result.stderr
    assert "goes on where it was stopped" in result.stderr
    assert "(sitting 2)" in result.stdout


def test_the_table_goes_to_stdout_and_progress_to_stderr(words):
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("# Bench\n\n`solvers bench data --seeds 0 --profile quick")
    lines = result.stderr.splitlines()
    assert lines[0] == "1 run, 9 fits, 672 rounds"
    assert lines[1:] == [
        f"[1/1] {TASK}, seed 0: is finished already",
        lines[2],
        lines[3],
    ]
    assert lines[3].startswith("kept in ")
    assert lines[2].startswith(f"[1/1] {TASK}, seed 0: average 0.")


def test_the_readme_is_rewritten_between_its_markers(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    (tmp_path / "other.md").write_text(README, encoding="utf-8")
    assert run(*words, "--update-readme").exit_code == 0
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    before, after = README.split("old\n")
    assert text.startswith(before)
    assert text.endswith(after)
    assert f"| {TASK} | 240 | 0 | accuracy ↑ |" in text
    assert (tmp_path / "other.md").read_text(encoding="utf-8") == README
    assert run(*words, "--update-readme", "--readme", "other.md").exit_code == 0
    assert (tmp_path / "other.md").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("content", [None, "no markers\n", README])
def test_a_readme_that_will_not_do_is_told_before_anything_is_done(words, tmp_path, content):
    place = tmp_path / "R.md"
    if content is not None:
        place.write_text(content, encoding="utf-8")
    if content == README:
        place.chmod(0o444)
    result = run(*words, "--update-readme", "--readme", place)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"solvers: '{place}' ")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "out" / "bench.json").exists()


def test_a_readme_whose_table_has_other_tasks_is_told_before_anything_is_done(words, tmp_path):
    place = tmp_path / "R.md"
    rows = "| task | rows |\n| --- | --- |\n| titanic | 9 |\n"
    place.write_text(README.replace("old\n", rows), encoding="utf-8")
    result = run(*words, "--update-readme", "--readme", place)
    assert result.exit_code == 2
    assert "has a table with 'titanic', which this bench lacks" in result.stderr
    assert not (tmp_path / "out" / "bench.json").exists()


@pytest.mark.parametrize("seeds", ["", "0,,1", "-1", "1,1", "x"])
def test_seeds_that_cannot_be_are_usage(words, seeds):
    result = run(*words, f"--seeds={seeds}")
    assert result.exit_code == 2
    assert "Invalid value for --seeds" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_bound_that_is_passed_is_usage(words, tmp_path):
    result = run(*words, "--seeds", "0,1", "--max-fits", "17", "--json")
    assert result.exit_code == 2
    facts = json.loads(result.stdout)
    assert facts["error"] == "TooMuchWorkError"
    assert "takes 18 fits from its beginning to its end, and 17 are allowed" in facts["message"]
    assert not (tmp_path / "out" / "bench.json").exists()


def test_an_unknown_task_is_exit_code_3(words, tmp_path):
    (tmp_path / "unknown").mkdir()
    for name in ("train.csv", "test.csv"):
        (tmp_path / "unknown" / name).write_text("a,b\n1,2\n", encoding="utf-8")
    result = run(tmp_path / "unknown", *words)
    assert result.exit_code == 3
    assert not (tmp_path / "out" / "bench.json").exists()


@pytest.mark.parametrize(
    "wrong", [["nowhere"], ["--profile", "huge"], ["--jobs", "0"], ["--answers", "nowhere"]]
)
def test_wrong_usage_is_exit_code_2(words, wrong):
    assert run(*words, *wrong).exit_code == 2


def test_no_path_is_usage():
    assert run().exit_code == 2


def test_a_folder_with_something_else_in_it_is_exit_code_2(words, finished_bench):
    (finished_bench / "mine.txt").touch()
    result = run(*words, "--json")
    assert result.exit_code == 2
    assert "'mine.txt' is not of this bench" in json.loads(result.stdout)["message"]


def test_two_benches_do_not_work_in_one_folder(words, finished_bench):
    from solvers.places import claimed

    with claimed(finished_bench):
        result = run(*words)
    assert result.exit_code == 2
    assert "is being written to by another" in result.stderr


def test_a_table_is_named_only_where_one_is_rewritten(words):
    result = run(*words, "--table", "texts")
    assert result.exit_code == 2
    assert "--update-readme" in result.stderr
