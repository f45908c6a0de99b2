"""What becomes of the tasks that were open when the service ended: they go on by themselves."""

import time
from collections.abc import AsyncIterator
from uuid import uuid4

from a2a.helpers import new_text_part
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import TaskStore
from a2a.types import (
    ListTasksRequest,
    Message,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    Task,
    TaskState,
)
from a2a.utils.errors import A2AError

from purple_agent.events import ENDS, Talk
from purple_agent.logs import LOGGER, TASK
from purple_agent.removal import remove
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFile, TaskFolder, every, written

DAMAGED = (
    "What this agent had written of the task is damaged or gone, so the work cannot go on. "
    "Send the task again."
)
AGAIN = "The service was started again; the work goes on."
DAY = 24 * 3600


async def go_on(handler: DefaultRequestHandler, store: TaskStore, settings: Settings) -> None:
    """Go on with every open task, in the order in which they came.

    Each is taken up through the handler, as if its client had written again: its events go to the
    task store and to whoever subscribes to it anew.
    """
    for folder, file in sorted(every(settings.tasks), key=lambda pair: pair[1].created):
        if file.state != "open":
            continue
        TASK.set(file.task)
        try:
            LOGGER.info("going on, sitting %d", file.sittings + 1)
            await handler.on_message_send(_request(file), ServerCallContext())
        except A2AError as error:
            LOGGER.warning("not taken up again: %s", error)
            await _settle(folder, file, store)
        except Exception:
            # It stays open, and is tried again at the next start; the tasks after it go on.
            LOGGER.exception("not taken up again")
    try:
        await _give_up_damaged(store, settings)
    except Exception:
        LOGGER.exception("the task store could not be asked for tasks that are damaged")


async def _give_up_damaged(store: TaskStore, settings: Settings) -> None:
    """End what the store holds as open and nothing readable is written of: it would stay so."""
    lost = [task async for task in _open_tasks(store) if written(settings.tasks / task.id) is None]
    for task in lost:
        TASK.set(task.id)
        LOGGER.warning("given up: what was written of it is damaged or gone")
        failed = Talk(task.id, task.context_id).status(TaskState.TASK_STATE_FAILED, DAMAGED)
        task.status.CopyFrom(failed.status)
        await store.save(task, ServerCallContext())


async def _open_tasks(store: TaskStore) -> AsyncIterator[Task]:
    for state in (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING):
        request = ListTasksRequest(status=state, page_size=10)
        while True:
            page = await store.list(request, ServerCallContext())
            for task in page.tasks:
                yield task
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token


async def _settle(folder: TaskFolder, file: TaskFile, store: TaskStore) -> None:
    """Write down what the store knows of a task that was not taken up again.

    The service may have been killed after the last event and before that was written down.
    """
    try:
        task = await store.get(file.task, ServerCallContext())
        if task is None:
            folder.end("failed")  # nobody remembers it
        elif (state := ENDS.get(task.status.state)) is not None:
            folder.end(state)
    except Exception:
        LOGGER.exception("the task store could not be asked")


def clear_old_data(settings: Settings) -> None:
    """Remove the data of tasks that did not finish, once they are old; their runs stay."""
    for folder, file in every(settings.tasks):
        if file.state != "open" and time.time() - file.created > settings.keep_days * DAY:
            folder.clear_data()
            remove(folder.agent)


def _request(file: TaskFile) -> SendMessageRequest:
    message = Message(
        message_id=str(uuid4()),
        task_id=file.task,
        context_id=file.context,
        role=Role.ROLE_USER,
        parts=[new_text_part(AGAIN)],
    )
    return SendMessageRequest(
        message=message, configuration=SendMessageConfiguration(return_immediately=True)
    )
