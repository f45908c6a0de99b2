"""A task over several sittings: restarts, workers that die, time, cancelling; no service around it.

The worker is a stand-in that tells what a test says and ends when it says so.
"""

import asyncio
import json

import pytest

from purple_agent import job as jobs
from purple_agent.events import Talk
from purple_agent.job import TIME, Job, Room
from purple_agent.line import Line
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFolder
from purple_agent.verdicts import Verdicts
from tests.purple_agent.test_executor import Heard


class Worker:
    """A process that runs until it is ended."""

    pid = 0

    def __init__(self, folder: TaskFolder) -> None:
        self.folder, self.order = folder, folder.order()
        self.returncode: int | None = None

    def tell(self, **said: str) -> None:
        with self.folder.events.open("a") as stream:
            stream.write(json.dumps(said) + "\n")


class Workers:
    """Starts and stops workers in place of `purple_agent.processes`."""

    def __init__(self) -> None:
        self.started: list[Worker] = []
        self.gate = asyncio.Event()  # where a test lets a start wait
        self.gate.set()
        self.asked = asyncio.Event()

    async def start(self, folder: TaskFolder) -> Worker:
        self.asked.set()
        await self.gate.wait()
        self.started.append(Worker(folder))
        return self.started[-1]

    async def stop(self, worker: Worker) -> None:
        if worker.returncode is None:
            worker.returncode = -15

    async def next(self, number: int) -> Worker:
        """Wait for the worker of this number, counted from 1."""
        async with asyncio.timeout(30):
            while len(self.started) < number:
                await asyncio.sleep(0.005)
        return self.started[number - 1]


@pytest.fixture
def workers(monkeypatch):
    made = Workers()
    monkeypatch.setattr("purple_agent.job.processes", made)
    monkeypatch.setattr(jobs, "MOMENT", 0.05)
    monkeypatch.setattr("purple_agent.told.PAUSE", 0.01)
    return made


@pytest.fixture
def folder(tmp_path):
    return TaskFolder.make(tmp_path / "tasks", "t", "c")


def job_of(folder, **settings):
    room = Room(Settings(home=folder.path.parents[1], **settings), Line(1, 0), Verdicts())
    return Job(room, folder, Talk("t", "c"), Heard())


def texts(job):
    return [event.status.message.parts[0].text for event in job._queue.events]


def test_restarts_are_no_interruptions(folder, workers):
    async def scene():
        for number in (1, 2, 3, 4):
            job = job_of(folder)
            running = asyncio.create_task(job.run(again=number > 1))
            await workers.next(number)
            await job.say_goodbye()
            await running

    asyncio.run(scene())
    assert [worker.order.plain for worker in workers.started] == [False] * 4
    assert (folder.read().sittings, folder.read().deaths) == (4, 0)
    assert folder.read().state == "open"


def test_kills_of_the_service_are_no_interruptions(folder, workers):
    async def scene():
        for number in (1, 2, 3):
            running = asyncio.create_task(job_of(folder).run())
            await workers.next(number)
            running.cancel()  # all that is left is what was written down by now
            await asyncio.wait([running])

    asyncio.run(scene())
    assert [worker.order.plain for worker in workers.started] == [False] * 3
    assert folder.read().deaths == 0


def test_worker_that_a_stop_reaches_before_the_service_is_no_interruption(
    folder, workers, monkeypatch
):
    monkeypatch.setattr(jobs, "MOMENT", 1)

    async def scene():
        job = job_of(folder)
        running = asyncio.create_task(job.run())
        worker = await workers.next(1)
        worker.returncode = -15  # as where every process of a unit gets a SIGTERM
        await asyncio.sleep(0.1)
        await job.say_goodbye()
        await running

    asyncio.run(scene())
    assert len(workers.started) == 1
    assert folder.read().deaths == 0


def test_workers_that_die_lead_to_a_baseline_and_then_to_an_end(folder, workers):
    async def scene():
        job = job_of(folder)
        running = asyncio.create_task(job.run())
        for number in (1, 2, 3):
            (await workers.next(number)).returncode = -9
        await running
        return job

    job = asyncio.run(scene())
    assert [worker.order.plain for worker in workers.started] == [False, False, True]
    assert "interrupted 3 times" in texts(job)[-1]
    assert (job.outcome, folder.read().deaths) == ("failed", 3)


