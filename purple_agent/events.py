"""The A2A events that the agent sends."""

from datetime import UTC, datetime
from pathlib import Path

from a2a.helpers import new_artifact, new_message, new_raw_part, new_text_part
from a2a.types import (
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from purple_agent.task_folder import State
from purple_agent.wording import ASK, said

ARTIFACT = "submission"  # one id, so that a better answer takes the place of an earlier one
FILE = "submission.csv"
CSV = "text/csv"
# How a task may end, and how that is written into its folder.
ENDS: dict[int, State] = {
    TaskState.TASK_STATE_COMPLETED: "finished",
    TaskState.TASK_STATE_REJECTED: "finished",
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_CANCELED: "canceled",
}


class Talk:
    """Makes the events of one task.

    Parameters
    ----------
    task, context : str
        The ids of the task and of the conversation it belongs to.
    """

    def __init__(self, task: str, context: str) -> None:
        self.task, self.context = task, context

    def begin(self, text: str) -> Task:
        """Make the task. What was sent is not in its history: that would copy the archive."""
        return Task(
            id=self.task,
            context_id=self.context,
            status=self._status(TaskState.TASK_STATE_SUBMITTED, [_words(text)]),
        )

    def refuse(self, text: str) -> Task:
        """Make a task that is rejected from the start."""
        return Task(
            id=self.task,
            context_id=self.context,
            status=self._status(TaskState.TASK_STATE_REJECTED, [_words(text)]),
        )

    def status(self, state: TaskState, text: str) -> TaskStatusUpdateEvent:
        """Say where the task stands."""
        return self._update(state, [_words(text)])

    def working(self, text: str) -> TaskStatusUpdateEvent:
        """Say what is being done."""
        return self.status(TaskState.TASK_STATE_WORKING, text)

    def ask(self, submission: Path) -> TaskStatusUpdateEvent:
        """Ask the evaluator to check a submission's form."""
        asking = [new_text_part(ASK), _file(submission)]  # the one text that is not `said`
        return self._update(TaskState.TASK_STATE_WORKING, asking)

    def answer(self, submission: Path, description: str) -> TaskArtifactUpdateEvent:
        """Send a submission; it takes the place of one that was sent before."""
        artifact = new_artifact(
            [_file(submission)], FILE, description=said(description), artifact_id=ARTIFACT
        )
        return TaskArtifactUpdateEvent(
            task_id=self.task, context_id=self.context, artifact=artifact, last_chunk=True
        )

    def reply(self, text: str) -> Message:
        """Answer a message with a message; there is no task then."""
        return new_message([_words(text)], context_id=self.context)

    def _update(self, state: TaskState, parts: list[Part]) -> TaskStatusUpdateEvent:
        return TaskStatusUpdateEvent(
            task_id=self.task, context_id=self.context, status=self._status(state, parts)
        )

    def _status(self, state: TaskState, parts: list[Part]) -> TaskStatus:
        message = new_message(parts, context_id=self.context, task_id=self.task)
        status = TaskStatus(state=state, message=message)
        status.timestamp.FromDatetime(datetime.now(UTC))
        return status


def _words(text: str) -> Part:
    return new_text_part(said(text))


def _file(path: Path) -> Part:
    return new_raw_part(path.read_bytes(), media_type=CSV, filename=FILE)
