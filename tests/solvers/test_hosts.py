"""`solvers solve` where a notebook or a benchmark says where data lie and results go."""

import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from signatures import BundleError
from solvers.cli import solving
from solvers.cli.commands import app
from solvers.cli.hosts import find_host, with_dataset
from tests.solvers.conftest import write_passengers

KAGGLE = {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}


def mle_bench(root):
    return {
        "COMPETITION_ID": "spaceship-titanic",
        "SUBMISSION_DIR": str(root / "home/submission"),
        "LOGS_DIR": str(root / "home/logs"),
        "CODE_DIR": str(root / "home/code"),
    }


@pytest.fixture
def on(tmp_path, monkeypatch):
    """Be on a host whose file system begins in a folder, in some other working directory."""

    def be(environ):
        monkeypatch.setattr(solving, "find_host", lambda _: find_host(environ, tmp_path / "root"))
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        return tmp_path / "root"

    return be


def mounted(data):
    """Make a folder and all in it read-only, as a mount is."""
    for path in [*data.rglob("*"), data]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return data


def solve(*words):
    return CliRunner().invoke(
        app, ["solve", *words, "--profile", "quick", "--jobs", "1", "--no-report"]
    )


def test_without_their_variables_it_is_no_host(tmp_path):
    assert find_host({}, tmp_path) is None
    assert find_host({"SUBMISSION_DIR": "/x", "KAGGLE_KERNEL_RUN_TYPE": ""}, tmp_path) is None
    assert CliRunner().invoke(app, ["solve"]).exit_code == 2


def test_a_kaggle_notebook_needs_no_path_and_its_input_stays_as_it_is(on):
    root = on(KAGGLE)
    data = mounted(write_passengers(root / "kaggle/input/competitions/spaceship-titanic"))
    other = root / "kaggle/input/some-notes"
    other.mkdir()
    (other / "notes.csv").write_text("a,b\n1,2\n")
    before = {path: path.stat().st_mtime_ns for path in data.rglob("*")}
    result = solve("--out", "run")
    assert result.exit_code == 0, result.output
    assert (
        f"this is a Kaggle notebook: the data are {data}, submission.csv goes to" in result.stderr
    )
    handed_in = root / "kaggle/working/submission.csv"
    assert handed_in.read_bytes() == Path("run/submission.csv").read_bytes()
    assert {path: path.stat().st_mtime_ns for path in data.rglob("*")} == before


def test_a_container_of_mle_bench_gets_the_run_among_its_logs(on, tmp_path):
    root = on(mle_bench(tmp_path / "root"))
    data = mounted(write_passengers(root / "home/data"))
    (root / "home/submission").mkdir()
    (root / "home/submission/submission.csv").write_text("an older one")
    result = solve()
    assert result.exit_code == 0, result.output
    assert f"the data are {data}, the run goes to {root}/home/logs/solvers" in result.stderr
    written = (root / "home/logs/solvers/submission.csv").read_bytes()
    assert (root / "home/submission/submission.csv").read_bytes() == written
    assert os.listdir() == []


def test_flags_come_before_what_the_host_says(on, tmp_path):
    root = on(mle_bench(tmp_path / "root"))
    write_passengers(root / "home/data")
    data = write_passengers(tmp_path / "mine")
    result = solve(str(data), "--out", "run", "--submission-dir", "there")
    assert result.exit_code == 0, result.output
    assert "this is" not in result.stderr
    assert Path("there/submission.csv").read_bytes() == Path("run/submission.csv").read_bytes()
    assert not (root / "home/submission").exists()


def test_of_several_datasets_the_known_one_is_taken_and_two_are_named(tmp_path):
    host = find_host(KAGGLE, tmp_path)
    with pytest.raises(BundleError, match=r"input' holds no files\. Give the PATH"):
        with_dataset(host)
    first = write_passengers(host.data / "spaceship-titanic", n_train=20, n_test=5)
    (host.data / "notes").mkdir()
    (host.data / "notes/notes.csv").write_text("a,b\n1,2\n")
    assert with_dataset(host).data == first
    second = write_passengers(host.data / "a/b/again", n_train=20, n_test=5)
    with pytest.raises(BundleError, match="holds 2 known tasks' datasets") as error:
        with_dataset(host)
    assert str(first) in str(error.value)
    assert str(second) in str(error.value)


def test_a_single_dataset_of_no_known_task_is_left_to_the_fallback(tmp_path):
    host = find_host(KAGGLE, tmp_path)
    (host.data / "notes").mkdir(parents=True)
    (host.data / "notes/train.csv").write_text("a,b\n1,2\n")
    assert with_dataset(host).data == host.data / "notes"


def test_a_run_that_fails_leaves_the_older_submission(on, tmp_path):
    root = on(mle_bench(tmp_path / "root"))
    data = write_passengers(root / "home/data")
    (data / "train.csv").write_text("nothing\n1\n")
    old = root / "home/submission/submission.csv"
    old.parent.mkdir()
    old.write_text("an older one")
    assert solve().exit_code == 3
    assert old.read_text() == "an older one"


def test_a_submission_that_cannot_be_handed_in_is_not_lost(passengers, tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("solvers.files.write_whole", full)
    monkeypatch.setattr("solvers.request.write_whole", lambda path, content: None)
    result = solve(str(passengers), "--out", str(tmp_path / "run"),
                   "--submission-dir", str(tmp_path / "full"))  # fmt: skip
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr
    assert f"The run itself is finished, in '{tmp_path}/run'." in result.stderr


def test_a_place_that_will_not_do_is_refused_before_any_work(passengers, tmp_path):
    inside = solve(str(passengers), "--submission-dir", str(passengers / "in"))
    assert inside.exit_code == 2
    assert "lies inside the input folder" in inside.stderr
    assert "with --submission-dir" in inside.stderr
    nowhere = solve(str(passengers), "--out", str(tmp_path / "run"), "--submission-dir", "/proc/x")
    assert nowhere.exit_code == 2
    assert "'/proc/x' cannot be written to: " in nowhere.stderr
    assert not (tmp_path / "run").exists()
    (tmp_path / "there/submission.csv").mkdir(parents=True)
    folder = solve(str(passengers), "--submission-dir", str(tmp_path / "there"))
    assert folder.exit_code == 2
    assert "is a folder, and no file. Remove it" in folder.stderr


def test_a_run_that_goes_on_is_handed_in_too(finished, tmp_path):
    run = shutil.copytree(finished[0].run, tmp_path / "run")
    result = CliRunner().invoke(
        app, ["solve", "--resume", str(run), "--submission-dir", str(tmp_path / "there")]
    )
    assert result.exit_code == 0, result.output
    assert (tmp_path / "there/submission.csv").read_bytes() == finished[0].submission.read_bytes()
