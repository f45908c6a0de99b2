"""What the SDK calls when a message arrives: A2A events, and nothing of how tasks are solved."""

import asyncio

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import Event, EventQueue
from a2a.server.tasks import TaskStore
from a2a.types import ListTasksRequest, Message, Task, TaskState

from purple_agent.downloads import fetch
from purple_agent.events import ENDS, Talk
from purple_agent.job import LOST, Job, Room
from purple_agent.line import FullError
from purple_agent.logs import LOGGER, TASK
from purple_agent.messages import Attached, NonsenseError, archive_in, words_in
from purple_agent.spool import Arrived, Spool, stored
from purple_agent.task_folder import State, TaskFolder

NO_FILE = "The message brings no archive. Send the dataset as one tar.gz of its files."
BUSY = "This agent is busy and its waiting line is full. Send the task again later."
HEARD = "Noted."
ARRIVED = "The archive has arrived."
NEVER_CAME = "The service was stopped before the archive had arrived. Send the task again."
KEEPING = 10.0  # seconds that the task store has to take in an event


class Executor(AgentExecutor):
    """Takes messages: a dataset becomes a job, a verdict goes to the job that waits for it.

    Parameters
    ----------
    room : Room
        What all tasks share.
    spool : Spool
        Holds the files of the messages.
    store : TaskStore
        Knows which conversations there are.
    """

    def __init__(self, room: Room, spool: Spool, store: TaskStore) -> None:
        self._room, self._spool, self._store = room, spool, store
        self.jobs: dict[str, Job] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message."""
        task, conversation, message = context.task_id, context.context_id, context.message
        assert task is not None
        assert conversation is not None
        assert message is not None
        TASK.set(task)
        talk = Talk(task, conversation)
        try:
            await self._answer(context, message, talk, event_queue)
        except Exception:
            LOGGER.exception("the answer to a message went wrong")
            # A task, or a status of the one that there is: one of the two is taken.
            await event_queue.enqueue_event(talk.begin(LOST))
            failed = talk.status(TaskState.TASK_STATE_FAILED, LOST)
            await self._end(context, event_queue, failed, "failed")

    async def _answer(
        self, context: RequestContext, message: Message, talk: Talk, event_queue: EventQueue
    ) -> None:
        if context.current_task is not None:
            await self._go_on(context, talk, event_queue)
            return
        try:
            attached = archive_in(message, self._spool, self._room.settings.max_parts)
        except NonsenseError as error:
            await event_queue.enqueue_event(talk.refuse(str(error)))
            return
        if attached is None:
            await event_queue.enqueue_event(await self._words(context, message, talk))
        elif self._room.line.full:
            await event_queue.enqueue_event(talk.refuse(BUSY))
        else:
            # The request lasts as long as the task does, and what else it brought is of no use.
            self._spool.forget(word for word in words_in(message) if word != attached.word)
            await self._begin(attached, context, talk, event_queue)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """End the work on a task at once; what was done is kept."""
        task, conversation = context.task_id, context.context_id
        assert task is not None
        TASK.set(task)
        job = self.jobs.get(task)
        if job is not None:
            if job.outcome is not None:
                return  # the last word on it is on its way
            await job.stop()
        LOGGER.info("canceled")
        talk = Talk(task, conversation or "")
        said = talk.status(TaskState.TASK_STATE_CANCELED, "Canceled. What was done is kept.")
        await self._end(context, event_queue, said, "canceled")
        if job is not None:
            job.let_go()

    async def stop(self) -> None:
        """End the work on all tasks, because the service ends; they stay open."""
        # All at once: while one is waited for, another's worker is not to be started, or counted as
        # dead where the system ends all processes together.
        await asyncio.gather(*(job.say_goodbye() for job in list(self.jobs.values())))

    async def _words(self, context: RequestContext, message: Message, talk: Talk) -> Message | Task:
        """Take a message without files: a verdict, if the conversation is one of ours."""
        text = context.get_user_input()
        heard = self._room.verdicts.give(talk.context, text)
        if heard or await self._known(context, talk.context):
            if not heard:  # else the task that had waited for them logs them as its own
                LOGGER.info("words in a known conversation: %.200s", text)
            return talk.reply(HEARD)
        return talk.refuse(NO_FILE)

    async def _known(self, context: RequestContext, conversation: str) -> bool:
        request = ListTasksRequest(context_id=conversation, page_size=1)
        found = await self._store.list(request, context.call_context)
        return bool(found.tasks)

    async def _begin(
        self, attached: Attached, context: RequestContext, talk: Talk, queue: EventQueue
    ) -> None:
        """Make a new task's folder, take over what arrived, and work."""
        folder = TaskFolder.make(self._room.settings.tasks, talk.task, talk.context)
        if attached.url:
            await queue.enqueue_event(talk.begin("Fetching the archive from its address."))
        try:
            arrived = await self._taken(attached, folder)
        except NonsenseError as error:
            refused = talk.status(TaskState.TASK_STATE_REJECTED, str(error))
            await self._end(context, queue, refused, "finished")
            return
        folder.note(sha256=arrived.sha256, size=arrived.size)
        LOGGER.info("archive of %d bytes, SHA-256 %s", arrived.size, arrived.sha256)
        if not attached.url:
            await queue.enqueue_event(talk.begin(ARRIVED))
        try:
            await self._work(Job(self._room, folder, talk, queue), context)
        except FullError:  # others came while this one's archive was fetched or written down
            refused = talk.status(TaskState.TASK_STATE_REJECTED, BUSY)
            await self._end(context, queue, refused, "finished")

    async def _taken(self, attached: Attached, folder: TaskFolder) -> Arrived:
        if attached.url:
            return await fetch(attached.url, folder.archive, self._room.settings, self._spool)
        if attached.arrived is None:
            return stored(attached.data, folder.archive)
        return self._spool.hand_over(attached.word, folder.archive)

    async def _go_on(self, context: RequestContext, talk: Talk, queue: EventQueue) -> None:
        """Go on with a task that was open when the service ended."""
        folder = TaskFolder(self._room.settings.tasks / talk.task)
        if not folder.archive.exists() and not folder.data.exists():
            failed = talk.status(TaskState.TASK_STATE_FAILED, NEVER_CAME)
            await self._end(context, queue, failed, "failed")
            return
        await self._work(Job(self._room, folder, talk, queue), context, again=True)

    async def _work(self, job: Job, context: RequestContext, *, again: bool = False) -> None:
        """Run a job to its end, and leave no process behind."""
        task = context.task_id
        assert task is not None
        self.jobs[task] = job
        try:
            await job.run(again=again)
            if job.outcome is not None:
                await self._write_down(context, job.outcome)
        finally:
            await job.stop()
            del self.jobs[task]

    async def _end(
        self, context: RequestContext, queue: EventQueue, event: Event, outcome: State
    ) -> None:
        """Send a task's last event, and write down how it ended."""
        await queue.enqueue_event(event)
        await self._write_down(context, outcome)

    async def _write_down(self, context: RequestContext, outcome: State) -> None:
        """Write down how a task ended once the store has its last event, and not before.

        Whenever the service is killed, a task is then open in both, or `restart` finds in the store
        how it ended.
        """
        assert context.task_id is not None
        folder = TaskFolder(self._room.settings.tasks / context.task_id)
        if not folder.exists():
            return
        if await self._kept(context):
            folder.end(outcome)
        else:
            LOGGER.error("the task store does not have the last event; the task stays open")

    async def _kept(self, context: RequestContext) -> bool:
        """Wait for the store to have a task's last event; the SDK hands it on by itself."""
        assert context.task_id is not None
        try:
            async with asyncio.timeout(KEEPING):
                while True:
                    task = await self._store.get(context.task_id, context.call_context)
                    if task is not None and task.status.state in ENDS:
                        return True
                    await asyncio.sleep(0.01)
        except TimeoutError:
            return False
        except Exception:
            LOGGER.exception("the task store does not answer")
            return False
