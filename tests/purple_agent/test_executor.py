"""What is answered where something inside goes wrong, without a service around it."""

import asyncio
import base64

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Role, SendMessageRequest, Task, TaskState

from purple_agent import executor
from purple_agent.events import Talk
from purple_agent.executor import BUSY, NEVER_CAME, Executor
from purple_agent.job import LOST, Job, Room
from purple_agent.line import Line
from purple_agent.settings import Settings
from purple_agent.spool import Spool
from purple_agent.task_folder import TaskFolder
from purple_agent.verdicts import Verdicts
from tests.purple_agent.wire import packed


class Heard:
    """Keeps the events that are sent."""

    def __init__(self) -> None:
        self.events: list = []

    async def enqueue_event(self, event: object) -> None:
        self.events.append(event)

    @property
    def last(self) -> tuple[int, str]:
        status = self.events[-1].status
        return status.state, status.message.parts[0].text


@pytest.fixture
def room(tmp_path):
    return Room(Settings(home=tmp_path), Line(1, 0), Verdicts())


class Store:
    """Knows of a task what was sent last, if it does."""

    def __init__(self, heard: Heard, *, works: bool = True) -> None:
        self._heard, self._works = heard, works

    async def get(self, task: str, context: object) -> Task | None:
        if not self._works:
            raise OSError(28, "No space left on device", "/a/secret/place")
        return Task(id=task, status=self._heard.events[-1].status) if self._heard.events else None


def sent(room, archive, *others, spool=None):
    """Send a message to an executor, and return what it says."""
    message = Message(message_id="m", role=Role.ROLE_USER)
    for data in (archive, *others):
        part = message.parts.add()
        part.raw, part.filename = data, "competition.tar.gz"
    context = RequestContext(ServerCallContext(), SendMessageRequest(message=message), "t", "c")
    heard = Heard()
    one = Executor(room, spool or Spool(room.settings.incoming, 10**9), Store(heard))
    asyncio.run(one.execute(context, heard))
    assert one.jobs == {}
    return heard


def test_disk_that_is_full_is_a_sentence_without_details(room, flowers, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "/a/secret/place")

    monkeypatch.setattr(executor, "stored", full)
    assert sent(room, packed(flowers)).last == (TaskState.TASK_STATE_FAILED, LOST)


def test_bug_is_a_sentence_without_details(room, flowers, monkeypatch):
    async def fails(*_, **__):
        msg = "a secret"
        raise KeyError(msg)

    monkeypatch.setattr("purple_agent.job.processes.start", fails)
    heard = sent(room, packed(flowers))
    assert heard.last == (TaskState.TASK_STATE_FAILED, LOST)
    assert "secret" not in str(heard.events)


def test_line_that_fills_up_meanwhile_is_told(room, flowers, monkeypatch):
    real = executor.stored

    def slow(data, path):
        room.line.inside = 1
        return real(data, path)

    monkeypatch.setattr(executor, "stored", slow)
    assert sent(room, packed(flowers)).last == (TaskState.TASK_STATE_REJECTED, BUSY)
    folder = TaskFolder(room.settings.tasks / "t")
    assert folder.read().state == "finished"
    assert not folder.archive.exists()


def arrived(spool, data):
    writing = spool.begin()
    writing.write(data)
    return base64.b64decode(writing.close())


def test_room_of_what_arrived_is_free_as_soon_as_a_task_has_it(room, flowers, monkeypatch):
    archive, table = packed(flowers), b"a,b\n1,2\n" * 2000
    size = len(archive) + len(table)
    spool = Spool(room.settings.incoming, size)
    begun = []

    async def start(folder):
        spool.take(size)
        begun.append(folder.archive.read_bytes())
        assert list(room.settings.incoming.iterdir()) == []
        raise KeyError

    monkeypatch.setattr("purple_agent.job.processes.start", start)
    sent(room, arrived(spool, archive), arrived(spool, table), spool=spool)
    assert begun == [archive]


def canceled(room, job, heard):
    """Cancel the task that is worked on by a job."""
    one = Executor(room, Spool(room.settings.incoming, 1), Store(heard))
    if job is not None:
        one.jobs["t"] = job
    request = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    context = RequestContext(ServerCallContext(), request, "t", "c")
    asyncio.run(one.cancel(context, heard))


def test_task_that_is_canceled_while_its_archive_is_fetched_is_closed(room):
    folder, heard = TaskFolder.make(room.settings.tasks, "t", "c"), Heard()
    canceled(room, None, heard)
    assert heard.last[0] == TaskState.TASK_STATE_CANCELED
    assert folder.read().state == "canceled"


def test_last_word_on_a_task_is_the_last_one(room):
    folder, heard = TaskFolder.make(room.settings.tasks, "t", "c"), Heard()
    job = Job(room, folder, Talk("t", "c"), heard)
    job.outcome = "finished"
    canceled(room, job, heard)
    asyncio.run(job.say_goodbye())
    assert heard.events == []


def test_task_stays_open_until_the_store_has_its_end(room, monkeypatch):
    folder, heard = TaskFolder.make(room.settings.tasks, "t", "c"), Heard()
    folder.data.mkdir()
    request = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    context = RequestContext(ServerCallContext(), request, "t", "c")
    talk = Talk("t", "c")
    monkeypatch.setattr(executor, "KEEPING", 0.05)

    def ends(*, works):
        one = Executor(room, Spool(room.settings.incoming, 1), Store(heard, works=works))
        asyncio.run(one._write_down(context, "finished"))
        return folder.read().state, folder.data.exists()

    heard.events.append(talk.working("Still at it."))
    assert ends(works=True) == ("open", True)
    heard.events.append(talk.status(TaskState.TASK_STATE_COMPLETED, "Done."))
    assert ends(works=False) == ("open", True)
    assert ends(works=True) == ("finished", False)


def test_task_whose_archive_never_came_says_so(room):
    folder, heard = TaskFolder.make(room.settings.tasks, "t", "c"), Heard()
    request = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    context = RequestContext(ServerCallContext(), request, "t", "c", Task(id="t", context_id="c"))
    one = Executor(room, Spool(room.settings.incoming, 1), Store(heard))
    asyncio.run(one.execute(context, heard))
    assert heard.last == (TaskState.TASK_STATE_FAILED, NEVER_CAME)
    assert folder.read().state == "failed"
