"""What is left of a service that was killed, and of one that was ended in order."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress

import psutil

from tests.purple_agent.service import STAND_INS
from tests.purple_agent.test_cancel import below, first, until
from tests.purple_agent.wire import packed, submissions, texts


def stored(service, task):
    return service.call("tasks/get", id=task)["result"]


def written(service, task):
    return json.loads((service.folder(task) / "task.json").read_text())


def kill_all(service):
    """Kill a service and all below it, as the end of a container or a machine does."""
    family = below(service)
    service.kill()
    for process in family:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def test_killed_service_goes_on_by_itself_to_the_same_bytes(serve, passengers, flowers):
    service = serve(concurrent=1)
    finished = list(service.send(packed(passengers)))
    task = first(service.send(packed(passengers)))
    fits = service.folder(task) / "run" / ".unfinished" / "fits"
    until(lambda: list(fits.glob("*.npz")), 60)
    waiting = first(service.send(packed(flowers)))
    kill_all(service)
    service.start()
    assert service.seconds_to_card < 10
    until(lambda: stored(service, task)["status"]["state"] in ("completed", "failed"), 60)
    until(lambda: stored(service, waiting)["status"]["state"] in ("completed", "failed"), 60)
    assert stored(service, waiting)["status"]["state"] == "completed"
    for one in (finished[0]["id"], task):
        answer = stored(service, one)
        assert answer["status"]["state"] == "completed"
        (artifact,) = answer["artifacts"]
        sent = {"kind": "artifact-update", "artifact": artifact}
        assert submissions([sent]) == submissions(finished)[-1:]
    assert written(service, task)["sittings"] == 2
    record = json.loads((service.folder(task) / "run" / "run.json").read_text())
    assert record["sittings"] == 2


def test_ended_service_stops_its_work_says_so_and_goes_on_later(serve, flowers):
    service = serve(agent=f"{STAND_INS}:slow_agent")
    stream = service.send(packed(flowers))
    task = first(stream)
    until(lambda: written(service, task)["answer"])
    family = below(service)
    assert family
    began = time.monotonic()
    assert service.end() == 0
    assert time.monotonic() - began < 8
    assert not any(process.is_running() for process in family)
    said = texts(list(stream))
    assert "The work is kept" in said[-1] or "goes on when it is back" in said[-1]
    assert written(service, task)["state"] == "open"
    service.settings["agent"] = f"{STAND_INS}:good_agent"
    service.start()
    resubscribed = {
        "id": 1,
        "jsonrpc": "2.0",
        "method": "tasks/resubscribe",
        "params": {"id": task},
    }
    list(service.stream(resubscribed))
    until(lambda: stored(service, task)["status"]["state"] == "completed")
    (artifact,) = stored(service, task)["artifacts"]
    assert submissions([{"kind": "artifact-update", "artifact": artifact}])[0].endswith(b"0.75\n")


def test_work_that_is_interrupted_again_and_again_ends_with_a_baseline(serve, passengers):
    service = serve(profile="full")
    stream = service.send(packed(passengers))
    task = first(stream)
    for sitting in (1, 2):
        until(lambda n=sitting: written(service, task)["sittings"] == n and below(service))
        time.sleep(1.5)
        for process in below(service):
            process.kill()
    events = list(stream)
    assert "interrupted too often" in texts(events)[-1]
    assert submissions(events)
    assert written(service, task)["route"] == "baseline"


def test_run_of_a_failed_task_goes_on_by_the_command_line(serve, passengers):
    service = serve(sittings=1)
    task = first(service.send(packed(passengers)))
    run = service.folder(task) / "run"
    until(lambda: list((run / ".unfinished" / "fits").glob("*.npz")), 60)
    for process in below(service):
        process.kill()
    until(lambda: stored(service, task)["status"]["state"] == "failed")
    said = stored(service, task)["status"]["message"]["parts"][0]["text"]
    assert "was interrupted 1 times. It is kept, and can go on." in said
    words = [sys.executable, "-m", "solvers.cli", "solve", "--resume", str(run), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["route"] == "known-task"
    assert (run / "submission.csv").exists()


def test_task_that_nobody_remembers_is_closed(serve, flowers):
    service = serve()
    events = list(service.send(packed(flowers)))
    service.end()
    old = service.folder(events[0]["id"])
    lost = service.home / "tasks" / "lost"
    lost.mkdir()
    said = json.loads((old / "task.json").read_text()) | {"task": "lost", "state": "open"}
    (lost / "task.json").write_text(json.dumps(said))
    (service.home / "tasks" / "damaged").mkdir()
    service.start()
    until(lambda: written(service, "lost")["state"] == "failed")


def test_damage_on_the_disk_of_a_task_ends_that_task_and_nothing_else(serve, flowers):
    service = serve(agent=f"{STAND_INS}:slow_agent", keep_days=0)
    task = first(service.send(packed(flowers)))
    until(lambda: written(service, task)["answer"])
    kill_all(service)
    (service.folder(task) / "task.json").write_text('{"task": ')
    old = service.home / "tasks" / "old"
    (old / "archive").mkdir(parents=True)
    (old / "agent").mkdir()
    deep = os.open(old / "agent", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=deep)
        deeper = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = deeper
    os.close(deep)
    file = {"task": "old", "context": "c", "state": "failed", "created": 1.0}
    (old / "task.json").write_text(json.dumps(file))
    (service.home / "tasks" / "a file").write_text("x")
    (service.home / "incoming" / "a folder").mkdir()
    service.start()
    until(lambda: stored(service, task)["status"]["state"] == "failed")
    said = stored(service, task)["status"]["message"]["parts"][0]["text"]
    assert "damaged or gone" in said
    assert "Send the task again" in said
    assert (service.folder(task) / "task.json").read_text() == '{"task": '
    assert sorted(path.name for path in old.iterdir()) == ["task.json"]
    assert not (service.home / "incoming" / "a folder").exists()
