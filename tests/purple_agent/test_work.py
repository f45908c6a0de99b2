"""What the process of a task does, without the service around it."""

import json
import re
import shutil

import pytest

from purple_agent.orders import Order
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFolder
from purple_agent.work import agent, routes
from purple_agent.work.baseline import baseline
from purple_agent.work.candidates import Candidate, better
from purple_agent.work.telling import STAGES, Telling
from solvers.log import FitEnd
from tests.purple_agent.service import ROOT, STAND_INS

STAGE = re.compile(r'\.stage\("(\w+)"\)')


def order(**more: object) -> Order:
    settings = Settings(
        profile="quick", jobs=1, baseline=f"{STAND_INS}:baseline", agent=f"{STAND_INS}:no_agent"
    )
    return Order.of(settings, sharing=1, plain=False).model_copy(update=more)


@pytest.fixture
def folder(tmp_path, flowers):
    made = TaskFolder.make(tmp_path, "task", "context")
    shutil.copytree(flowers, made.data)
    return made


def told(folder):
    return [json.loads(line) for line in folder.events.read_text().splitlines()]


def worked(folder, **more):
    routes.work(folder, order(**more), Telling(folder))
    return told(folder)


def test_solver_that_fails_is_followed_by_the_baseline(folder, monkeypatch, capsys):
    def fails(*_):
        msg = f"a secret in {folder.path}"
        raise KeyError(msg)

    monkeypatch.setattr(routes, "_solved", fails)
    events = worked(folder)
    (answer,) = [event for event in events if event["kind"] == "answer"]
    assert answer["route"] == "baseline"
    assert answer["reason"] == "the solver of this task failed"
    assert "secret" not in json.dumps(events)
    assert "secret" in capsys.readouterr().err


def test_solver_that_was_interrupted_too_often_is_passed_over(folder, monkeypatch):
    monkeypatch.setattr(routes, "_solved", lambda *_: pytest.fail("was asked"))
    assert "interrupted too often" in worked(folder, plain=True)[-1]["text"]


def test_run_that_is_finished_answers_however_often_the_work_was_interrupted(folder, monkeypatch):
    class Solution:
        record, route, reason = {"task": "garden-beds"}, "known-task", "it is known"
        submission = folder.run / "submission.csv"

    folder.run.mkdir()
    (folder.run / "run.json").write_text("{}")
    monkeypatch.setattr(routes, "_solved", lambda *_: Solution())
    monkeypatch.setattr("solvers.report.write_report", lambda *_: pytest.fail("was asked"))
    events = worked(folder, plain=True, report=True)
    assert [event["route"] for event in events if event["kind"] == "answer"] == ["known-task"]


def test_work_that_was_interrupted_too_often_asks_no_agent(folder, monkeypatch):
    monkeypatch.setattr(routes, "_agent", lambda *_: pytest.fail("was asked"))
    events = worked(folder, plain=True, agent=f"{STAND_INS}:good_agent")
    assert [event["route"] for event in events if event["kind"] == "answer"] == ["baseline"]
    assert events[-1]["kind"] == "done"


def test_without_baseline_agent_and_sample_there_is_a_sentence(folder):
    (folder.data / "sample_submission.csv").unlink()
    events = worked(folder, baseline=f"{STAND_INS}:no_baseline")
    assert events[-1]["kind"] == "failed"
    assert events[-1]["text"].startswith("No answer could be made from this data. Why: no known")


@pytest.mark.parametrize("sample", [bytes(range(128, 256)), b"id,y\n"])
def test_a_sample_that_is_no_table_is_no_answer(folder, sample):
    (folder.data / "sample_submission.csv").write_bytes(sample)
    events = worked(folder, baseline=f"{STAND_INS}:no_baseline")
    assert events[-1]["kind"] == "failed"


def test_agent_answers_alone_where_the_baseline_failed(folder):
    events = worked(folder, baseline=f"{STAND_INS}:no_baseline", agent=f"{STAND_INS}:bad_agent")
    assert [e["route"] for e in events if e["kind"] == "answer"] == ["sample", "agent"]


