"""Faults seen in agents of this kind, and the tests that hold ours against them.

=====  ================================================================  =====================
fault  what went wrong                                                   tested in
=====  ================================================================  =====================
1      the dataset is looked for where the evaluator does not put it     test_routes
2      the task is told from the words of the message, not the data      test_routes
3      dependencies without bounds, a shell that eats them               test_container
4      a status that asks for a check by accident; a verdict taken for   test_check
       a new task
5      no answer at all without a key, or after any error                test_routes
19     members that land outside the folder, links                       test_unpacking
20     any address is fetched                                            test_downloads
21     no limit on body, archive, members, unpacked bytes                test_limits, _unpacking
22     archives and data stay for good                                   test_service
23     the archive is kept in the task, tasks are lost on restart        test_service, _restart
24     cancel does not work, work cannot be stopped                      test_cancel
25     no line, every run takes all cores, the event loop starves        test_line, the benchmark
26     any file is taken for the archive; base64 is not looked at        test_limits
27     the text of inner errors reaches the client                       test_routes
28     open to every machine, wrong card, no health, no shutdown         test_service
30     root in the image, nothing pinned, a key that is not needed       test_container
37     no tests, not importable                                          all of these
=====  ================================================================  =====================
"""

import hashlib
import json
import subprocess
import sys

import pytest

from tests.purple_agent.service import STAND_INS
from tests.purple_agent.wire import packed, state, submissions, texts


@pytest.fixture(scope="module")
def solved(service, passengers):
    """A known task, sent as an evaluator sends it."""
    return list(service.send(packed(passengers)))


def test_known_task_is_found_where_the_evaluator_packs_it(solved):
    assert state(solved) == "completed"
    assert "Route: known-task" in texts(solved)[-1]


def test_submission_is_that_of_the_command_line(solved, passengers, tmp_path):
    words = [sys.executable, "-m", "solvers.cli", "solve", str(passengers)]
    words += ["--profile", "quick", "--no-report", "--out", str(tmp_path / "run")]
    subprocess.run(words, check=True, capture_output=True)
    assert submissions(solved)[-1] == (tmp_path / "run" / "submission.csv").read_bytes()


def test_what_was_sent_lies_in_the_run_with_the_digest_of_what_came(solved, service, passengers):
    folder = service.folder(solved[0]["id"])
    said = json.loads((folder / "task.json").read_text())
    assert (folder / said["answer"]).read_bytes() == submissions(solved)[-1]
    assert said["answer"] == "run/submission.csv"
    assert (said["state"], said["route"]) == ("finished", "known-task")
    assert {path.name for path in (folder / "run").iterdir()} >= {"run.json", "log.jsonl"}
    assert len(said["sha256"]) == len(hashlib.sha256().hexdigest())


def test_words_of_the_message_choose_nothing(service, flowers):
    events = list(service.send(packed(flowers), "This is the spaceship titanic competition"))
    assert "Route: baseline" in texts(events)[-1]
    assert "no known task" in texts(events)[-1]


def test_unknown_task_is_answered_without_a_key(service, flowers):
    events = list(service.send(packed(flowers)))
    assert state(events) == "completed"
    assert submissions(events) == [b"flower,smell\n5,0.25\n6,0.25\n"]


def test_rejected_data_are_answered_with_the_reason(service, passengers, tmp_path):
    for file in passengers.iterdir():
        text = file.read_text()
        (tmp_path / file.name).write_text(text.replace("Earth", "Pluto"))
    events = list(service.send(packed(tmp_path)))
    assert submissions(events)
    assert "the data break the contract of 'spaceship-titanic'" in texts(events)[-1]
    assert "Route: baseline" in texts(events)[-1]


def test_better_agent_takes_the_place_of_the_baseline(serve, flowers):
    events = list(serve(agent=f"{STAND_INS}:good_agent").send(packed(flowers)))
    ids = {event["artifact"]["artifactId"] for event in events if "artifact" in event}
    assert len(ids) == 1
    assert [file.split(b",")[-1] for file in submissions(events)] == [b"0.25\n", b"0.75\n"]
    assert "Route: agent" in texts(events)[-1]


def test_worse_agent_changes_nothing(serve, flowers):
    events = list(serve(agent=f"{STAND_INS}:bad_agent").send(packed(flowers)))
    assert [file.split(b",")[-1] for file in submissions(events)] == [b"0.25\n"]
    assert "Route: baseline" in texts(events)[-1]
    assert "a worse score" in texts(events)[-1]


def test_nothing_but_the_sample_is_still_an_answer_and_no_secret_is_told(serve, flowers):
    service = serve(baseline=f"{STAND_INS}:no_baseline", agent=f"{STAND_INS}:crashing_agent")
    events = list(service.send(packed(flowers)))
    assert state(events) == "completed"
    assert submissions(events) == [(flowers / "sample_submission.csv").read_bytes()]
    everything = json.dumps(events)
    assert "secret" not in everything
    assert str(service.home) not in everything
    assert "a secret" in (service.folder(events[0]["id"]) / "worker.log").read_text()


def test_data_without_tables_fail_with_a_sentence(service, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing to see")
    events = list(service.send(packed(tmp_path)))
    assert state(events) == "failed"
    assert "No answer could be made" in texts(events)[-1]
    assert str(service.home) not in json.dumps(events)


@pytest.mark.parametrize("profile", ["full"])
def test_real_passengers_get_the_bytes_of_the_command_line(
    serve, known_tasks_data, tmp_path, profile
):
    data = known_tasks_data / "spaceship-titanic"
    events = list(serve(profile=profile).send(packed(data)))
    words = [sys.executable, "-m", "solvers.cli", "solve", str(data), "--profile", profile]
    words += ["--no-report", "--out", str(tmp_path / "run")]
    subprocess.run(words, check=True, capture_output=True)
    assert submissions(events)[-1] == (tmp_path / "run" / "submission.csv").read_bytes()
