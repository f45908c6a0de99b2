"""The folder of one task: what was asked, what arrived, what was made of it.

====================  ============================================================
``task.json``         ids, digest of the archive, where the task stands
``order.json``        what the process that works on it is to do
``archive``           what arrived; removed once it is unpacked
``data/``             the dataset; removed once the task is finished
``run/``              the run of a known task's solver
``baseline/``         the baseline's run, where one was needed
``agent/``            what the LLM agent wrote
``bench/``            the dataset as the agent's code sees it; removed with the dataset
``events.jsonl``      what the worker said, one JSON object a line
``worker.log``        the worker's stderr
====================  ============================================================
"""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from purple_agent.orders import Order
from purple_agent.removal import remove
from solvers.files import write_whole

State = Literal["open", "finished", "failed", "canceled"]
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


class TaskFile(BaseModel):
    """What ``task.json`` says.

    Attributes
    ----------
    state : str
        ``"open"`` while it waits or is worked on, and after the service was stopped meanwhile.
    sittings : int
        How often work on it was begun.
    deaths : int
        How many of these ended without a word, while the service that had begun them lived.
    sitting : bool
        Whether it is being worked on. Found at a start, the service was killed meanwhile.
    kills : int
        How often that was so.
    seconds : float
        How long they took together; written at each sign of life.
    sha256, size
        Of the archive that arrived.
    answer, route, reason
        The file that was sent as the answer, relative to the folder, how it came about and why.
    verdict : str
        What the evaluator said of its form, if it was asked and answered.
    """

    model_config = ConfigDict(extra="ignore")

    task: str
    context: str
    state: State = "open"
    sittings: int = 0
    deaths: int = 0
    sitting: bool = False
    kills: int = 0
    seconds: float = 0.0
    created: float = 0.0
    sha256: str = ""
    size: int = 0
    answer: str = ""
    route: str = ""
    reason: str = ""
    verdict: str = ""


class TaskFolder:
    """Names the files of one task.

    Parameters
    ----------
    path : Path
        The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = path / "archive"
        self.data = path / "data"
        self.run = path / "run"
        self.baseline = path / "baseline"
        self.agent = path / "agent"
        self.bench = path / "bench"
        self.events = path / "events.jsonl"
        self.log = path / "worker.log"
        self.lock = path / "worker.lock"

    @classmethod
    def make(cls, tasks: Path, task: str, context: str) -> Self:
        """Make the folder of a new task.

        Raises
        ------
        ValueError
            If the task's id cannot be a folder's name; ours always can.
        """
        if not _NAME.fullmatch(task):
            msg = "the id of a task is letters, digits, - and _"
            raise ValueError(msg)
        folder = cls(tasks / task)
        folder.path.mkdir(parents=True)
        folder.write(TaskFile(task=task, context=context, created=time.time()))
        return folder

    def exists(self) -> bool:
        """Whether there is such a task."""
        return (self.path / "task.json").exists()

    def read(self) -> TaskFile:
        """Read where the task stands."""
        return TaskFile.model_validate_json((self.path / "task.json").read_bytes())

    def write(self, file: TaskFile) -> None:
        """Write where the task stands, as a whole or not at all."""
        write_whole(self.path / "task.json", file.model_dump_json(indent=2) + "\n")

    def note(self, **changes: object) -> TaskFile:
        """Change some of what is written of the task."""
        file = self.read().model_copy(update=changes)
        self.write(file)
        return file

    def end(self, state: State) -> None:
        """Write down how the task ended; what arrived is needed no more where it is finished."""
        self.note(state=state)
        if state == "finished":
            self.clear_data()

    def order(self) -> Order:
        """Read what is to be done."""
        return Order.model_validate_json((self.path / "order.json").read_bytes())

    def write_order(self, order: Order) -> None:
        """Write what is to be done."""
        write_whole(self.path / "order.json", order.model_dump_json(indent=2) + "\n")

    def clear_data(self) -> None:
        """Remove what arrived; the runs stay."""
        remove(self.archive, self.data, self.unpacking, self.bench)

    @property
    def unpacking(self) -> Path:
        """Where the archive is unpacked to before it is known to be whole."""
        return self.path / "data.part"

    def clean(self, text: str) -> str:
        """Take the places of this machine out of a sentence that a client is going to read."""
        for place, name in ((self.data, "the dataset"), (self.path, "the task")):
            for spelled in (os.path.realpath(place), str(place)):
                text = text.replace(spelled, name)
        return text


def every(tasks: Path) -> Iterator[tuple[TaskFolder, TaskFile]]:
    """Yield the folders of all tasks, with what is written of each; damaged ones are left out."""
    for path in sorted(tasks.iterdir()) if tasks.is_dir() else ():
        if (file := written(path)) is not None:
            yield TaskFolder(path), file


def written(path: Path) -> TaskFile | None:
    """Read what is written of the task in a folder; None where that is damaged or gone."""
    try:
        file = TaskFolder(path).read()
    except (OSError, ValueError):
        return None
    return file if file.task == path.name else None
