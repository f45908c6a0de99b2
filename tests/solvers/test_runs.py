"""Runs are found, listed and told apart from what only looks like one."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from signatures import RunFolderError
from solvers.cli.commands import app
from solvers.request import REQUEST
from solvers.run_record import UNFINISHED, read_record
from solvers.runs import (
    VERIFICATIONS,
    describe_run,
    find_runs,
    newest_scored_run,
    verifications,
)


@pytest.fixture
def copy(finished, tmp_path):
    """Copy the finished run to a named place, with some facts of its record changed."""

    def make(name, mean=None, **changes):
        place = tmp_path / name
        shutil.copytree(finished[0].run, place)
        facts = json.loads((place / "run.json").read_text(encoding="utf-8")) | changes
        if mean is not None:
            facts["scores"]["models"][facts["scores"]["used"]]["mean"] = mean
        (place / "run.json").write_text(json.dumps(facts), encoding="utf-8")
        return place

    return make


def test_the_newest_finished_run_counts(copy, tmp_path):
    task = "spaceship-titanic"
    copy("b", 0.8, finished="2026-01-01T00:00:00Z")
    copy("a", 0.9, finished="2026-01-02T00:00:00Z")
    copy("c", 0.1, finished="2026-01-03T00:00:00Z", task="other")
    copy("d", 0.1, finished="2026-01-04T00:00:00Z", note="synthetic")
    runs = [describe_run(run) for run in find_runs(tmp_path)]
    assert newest_scored_run(runs, task)["score"] == {
        "mean": 0.9, "sem": None, "metric": "accuracy",
    }  # fmt: skip


def test_where_there_is_no_run_there_is_no_score(tmp_path):
    assert list(find_runs(tmp_path)) == list(find_runs(tmp_path / "nowhere")) == []
    assert newest_scored_run([], "spaceship-titanic") is None


def test_the_list_of_tasks_shows_the_score_of_the_newest_run(copy, tmp_path, monkeypatch):
    copy("runs/a", 0.8125)
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(app, ["list"], env={"COLUMNS": "200"})
    assert "0.81250 (quick)" in shown.stdout
    tasks = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)["tasks"]
    newest = {task["task"]: task["newest_run"] for task in tasks}
    assert newest.pop("spaceship-titanic")["score"]["mean"] == 0.8125
    assert set(newest.values()) == {None}


def test_a_finished_run_is_described(copy, finished):
    facts = describe_run(copy("run"))
    assert facts["state"] == "finished"
    assert (facts["task"], facts["seed"], facts["profile"]) == ("spaceship-titanic", 0, "quick")
    used = finished[0].record["scores"]["used"]
    assert facts["score"]["mean"] == finished[0].scores[used][0]
    assert facts["verdict"] is None
    assert facts["age_seconds"] >= 0


def test_the_newest_verdict_counts_and_a_broken_line_counts_for_nothing(copy):
    run = copy("run")
    facts = ({"verdict": "different", "checked": "1"}, {"verdict": "same bytes", "checked": "2"})
    lines = [json.dumps(fact) for fact in facts]
    (run / VERIFICATIONS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert describe_run(run)["verdict"] == "same bytes"
    for broken in ('{"verd', "[]", "", "\n", "3", "[" * 100_000):
        (run / VERIFICATIONS).write_text(lines[0] + "\n" + broken, encoding="utf-8")
        assert [fact["verdict"] for fact in verifications(run)] == ["different"]
    (run / VERIFICATIONS).write_bytes(b"\xff\x00")
    assert verifications(run) == []


def test_runs_are_found_at_any_depth_and_what_they_hold_is_not(copy, tmp_path):
    copy("x/y/z")
    copy("a")
    (tmp_path / "b" / UNFINISHED / "fits").mkdir(parents=True)
    shutil.copytree(tmp_path / "a", tmp_path / "b" / UNFINISHED / "fallback")
    (tmp_path / "empty").mkdir()
    found = [str(run.relative_to(tmp_path)) for run in find_runs(tmp_path)]
    assert found == ["a", "b", "x/y/z"]


def test_an_unfinished_run_says_what_it_keeps(tmp_path):
    fits = tmp_path / "run" / UNFINISHED / "fits"
    fits.mkdir(parents=True)
    (fits.parent / REQUEST).touch()
    for name in ("a.npz", "b.npz", "c.half"):
        (fits / name).touch()
    facts = describe_run(tmp_path / "run")
    assert (facts["state"], facts["note"]) == ("unfinished", "2 fits kept")
    with pytest.raises(RunFolderError, match=r"not finished.*solve --resume"):
        read_record(tmp_path / "run")


def spoil(facts, name):
    """Change a record as it would be after an accident, or by another program."""
    match name:
        case "a part is missing":
            del facts["environment"]
        case "a part too many":
            facts["mood"] = "good"
        case "text for a number":
            facts["seed"] = "0"
        case "a number for text":
            facts["reason"] = 3
        case "a mean that is no number":
            facts["scores"]["models"]["average"]["mean"] = None
        case "an unknown route":
            facts["route"] = "guess"
        case "no zone":
            facts["finished"] = "2026-01-01T00:00:00"
        case "a digest that is none":
            facts["submission_sha256"] = "abc"
        case "a blend without a score":
            facts["scores"]["used"] = "nothing"
        case "a profile without a name":
            del facts["settings"]["profile"]["name"]
        case "a known task without scores":
            facts["scores"] = None
        case "a negative seed":
            facts["seed"] = -1
        case "another version":
            facts["schema_version"] = 1
        case "a list":
            return [facts]
    return facts


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a part is missing", "environment: Field required"),
        ("a part too many", "mood: Extra inputs"),
        ("text for a number", "seed: Input should be a valid integer"),
        ("a number for text", "reason: Input should be a valid string"),
        ("a mean that is no number", "scores.models.average.mean"),
        ("an unknown route", "route: Input should be"),
        ("no zone", "finished: Input should have timezone"),
        ("a digest that is none", "submission_sha256: String should match"),
        ("a blend without a score", "'nothing' is used and has no score"),
        ("a profile without a name", r"settings\.profile\.name: Field required"),
        ("a known task without scores", "a run of a known task has no scores"),
        ("a negative seed", "seed: Input should be greater"),
        ("another version", "has schema version 1; this version of solvers reads 2"),
        ("a list", "as a whole"),
    ],
)
def test_a_record_that_cannot_be_understood_is_told_in_a_sentence(copy, name, said):
    run = copy("run")
    facts = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(spoil(facts, name)), encoding="utf-8")
    with pytest.raises(RunFolderError, match=said):
        read_record(run)
    assert describe_run(run)["state"] == "unreadable"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON text"),
        (b'{"schema_version": 2, "rou', "not JSON text.*cut short"),
        (b"\xff\xfe\x00", "not JSON text"),
        (b"[" * 100_000, "not JSON text"),
        (b"null", "as a whole"),
        (b"NaN", "as a whole"),
    ],
)
def test_a_truncated_or_foreign_record_is_told_in_a_sentence(tmp_path, content, said):
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(RunFolderError, match=said):
        read_record(tmp_path)


def test_what_is_no_run_folder_is_told_in_a_sentence(tmp_path):
    with pytest.raises(RunFolderError, match=r"holds no run: there is no run\.json"):
        read_record(tmp_path)
    with pytest.raises(RunFolderError, match="is not a folder"):
        read_record(tmp_path / "nowhere")
    (tmp_path / "run.json").mkdir()
    with pytest.raises(RunFolderError, match="holds no run"):
        read_record(tmp_path)
