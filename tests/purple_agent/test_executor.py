"""What is answered where something inside goes wrong, without a service around it."""

import asyncio

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Role, SendMessageRequest, TaskState

from purple_agent import executor
from purple_agent.executor import BUSY, Executor
from purple_agent.job import LOST, Room
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


def sent(room, archive):
    """Send a message to an executor, and return what it says."""
    message = Message(message_id="m", role=Role.ROLE_USER)
    part = message.parts.add()
    part.raw, part.filename = archive, "competition.tar.gz"
    context = RequestContext(ServerCallContext(), SendMessageRequest(message=message), "t", "c")
    heard = Heard()
    one = Executor(room, Spool(room.settings.incoming, 10**9), None)
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
