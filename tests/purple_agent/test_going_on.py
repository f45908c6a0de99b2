"""Which tasks a service that starts takes up again, and what it writes of the others."""

import asyncio
import logging

import pytest
from a2a.types import ListTasksResponse, Task, TaskState, TaskStatus
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError

from purple_agent.restart import DAMAGED, go_on
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFolder


class Handler:
    """Answers each task as a test says."""

    def __init__(self, errors: dict[str, Exception]) -> None:
        self._errors, self.taken_up = errors, []

    async def on_message_send(self, request, context):
        task = request.message.task_id
        if task in self._errors:
            raise self._errors[task]
        self.taken_up.append(task)


class Store:
    """Knows how tasks ended."""

    def __init__(self, states: dict[str, TaskState]) -> None:
        self._states = states
        self.saved: dict[str, Task] = {}

    async def list(self, request, context):
        """Give one task a page, as a store does with many."""
        known = sorted(task for task, state in self._states.items() if state == request.status)
        place = int(request.page_token or 0)
        tasks = [Task(id=task, context_id="c") for task in known[place : place + 1]]
        more = str(place + 1) if place + 1 < len(known) else ""
        return ListTasksResponse(tasks=tasks, next_page_token=more)

    async def save(self, task, context):
        self.saved[task.id] = task

    async def get(self, task, context):
        if task not in self._states:
            return None
        return Task(id=task, status=TaskStatus(state=self._states[task]))


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path)


def made(settings, *tasks):
    for number, task in enumerate(tasks):
        folder = TaskFolder.make(settings.tasks, task, "c")
        folder.note(created=float(number))
        folder.data.mkdir()


def gone_on(settings, errors, states=None):
    handler = Handler(errors)
    asyncio.run(go_on(handler, Store(states or {}), settings))
    return handler.taken_up


def state(settings, task):
    folder = TaskFolder(settings.tasks / task)
    return folder.read().state, folder.data.exists()


def test_error_of_one_task_is_logged_and_the_others_go_on(settings, caplog):
    made(settings, "a", "b", "c")
    with caplog.at_level(logging.ERROR, "purple_agent"):
        assert gone_on(settings, {"a": KeyError("bug"), "b": OSError(5, "disk")}) == ["c"]
    assert [record.exc_info[0] for record in caplog.records] == [KeyError, OSError]
    for task in ("a", "b", "c"):
        assert state(settings, task) == ("open", True)  # tried again at the next start


@pytest.mark.parametrize(
    ("ended", "written"),
    [
        (TaskState.TASK_STATE_COMPLETED, ("finished", False)),
        (TaskState.TASK_STATE_REJECTED, ("finished", False)),
        (TaskState.TASK_STATE_CANCELED, ("canceled", True)),
        (TaskState.TASK_STATE_FAILED, ("failed", True)),
        (TaskState.TASK_STATE_WORKING, ("open", True)),
    ],
)
def test_task_that_ended_before_that_was_written_ends_as_the_store_says(settings, ended, written):
    made(settings, "a", "b")
    assert gone_on(settings, {"a": UnsupportedOperationError()}, {"a": ended}) == ["b"]
    assert state(settings, "a") == written


def test_task_that_the_store_does_not_know_has_failed(settings):
    made(settings, "a")
    gone_on(settings, {"a": TaskNotFoundError()})
    assert state(settings, "a") == ("failed", True)


def test_store_that_does_not_answer_leaves_a_task_open(settings, caplog):
    made(settings, "a", "b")

    async def fails(task, context):
        raise OSError(5, "disk")

    handler, store = Handler({"a": UnsupportedOperationError()}), Store({})
    store.get = fails
    asyncio.run(go_on(handler, store, settings))
    assert handler.taken_up == ["b"]
    assert state(settings, "a") == ("open", True)
    assert "could not be asked" in caplog.text


def test_open_tasks_of_which_nothing_readable_is_written_end_as_failed(settings):
    made(settings, "a", "b", "c", "d")
    (settings.tasks / "b" / "task.json").write_text("{")
    (settings.tasks / "c" / "task.json").write_text('{"task": "other", "context": "c"}')
    working = TaskState.TASK_STATE_WORKING
    states = dict.fromkeys(("a", "b", "c", "gone"), working)
    states |= {"new": TaskState.TASK_STATE_SUBMITTED, "old": TaskState.TASK_STATE_COMPLETED}
    store, handler = Store(states), Handler({})
    asyncio.run(go_on(handler, store, settings))
    assert handler.taken_up == ["a", "d"]
    assert sorted(store.saved) == ["b", "c", "gone", "new"]
    for task in store.saved.values():
        assert task.status.state == TaskState.TASK_STATE_FAILED
        assert task.status.message.parts[0].text == DAMAGED
