"""A run that was stopped goes on to the bytes of one that never was."""

import errno
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from signatures import BundleError, RunFolderError
from solvers import checkpoints, resume, solve
from solvers.cli.commands import app
from solvers.files import write_whole
from solvers.request import INPUT, REQUEST, Request, write_request
from solvers.run_folder import n_kept_fits
from solvers.run_record import UNFINISHED
from tests.solvers.conftest import write_passengers

OUTPUTS = (
    "submission.csv", "oof_predictions.parquet", "test_predictions.parquet",
    "feature_importance.parquet",
)  # fmt: skip


@pytest.fixture
def data(tmp_path):
    return write_passengers(tmp_path / "data")


def same_outputs(run, finished):
    return [
        name
        for name in OUTPUTS
        if (run / name).read_bytes() != (finished[0].run / name).read_bytes()
    ] == []


def begin(data, out, *, jobs=1):
    """Start a run in a process of its own."""
    words = ["solve", str(data), "--out", str(out), "--profile", "quick", "--jobs", str(jobs)]
    return subprocess.Popen(
        [sys.executable, "-m", "solvers.cli", *words], stderr=subprocess.PIPE, text=True
    )


def wait_for_fits(process, out, number):
    """Wait until so many fits are kept; none means until the run is known to have begun."""
    for _ in range(24_000):
        begun = (out / UNFINISHED / REQUEST).exists()
        if begun and n_kept_fits(out) >= number:
            return
        assert process.poll() is None, "the run ended before it could be stopped"
        time.sleep(0.005)
    pytest.fail("no fit was kept within two minutes")


@pytest.mark.parametrize(("fits", "jobs"), [(0, 1), (1, 1), (4, 2), (8, 1)])
def test_a_killed_run_goes_on_to_the_same_bytes(data, tmp_path, finished, fits, jobs):
    out = tmp_path / "run"
    process = begin(data, out, jobs=jobs)
    wait_for_fits(process, out, fits)
    process.kill()
    process.communicate()
    assert os.listdir(out) == [UNFINISHED]
    kept = n_kept_fits(out)
    solution = resume(out, jobs=1)
    assert same_outputs(out, finished)
    assert not (out / UNFINISHED).exists()
    assert sum(fit["kept"] for fit in solution.record["fits"]) == kept >= fits
    assert solution.record["sittings"] == 2


def test_a_run_may_be_killed_more_than_once(data, tmp_path, finished):
    out = tmp_path / "run"
    process = begin(data, out)
    wait_for_fits(process, out, 2)
    process.kill()
    process.communicate()
    process = subprocess.Popen([sys.executable, "-m", "solvers.cli", "solve", "--resume", str(out)])
    wait_for_fits(process, out, 5)
    process.kill()
    process.communicate()
    solution = resume(out, jobs=1)
    assert same_outputs(out, finished)
    assert solution.record["sittings"] == 3
    stages = [json.loads(line) for line in (out / "log.jsonl").read_text("utf-8").splitlines()]
    assert [line["stage"] for line in stages if line["event"] == "stage"].count("read") == 3


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "Interrupted."), (signal.SIGTERM, 143, "Stopped by SIGTERM.")],
)
def test_a_run_that_is_interrupted_says_how_to_go_on(data, tmp_path, finished, number, code, said):
    out = tmp_path / "run"
    restore = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    words = ["solve", str(data), "--out", str(out), "--profile", "quick", "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "solvers.cli", *words],
        stderr=subprocess.PIPE, text=True, preexec_fn=restore,
    )  # fmt: skip
    wait_for_fits(process, out, 2)
    process.send_signal(number)
    told = process.communicate()[1].splitlines()[-1]
    assert process.returncode == code
    assert told.startswith(f"solvers: {said} Kept: ")
    assert told.endswith(f"Go on with: solvers solve --resume {out}")
    resume(out, jobs=1)
    assert same_outputs(out, finished)


