"""One task, from its place in the line to its last event."""

import asyncio
import time
from dataclasses import dataclass

from a2a.server.events import EventQueue
from a2a.types import TaskArtifactUpdateEvent, TaskState, TaskStatusUpdateEvent

from purple_agent import processes
from purple_agent.events import Talk
from purple_agent.heartbeats import beating
from purple_agent.line import Line
from purple_agent.logs import LOGGER
from purple_agent.orders import Order
from purple_agent.settings import Settings
from purple_agent.task_folder import State, TaskFile, TaskFolder
from purple_agent.told import Told, size_of, tail
from purple_agent.verdicts import Verdicts, accepted

STOPPED = "The service is being stopped. What was done is kept; the work goes on when it is back."
LOST = "The work on this task ended unexpectedly. What was done is kept, and can go on."
STANDS = "The submission that was sent stands."
TIME = "The time for this task is over."
MOMENT = 0.5  # seconds in which a service that ends at the same time as its worker hears of it


@dataclass(frozen=True)
class Room:
    """What all tasks share."""

    settings: Settings
    line: Line
    verdicts: Verdicts


class Job:
    """A task that is waiting or worked on.

    Parameters
    ----------
    folder : TaskFolder
        Holds the archive or the data, and what an earlier sitting left.
    """

    def __init__(self, room: Room, folder: TaskFolder, talk: Talk, queue: EventQueue) -> None:
        self._room, self.folder, self._talk, self._queue = room, folder, talk, queue
        self._settings = room.settings
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._stopping, self._over = False, asyncio.Event()
        self._text = "Starting."
        self._end: Told | None = None
        self._before, self._began = 0.0, 0.0  # seconds of earlier sittings; when this one began
        self.outcome: State | None = None  # how it ended, once the last event is on its way

    async def run(self, *, again: bool = False) -> None:
        """Wait for a turn and work, to the task's last event.

        Parameters
        ----------
        again : bool
            Whether the task had its place in the line before the service was started again.
        """
        turn = self._room.line.turn(self._say_place, self._settings.heartbeat, always=again)
        async with turn:
            while self._end is None and not self._stopping:
                await self._sit()
        if self._stopping:
            # The stream of who sent the task ends with this call, and the last word is not out yet.
            await self._over.wait()
        else:
            await self._finish()

    async def stop(self) -> None:
        """End the work at once, and say nothing more; `let_go` ends the task, once it was said."""
        self._stopping = True
        async with self._starting:  # what is being started has to be there before it can be ended
            if self._process is not None:
                await processes.stop(self._process)

    def let_go(self) -> None:
        """End a task that was stopped, now that the last word on it is out."""
        self._over.set()

    async def say_goodbye(self) -> None:
        """End the work because the service ends; the task stays open, to go on later."""
        if self._stopping or self.outcome is not None:
            return
        await self.stop()
        await self._queue.enqueue_event(self._talk.working(STOPPED))
        self.let_go()

    async def _say_place(self, place: int) -> None:
        await self._say(f"Waiting: number {place} in the line.")

    async def _say(self, text: str) -> None:
        self._text = text
        await self._send(self._talk.working(text))

    async def _send(self, event: TaskStatusUpdateEvent | TaskArtifactUpdateEvent) -> None:
        """Send an event, unless the last word on the task is another's."""
        if not self._stopping:
            await self._queue.enqueue_event(event)

    async def _sit(self) -> None:
        """Let a process work on the task, and pass on what it tells.

        Where it ends without a word, killed by the system perhaps, the task is sat over again.
        """
        file, settings = self.folder.read(), self._settings
        file = self.folder.note(kills=file.kills + file.sitting, sitting=False)
        if file.deaths >= settings.sittings or file.kills >= settings.kills:
            times = file.deaths + file.kills
            sentence = f"The work was interrupted {times} times. It is kept, and can go on."
            self._end = Told(kind="failed", text=sentence)
            return
        if file.seconds >= settings.longest:
            self._end = Told(kind="failed", text=TIME)
            return
        self.folder.note(sittings=file.sittings + 1, sitting=True)
        self.folder.write_order(self._order(file))
        begin = size_of(self.folder.events)
        process = await self._start()
        if process is None:
            return
        self._before, self._began = file.seconds, time.monotonic()
        try:
            async with asyncio.timeout(settings.longest - file.seconds):
                await self._listen(process, begin)
        except TimeoutError:
            self._end = Told(kind="failed", text=TIME)
        finally:
            await processes.stop(process)
            self._note_time(sitting=False)
            LOGGER.info("worker %d ended with %s", process.pid, process.returncode)
        await self._count()

    def _note_time(self, *, sitting: bool) -> None:
        """Write down how long the task has taken, for a sitting after this one."""
        try:
            seconds = self._before + time.monotonic() - self._began
            self.folder.note(seconds=seconds, sitting=sitting)
        except OSError:
            LOGGER.exception("the time that the task has taken could not be written down")

    async def _start(self) -> asyncio.subprocess.Process | None:
        """Start a worker, unless the task was stopped meanwhile."""
        async with self._starting:
            if self._stopping:
                return None
            self._process = process = await processes.start(self.folder)
            LOGGER.info("worker %d started", process.pid)
        return process

    async def _count(self) -> None:
        """Count a worker that has ended without a word, unless the service ends too.

        Restarts are no sign that the work itself cannot be done.
        """
        if self._end is None and not self._stopping:
            await asyncio.sleep(MOMENT)
        if self._end is None and not self._stopping:
            self.folder.note(deaths=self.folder.read().deaths + 1)

    async def _listen(self, process: asyncio.subprocess.Process, begin: int) -> None:
        """Pass on what a worker tells, until it ends or the task is stopped."""
        async with beating(self._repeat, self._settings.heartbeat):
            async for told in tail(self.folder.events, begin, lambda: _ended(process)):
                if self._stopping:
                    return
                await self._hear(told)

    def _order(self, file: TaskFile) -> Order:
        """Say what is to be done.

        What ended each sitting without a word, or the service with it, for want of memory perhaps,
        is not tried once more: the last sitting makes a baseline.
        """
        bounds = ((file.deaths, self._settings.sittings), (file.kills, self._settings.kills))
        plain = any(count + 1 == most > 1 for count, most in bounds)
        return Order.of(self._settings, sharing=max(1, self._room.line.inside), plain=plain)

    async def _repeat(self) -> None:
        """Say again what is being done, so that no one on the way takes silence for the end."""
        self._note_time(sitting=True)
        await self._say(self._text)

    async def _hear(self, told: Told) -> None:
        """Pass on one thing that the worker told."""
        LOGGER.info("%s: %s", told.kind, told.text or told.route)
        if told.kind == "stage":
            await self._say(told.text)
        elif told.kind == "progress":
            self._text = told.text
        elif told.kind == "answer":
            await self._answer(told)
        else:
            self._end = told

    async def _answer(self, told: Told) -> None:
        """Send a submission: the file in the task's folder, and say how it came about."""
        self.folder.note(answer=told.file, route=told.route, reason=told.reason)
        submission = self.folder.path / told.file
        await self._send(self._talk.answer(submission, told.text))
        await self._say(told.text)
        if self._settings.ask_for_check:
            await self._ask(told)

    async def _ask(self, told: Told) -> None:
        """Let the evaluator check the submission's form; go on without a verdict if none comes."""
        verdicts, context = self._room.verdicts, self._talk.context
        awaited = verdicts.expect(context)
        await self._send(self._talk.ask(self.folder.path / told.file))
        try:
            async with asyncio.timeout(self._settings.check_seconds):
                verdict = await awaited
        except TimeoutError:
            await self._say("No verdict on the submission's form came. The work goes on.")
            return
        finally:
            verdicts.give_up(context, awaited)
        LOGGER.info("verdict on the submission's form: %.200s", verdict)
        self.folder.note(verdict=verdict[:2000])
        good = accepted(verdict)
        await self._say(f"The submission's form was {'accepted' if good else 'refused'}.")

    async def _finish(self) -> None:
        """Send the last event; it is written down once the task store has it."""
        file, end = self.folder.read(), self._end or Told(kind="failed", text=LOST)
        if end.kind == "done" or (file.answer and end.kind == "failed"):
            text = end.text if end.kind == "done" else f"{end.text} {STANDS}"
            await self._close(TaskState.TASK_STATE_COMPLETED, text, "finished")
        elif end.kind == "refused":
            await self._close(TaskState.TASK_STATE_REJECTED, end.text, "finished")
        else:
            await self._close(TaskState.TASK_STATE_FAILED, end.text, "failed")

    async def _close(self, state: TaskState, text: str, outcome: State) -> None:
        LOGGER.info("ended as %s: %s", TaskState.Name(state), text)
        if not self._stopping:
            self.outcome = outcome
            await self._queue.enqueue_event(self._talk.status(state, text))


def _ended(process: asyncio.subprocess.Process) -> bool:
    return process.returncode is not None
