"""A task that is canceled ends at once, with everything that it has started."""

import json
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import psutil
import pytest

from tests.purple_agent.service import STAND_INS, Service
from tests.purple_agent.wire import packed, state, texts


def until(condition: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def first(stream: Iterator[dict[str, Any]]) -> str:
    return str(next(stream)["id"])


def alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def below(service: Service) -> list[psutil.Process]:
    return psutil.Process(service.process.pid).children(recursive=True)


def test_cancel_ends_the_work_and_all_its_processes(serve, flowers):
    service = serve(baseline=f"{STAND_INS}:slow_baseline")
    stream = service.send(packed(flowers))
    task = first(stream)
    pid = service.folder(task) / "child.pid"
    until(lambda: pid.exists() and pid.read_text())
    assert len(below(service)) == 2
    began = time.monotonic()
    answer = service.call("tasks/cancel", id=task)
    assert time.monotonic() - began < 2
    assert answer["result"]["status"]["state"] == "canceled"
    assert below(service) == []
    assert not alive(int(pid.read_text()))
    assert json.loads((service.folder(task) / "task.json").read_text())["state"] == "canceled"
    assert service.get("/healthz").json()["running"] == 0
    assert state(list(stream)) == "canceled"
    again = service.call("tasks/cancel", id=task)
    assert "error" in again


def test_fits_of_a_canceled_run_are_kept(serve, passengers):
    service = serve(profile="full")
    stream = service.send(packed(passengers))
    task = first(stream)
    fits = service.folder(task) / "run" / ".unfinished" / "fits"
    until(lambda: list(fits.glob("*.npz")), 60)
    began = time.monotonic()
    service.call("tasks/cancel", id=task)
    assert time.monotonic() - began < 2
    assert below(service) == []
    assert list(fits.glob("*.npz"))
    assert (service.folder(task) / "data").is_dir()
    stream.close()


def test_task_in_the_line_is_told_its_place_and_can_be_canceled(serve, flowers):
    service = serve(baseline=f"{STAND_INS}:slow_baseline", concurrent=1, waiting=2, heartbeat=0.2)
    archive = packed(flowers)
    streams = [service.send(archive) for _ in range(3)]
    tasks = [first(stream) for stream in streams]
    assert texts([next(streams[2])]) == ["Waiting: number 2 in the line."]
    refused = list(service.send(archive))
    assert state(refused) == "rejected"
    assert "waiting line is full" in texts(refused)[-1]
    service.call("tasks/cancel", id=tasks[1])
    said = ""
    while said != "Waiting: number 1 in the line.":
        (said,) = texts([next(streams[2])])
    service.call("tasks/cancel", id=tasks[0])
    while "Unpacking" not in said:
        (said,) = texts([next(streams[2])])
    service.call("tasks/cancel", id=tasks[2])
    for stream in streams:
        stream.close()


def test_signs_of_life_come_while_nothing_happens(serve, flowers):
    service = serve(baseline=f"{STAND_INS}:slow_baseline", heartbeat=0.3)
    stream = service.send(packed(flowers))
    task = first(stream)
    times = []
    for event in stream:
        if texts([event]) == ["Making a baseline, because no known task: " + why(event)]:
            times.append(event["at"])
        if len(times) == 4:
            break
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert max(gaps) < 1
    service.call("tasks/cancel", id=task)
    stream.close()


def why(event: dict[str, Any]) -> str:
    return "".join(texts([event])).removeprefix("Making a baseline, because no known task: ")


@pytest.mark.parametrize("agent", ["slow_agent"])
def test_time_that_is_over_leaves_what_was_sent(serve, flowers, agent):
    service = serve(agent=f"{STAND_INS}:{agent}", longest=4)
    events = list(service.send(packed(flowers)))
    assert state(events) == "completed"
    assert "The time for this task is over. The submission that was sent stands." in texts(events)
    assert below(service) == []
