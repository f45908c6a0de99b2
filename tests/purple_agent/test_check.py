"""The check of a submission's form that an evaluator offers, and words that are no dataset."""

import json
import threading

import pytest
from a2a.types import TaskState

from purple_agent.card import card
from purple_agent.events import ASK, Talk, said
from purple_agent.settings import Settings
from tests.purple_agent.wire import packed, state, submissions, texts

VERDICTS = {
    "Submission is valid.": "accepted",
    "Submission invalid! The attempt to grade it has failed:\nwrong length": "refused",
}


@pytest.fixture(scope="module")
def asking(module_serve):
    return module_serve(ask_for_check=True, check_seconds=3)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_verdict_is_taken_and_ended_at_once(asking, flowers, verdict):
    events, answers = [], []
    for event in asking.send(packed(flowers)):
        events.append(event)
        if event["kind"] == "status-update" and ASK in "".join(texts([event])):
            file = event["status"]["message"]["parts"][1]["file"]
            assert file["bytes"]
            # As the evaluator does: it reads this to its end before it goes on with the first.
            answers += asking.say(verdict, contextId=event["contextId"])
    assert [answer["kind"] for answer in answers] == ["message"]
    assert state(events) == "completed"
    assert f"form was {VERDICTS[verdict]}" in "\n".join(texts(events))
    written = json.loads((asking.folder(events[0]["id"]) / "task.json").read_text())
    assert written["verdict"] == verdict
    logged = [json.loads(line) for line in asking.log.read_text().splitlines()]
    (line,) = [
        one for one in logged if "verdict on" in one["message"] and verdict in one["message"]
    ]
    assert line["task"] == events[0]["id"]


def test_text_that_asks_is_exactly_one_word(asking, flowers):
    events = list(asking.send(packed(flowers)))
    asked = [text for text in texts(events) if ASK in text]
    assert asked == ["validate"]


def test_client_that_never_answers_gets_its_submission(asking, flowers):
    events = list(asking.send(packed(flowers)))
    assert state(events) == "completed"
    assert submissions(events)
    assert "No verdict on the submission's form came" in "\n".join(texts(events))


def test_no_status_asks_by_accident(service, flowers):
    events = list(service.send(packed(flowers)))
    assert "Running tool: check_submission" in texts(events)
    assert ASK not in "\n".join(texts(events)).lower()


def test_ask_is_taken_out_in_any_case():
    assert ASK not in said("VALIDATE, Validate and validated").lower()


def test_everything_that_is_sent_is_said_without_asking(tmp_path):
    file = tmp_path / "submission.csv"
    file.write_text("id,x\n")
    text, talk = "Running validate_submission, then VALIDATE", Talk("t", "c")
    ways = {
        "begin": lambda: talk.begin(text),
        "refuse": lambda: talk.refuse(text),
        "status": lambda: talk.status(TaskState.TASK_STATE_FAILED, text),
        "working": lambda: talk.working(text),
        "answer": lambda: talk.answer(file, text),
        "reply": lambda: talk.reply(text),
        "ask": lambda: talk.ask(file),
    }
    assert set(ways) == {name for name in vars(Talk) if not name.startswith("_")}
    asking = [name for name, way in ways.items() if ASK in str(way()).lower()]
    assert asking == ["ask"]
    assert ASK not in str(card(Settings())).lower()


def test_words_in_a_known_conversation_start_nothing(service, flowers):
    events = list(service.send(packed(flowers)))
    before = set((service.home / "tasks").iterdir())
    (answer,) = service.say("Submission is valid.", contextId=events[0]["contextId"])
    assert answer["kind"] == "message"
    assert answer["at"] < 2
    assert set((service.home / "tasks").iterdir()) == before


def test_words_in_an_unknown_conversation_are_rejected(service):
    before = set((service.home / "tasks").iterdir())
    for more in ({}, {"contextId": "never-heard-of"}):
        answer = service.say("Please solve spaceship titanic.", **more)
        assert state(answer) == "rejected"
        assert "no archive" in texts(answer)[-1]
    assert set((service.home / "tasks").iterdir()) == before


def test_words_while_the_task_runs_do_not_wait_for_its_end(serve, flowers):
    service = serve(agent="tests.purple_agent.stand_ins:slow_agent")
    stream = service.send(packed(flowers))
    first = next(stream)
    answers = []
    thread = threading.Thread(
        target=lambda: answers.extend(service.say("hello?", contextId=first["contextId"]))
    )
    thread.start()
    thread.join(timeout=5)
    assert [answer["kind"] for answer in answers] == ["message"]
    service.call("tasks/cancel", id=first["id"])
    stream.close()