@pytest.mark.parametrize("refusal", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_refuses_in_the_middle_is_told_and_the_run_goes_on_later(
    data, tmp_path, finished, monkeypatch, refusal
):
    out, done = tmp_path / "run", []

    def refuse(path, content):
        if len(done) == 4:
            raise OSError(refusal, os.strerror(refusal), str(path))
        done.append(path)
        write_whole(path, content)

    monkeypatch.setattr(checkpoints, "write_whole", refuse)
    words = ["solve", str(data), "--out", str(out), "--profile", "quick", "--jobs", "1"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    said = f"{os.strerror(refusal)}. Mend that. Kept: 4 finished fits. Go on with"
    assert said in result.stderr
    assert os.listdir(out) == [UNFINISHED]
    # As long as the disk refuses, nothing of what is kept is lost.
    monkeypatch.setattr("solvers.request.write_whole", refuse)
    result = CliRunner().invoke(app, ["solve", "--resume", str(out)])
    assert result.exit_code == 2
    assert n_kept_fits(out) == 4
    monkeypatch.undo()
    assert CliRunner().invoke(app, ["solve", "--resume", str(out)]).exit_code == 0
    assert same_outputs(out, finished)


@pytest.mark.parametrize(("asked", "given", "jobs"), [(1, None, 1), (1, 2, 2)])
def test_a_run_goes_on_with_the_number_of_processes_it_was_asked_for(stopped, asked, given, jobs):
    assert resume(stopped, jobs=given).record["settings"]["jobs"] == jobs


@pytest.mark.parametrize("name", ["log.jsonl", "submission.csv", "run.json"])
def test_a_run_that_was_killed_while_files_were_moved_goes_on(
    data, tmp_path, finished, monkeypatch, name
):
    """Up to a name all were moved, that one and what follows were not."""
    out, replace = tmp_path / "run", os.replace

    def stop(source, target):
        if Path(target) == out / name:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(source, target)

    words = ["solve", str(data), "--out", str(out), "--profile", "quick", "--jobs", "1"]
    process = multiprocessing.get_context("fork").Process(
        target=lambda: (monkeypatch.setattr(os, "replace", stop), app(words))
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not (out / "run.json").exists()
    assert len(os.listdir(out)) > 1
    solution = resume(out)
    assert same_outputs(out, finished)
    assert solution.record["sittings"] == 2
    events = [json.loads(line) for line in (out / "log.jsonl").read_text("utf-8").splitlines()]
    assert [event.get("stage") for event in events].count("read") == 2


def test_a_fallback_that_was_killed_while_files_were_moved_goes_on(tmp_path, monkeypatch):
    data = tmp_path / "unknown"
    data.mkdir()
    (data / "train.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (data / "sample_submission.csv").write_text("a,b\n1,0\n", encoding="utf-8")

    def agent(bundle, out, reason):
        (out / "answer.csv").write_text("a,b\n1,9\n", encoding="utf-8")
        return out / "answer.csv"

    out = tmp_path / "run"
    solve(data, out=out, fallback=agent)
    (out / UNFINISHED).mkdir()
    (out / "run.json").rename(out / UNFINISHED / "run.json")
    request = Request(
        path=str(data), seed=0, profile="full", jobs=None, note="", report=True, fallback="own",
        started=datetime.now(UTC), sittings=1,
    )  # fmt: skip
    write_request(out / UNFINISHED, request)
    with pytest.raises(RunFolderError, match="a fallback of its own"):
        resume(out)
    solution = resume(out, fallback=agent)
    assert (solution.route, solution.record["sittings"]) == ("agent", 2)
    assert (out / "fallback" / "answer.csv").exists()
    # A finished one is shown, though there are no scores to be shown.
    shown = CliRunner().invoke(app, ["solve", "--resume", str(out)])
    assert shown.exit_code == 0
    assert str(out / "submission.csv") in shown.stdout


def test_a_finished_run_has_nothing_to_go_on_with(finished):
    before = {path: path.stat().st_mtime_ns for path in finished[0].run.iterdir()}
    again = resume(finished[0].run)
    assert again.record == finished[0].record
    assert again.scores == finished[0].scores
    assert {path: path.stat().st_mtime_ns for path in finished[0].run.iterdir()} == before


def test_a_finished_run_is_not_shown_for_other_data(finished, tmp_path):
    run, data = finished[0].run, finished[1]
    moved = shutil.copytree(data, tmp_path / "moved")
    assert resume(run, data=moved).record == finished[0].record
    with (moved / "train.csv").open("a") as stream:
        stream.write("\n")
    with pytest.raises(RunFolderError, match="was begun with other data: train changed"):
        resume(run, data=moved)
    with pytest.raises(BundleError, match="does not exist"):
        resume(run, data=tmp_path / "nowhere")


def test_what_a_run_leaves_that_was_killed_in_its_last_moment_is_cleared_away(data, tmp_path):
    run = solve(data, out=tmp_path / "run", profile="quick", jobs=1, report=False).run
    (run / UNFINISHED / "fits").mkdir(parents=True)
    resume(run)
    assert not (run / UNFINISHED).exists()


@pytest.fixture
def stopped(data, tmp_path, monkeypatch):
    """A run that was stopped after one fit."""

    def once(path, content):
        write_whole(path, content)
        monkeypatch.setattr(checkpoints, "write_whole", None)

    monkeypatch.setattr(checkpoints, "write_whole", once)
    with pytest.raises(TypeError):
        solve(data, out=tmp_path / "run", profile="quick", jobs=1)
    monkeypatch.undo()
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["train.csv", "test.csv", "sample_submission.csv"])
def test_a_run_does_not_go_on_with_other_data(stopped, data, name):
    with (data / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    role = name.removesuffix(".csv").removesuffix("_submission")
    with pytest.raises(RunFolderError, match=f"was begun with other data: {role} changed"):
        resume(stopped, jobs=1)
    assert n_kept_fits(stopped) == 1


def test_a_run_whose_data_have_moved_goes_on_where_they_are_now(stopped, data):
    moved = data.with_name("elsewhere")
    data.rename(moved)
    result = CliRunner().invoke(app, ["solve", "--resume", str(stopped)])
    assert result.exit_code == 2
    assert f"solvers solve PATH --resume {stopped}" in result.stderr
    assert n_kept_fits(stopped) == 1
    result = CliRunner().invoke(app, ["solve", str(moved), "--resume", str(stopped)])
    assert result.exit_code == 0, result.stderr


def rewritten(path, change):
    """Change what a kept fit holds, and pack it again as anyone could."""
    with np.load(path) as kept:
        arrays = dict(kept)
    change(arrays)
    np.savez(path, **arrays)


def fits(run):
    return next((run / UNFINISHED / "fits").glob("*.npz"))


DAMAGE = {
    "other values": lambda run: rewritten(fits(run), lambda a: a.update(valid=1 - a["valid"])),
    "another shape": lambda run: rewritten(fits(run), lambda a: a.update(valid=a["valid"][:3])),
    "no number": lambda run: rewritten(fits(run), lambda a: a.update(valid=a["valid"] * np.nan)),
    "texts": lambda run: rewritten(fits(run), lambda a: a.update(valid=np.array(["x"]))),
    "other facts": lambda run: rewritten(fits(run), lambda a: a.update(facts=np.array("[]"))),
    "deep facts": lambda run: rewritten(fits(run), lambda a: a.update(facts=np.array("[" * 9999))),
    "no archive": lambda run: fits(run).write_bytes(b"x"),
    "an array": lambda run: fits(run).write_bytes(b"\x93NUMPY\x01\x00"),
    "a folder for a fit": lambda run: (fits(run).unlink(), (fits_folder(run) / "a.npz").mkdir()),
    "a pipe for a fit": lambda run: os.mkfifo(fits_folder(run) / "0.npz"),
    "a file for all fits": lambda run: (shutil.rmtree(fits_folder(run)), fits_folder(run).touch()),
    "no text for the input": lambda run: (run / UNFINISHED / INPUT).write_text("[]"),
    "deep text for the input": lambda run: (run / UNFINISHED / INPUT).write_text("[" * 99999),
    "a folder for the log": lambda run: folder_for(run, "log.jsonl"),
    "a folder for the submission": lambda run: folder_for(run, "submission.csv"),
    "a folder for the report": lambda run: folder_for(run, "report.html"),
    "a pipe for the log": lambda run: (remove_log(run), os.mkfifo(run / UNFINISHED / "log.jsonl")),
    "a link for the log": lambda run: (
        remove_log(run), (run / UNFINISHED / "log.jsonl").symlink_to(run.parent / "outside.txt"),
    ),
    "something foreign": lambda run: (run / UNFINISHED / "notes.txt").touch(),
}  # fmt: skip


def fits_folder(run):
    return run / UNFINISHED / "fits"


def remove_log(run):
    (run / UNFINISHED / "log.jsonl").unlink()


def folder_for(run, name):
    (run / UNFINISHED / name).unlink(missing_ok=True)
    (run / UNFINISHED / name).mkdir()


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_damaged_is_made_again(stopped, finished, name):
    DAMAGE[name](stopped)
    solution = resume(stopped)
    assert same_outputs(stopped, finished)
    assert sorted(os.listdir(stopped)) == sorted(os.listdir(finished[0].run))
    assert not (stopped.parent / "outside.txt").exists()
    assert len(solution.record["fits"]) == 9


def test_a_new_run_does_not_take_the_place_of_one_that_can_go_on(stopped, data):
    words = ["solve", str(data), "--out", str(stopped)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "not finished" in result.stderr
    assert f"solvers solve --resume {stopped}" in result.stderr
    assert n_kept_fits(stopped) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not what a run writes"),
        (b'{"path": "x"', "is not what a run writes"),
        (b"\xff\x00", "is not what a run writes"),
        (b"[]", "is not what a run writes"),
        (b'{"path": "x", "seed": -1}', "seed Input should be greater"),
    ],
)
def test_a_broken_request_is_told_in_a_sentence(tmp_path, content, said):
    (tmp_path / UNFINISHED).mkdir()
    (tmp_path / UNFINISHED / REQUEST).write_bytes(content)
    result = CliRunner().invoke(app, ["solve", "--resume", str(tmp_path)])
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("place", [".", "nowhere", "file"])
def test_where_there_is_no_run_nothing_can_go_on(tmp_path, place):
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["solve", "--resume", str(tmp_path / place)])
    assert result.exit_code == 2
    assert "holds no run that could go on" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give the PATH of a dataset, or --resume RUN"),
        (["--resume", "x", "--seed", "0"], "--seed cannot be given with --resume"),
        (["--resume", "x", "--out", "y"], "--out cannot be given with --resume"),
        (["--resume", "x", "--no-report"], "--report cannot be given with --resume"),
    ],
)
def test_a_run_that_goes_on_cannot_be_asked_for_anything_else(words, said):
    result = CliRunner().invoke(app, ["solve", *words], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert said in result.stderr