def test_full_disk_is_a_sentence(folder, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device", str(folder.path))

    monkeypatch.setattr(routes, "unpack", full)
    (_, last) = worked(folder)
    assert last == {"kind": "failed", "text": routes.NO_ROOM}
    assert "No space left" in capsys.readouterr().err


def test_baseline_is_made_once_and_found_again(folder, monkeypatch):
    class Made:
        submission = folder.baseline / "submission.csv"
        record = {  # noqa: RUF012
            "inferred": {"answered_by": "models", "notes": ["metric rmse"]},
            "scores": {
                "used": "average", "higher_is_better": False,
                "models": {"average": {"per_seed": [0.7, 0.9]}},
            },
        }  # fmt: skip

    asked = []

    def solve(data, **options):
        asked.append(options)
        folder.baseline.mkdir()
        return Made()

    monkeypatch.setattr("solvers.solution.solve", solve)
    monkeypatch.setattr("solvers.solution.resume", lambda run: Made())
    folder.baseline.mkdir()
    (folder.baseline / "half").write_text("of an earlier sitting")
    first = baseline(folder, order(), Telling(folder))
    words = "The baseline's answer: metric rmse."
    assert first == Candidate(Made.submission, 0.7, words, higher_is_better=False)
    assert (asked[0]["fallback"], asked[0]["as_unknown"]) == ("baseline", True)
    (folder.baseline / "run.json").write_text("{}")
    assert baseline(folder, order(), Telling(folder)) == first
    assert len(asked) == 1


def test_lower_is_better_where_the_metric_says_so(tmp_path):
    old = Candidate(tmp_path / "a", 0.5, "old", higher_is_better=False)
    assert better(Candidate(tmp_path / "b", 0.4, "new"), old)
    assert not better(Candidate(tmp_path / "b", 0.6, "new"), old)
    assert not better(Candidate(None, 0.1, "nothing"), old)
    assert better(Candidate(tmp_path / "b", None, "new"), None)


def stages_in_the_source() -> set[str]:
    """Find the names of all stages that a run may have."""
    files = (ROOT / "solvers").rglob("*.py")
    return {name for file in files for name in STAGE.findall(file.read_text(encoding="utf-8"))}


def test_every_stage_has_a_sentence(folder):
    # The worker hands no function of its own to `solve`, which is what "fallback" is.
    assert set(STAGES) == stages_in_the_source() - {"fallback"}
    assert {"infer", "constant"} <= set(STAGES)
    Telling(folder).stage_begins("infer")
    assert told(folder)[-1]["text"] == STAGES["infer"]


@pytest.mark.parametrize("learns", [True, False])
def test_a_real_baseline_says_nothing_but_sentences(folder, learns):
    if not learns:
        (folder.data / "test.csv").rename(folder.data / "later.csv")
    baseline(folder, order(), Telling(folder))
    said = {event["text"] for event in told(folder) if event["kind"] == "stage"}
    assert said <= set(STAGES.values())
    assert STAGES["infer"] in said
    assert (STAGES["constant"] in said) is not learns


def test_places_of_this_machine_are_told_to_nobody(folder):
    telling = Telling(folder)
    telling.tell("stage", f"cannot read {folder.data}/train.csv in {folder.path}")
    telling.fit_ends(FitEnd("catboost", 3, 9, 1.0, None))
    assert [event["text"] for event in told(folder)] == [
        "cannot read the dataset/train.csv in the task",
        "Fitting models: 3 of 9 fits, catboost.",
    ]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SECONDS", "inf", "SOLVERS_AGENT_SECONDS cannot be used: expected a finite number"),
        ("ITERATIONS", "0", "SOLVERS_AGENT_ITERATIONS cannot be used: expected more than 0"),
    ],
)
def test_settings_of_the_agent_that_cannot_be_are_why_it_did_not_answer(
    folder, monkeypatch, name, value, sentence
):
    monkeypatch.setenv("MODEL_NAME", "a-model")
    monkeypatch.setenv(f"SOLVERS_AGENT_{name}", value)
    given = agent.answer(folder, order(), Telling(folder), None)
    assert given.submission is None
    assert sentence in given.reason