def test_deaths_count_over_restarts(folder, workers):
    async def scene():
        for number in (1, 3):
            job = job_of(folder)
            running = asyncio.create_task(job.run())
            (await workers.next(number)).returncode = -9
            await workers.next(number + 1)
            await job.say_goodbye()
            await running

    asyncio.run(scene())
    assert [worker.order.plain for worker in workers.started] == [False, False, False, True]


def test_time_is_that_of_all_sittings(folder, workers):
    async def scene():
        first = job_of(folder, longest=1000)
        running = asyncio.create_task(first.run())
        await workers.next(1)
        await asyncio.sleep(0.1)
        await first.say_goodbye()
        await running
        assert folder.read().seconds >= 0.1
        folder.note(seconds=999.9)
        second = job_of(folder, longest=1000)
        async with asyncio.timeout(30):
            await second.run()
        third = job_of(folder, longest=1000)
        await third.run()
        return texts(second)[-1], texts(third)

    assert asyncio.run(scene()) == (TIME, [TIME])
    assert len(workers.started) == 2
    assert folder.read().seconds >= 1000


def test_time_is_written_down_while_it_passes(folder, workers):
    async def scene():
        running = asyncio.create_task(job_of(folder, heartbeat=0.05).run())
        await workers.next(1)
        async with asyncio.timeout(30):
            while not folder.read().seconds:  # what is there after a kill
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(scene())


def test_worker_that_is_being_started_is_stopped_before_the_last_word(folder, workers):
    async def scene():
        workers.gate.clear()
        job = job_of(folder)
        running = asyncio.create_task(job.run())
        await workers.asked.wait()
        stopping = asyncio.create_task(job.stop())
        await asyncio.sleep(0.05)
        assert not stopping.done()
        workers.gate.set()
        await stopping
        assert [worker.returncode for worker in workers.started] == [-15]
        job.let_go()
        await running
        return job

    job = asyncio.run(scene())
    assert job.outcome is None
    assert len(workers.started) == 1


def test_task_that_is_stopped_before_the_start_gets_no_worker(folder, workers):
    async def scene():
        job = job_of(folder)
        await job.stop()
        job.let_go()
        await job.run()

    asyncio.run(scene())
    assert workers.started == []


def test_verdicts_of_two_tasks_in_one_conversation_go_to_both():
    async def scene():
        verdicts = Verdicts()
        first, second = verdicts.expect("c"), verdicts.expect("c")
        assert verdicts.give("c", "one")
        verdicts.give_up("c", first)
        assert verdicts.give("c", "two")
        assert not verdicts.give("c", "three")
        verdicts.give_up("c", second)
        assert (await first, await second) == ("one", "two")

    asyncio.run(scene())


def test_who_gives_up_leaves_the_verdict_to_the_other():
    async def scene():
        verdicts = Verdicts()
        first, second = verdicts.expect("c"), verdicts.expect("c")
        verdicts.give_up("c", first)
        verdicts.give_up("c", first)
        assert not verdicts.give("d", "elsewhere")
        assert verdicts.give("c", "one")
        assert (first.done(), await second) == (False, "one")
        verdicts.give_up("c", second)
        assert not verdicts.give("c", "two")

    asyncio.run(scene())


def test_kills_of_the_service_in_the_middle_of_the_work_are_bounded(folder, workers):
    async def scene():
        for number in (1, 2):
            folder.note(sitting=True)  # as a service leaves it that is killed meanwhile
            job = job_of(folder, kills=3)
            running = asyncio.create_task(job.run(again=True))
            await workers.next(number)
            assert folder.read().sitting
            await job.say_goodbye()
            await running
            assert not folder.read().sitting
        folder.note(sitting=True)
        job = job_of(folder, kills=3)
        await job.run(again=True)
        return job

    job = asyncio.run(scene())
    assert [worker.order.plain for worker in workers.started] == [False, True]
    assert "was interrupted 3 times" in texts(job)[-1]
    assert job.outcome == "failed"
