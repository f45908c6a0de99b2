"""Judges the files a model wrote, and keeps copies of those that are to be handed in.

That is the last submission that came with predictions for the rows that are held back, or without
such rows the last one that is fit. No score is counted before the end, and the model is told none:
out of scores, it could find the answers that are kept from it, and of many submissions the best one
would be so by luck. It is the model's word that both files come from the same models.
"""

import hashlib
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from purple_agent.llm.checks import check_submission
from purple_agent.llm.errors import OutsideError
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.task import PREDICTIONS, SUBMISSION, Task
from signatures import SubmissionError
from signatures.wording import sentences

CANDIDATES = "candidates"
LONGEST = 3000  # characters of what is wrong
Mark = tuple[str, tuple[int, int]]
State = tuple[Mark, Mark]
NEVER: State = (("", (0, 0)), ("", (0, 0)))
OLD = (
    f"{PREDICTIONS} is that of an earlier submission. Write {SUBMISSION} and {PREDICTIONS} by the "
    f"same models in one cell."
)


@dataclass(frozen=True)
class Candidate:
    """A submission that passed all checks.

    Attributes
    ----------
    path : Path
        A copy that the sandbox cannot reach.
    predictions : Path or None
        A copy of the predictions for the rows held back that came with it.
    cell : int
        The cell that wrote it.
    """

    path: Path
    predictions: Path | None
    cell: int
    sha256: str


@dataclass(frozen=True)
class Verdict:
    """Whether the submission is fit, whether all is there that was asked for, and why not."""

    fit: bool
    complete: bool
    text: str


@dataclass(frozen=True)
class File:
    """A file that was read once: its bytes, or a sentence on why there are none.

    The stamp changes whenever it is written, be it with the same bytes.
    """

    content: bytes | str
    stamp: tuple[int, int]

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of its bytes."""
        content = self.content
        data = content if isinstance(content, bytes) else content.encode()
        return hashlib.sha256(data).hexdigest()

    @property
    def mark(self) -> Mark:
        """What tells whether it was written since."""
        return self.sha256, self.stamp


@dataclass(frozen=True)
class Seen:
    """Both files, read once: what is checked is what is kept, whatever is written meanwhile."""

    submission: File
    predictions: File

    @property
    def state(self) -> State:
        """What tells whether either of them was written since."""
        return self.submission.mark, self.predictions.mark


class Judge:
    """Knows the task, and the submission so far that would be handed in.

    Parameters
    ----------
    out : Path
        The folder of the run.
    evidence : Evidence
        Is told where the check of predictions itself fails.

    Attributes
    ----------
    best : Candidate or None
        What would be handed in.
    """

    def __init__(self, task: Task, folders: Folders, out: Path, evidence: Evidence) -> None:
        self._task = task
        self._folders = folders
        self._copies = out / CANDIDATES
        self._copies.mkdir(exist_ok=True)
        self._evidence = evidence
        self._n_judged = 0
        self._came_with: dict[Mark, Mark] = {}  # predictions to the submission that they are of
        self.best: Candidate | None = None

    def look(self) -> Seen:
        """Read what lies in the work folder now."""
        return Seen(self._file(SUBMISSION), self._file(PREDICTIONS))

    def judge(self, seen: Seen, cell: int) -> Verdict:
        """Check what was read; a submission that `cell` wrote and that passes is a candidate."""
        self._n_judged += 1
        path = self._copies / f"{self._n_judged:03}-{SUBMISSION}"
        problem = self._problem(
            seen.submission.content, path, lambda copy: check_submission(copy, self._task)
        )
        if problem:
            return Verdict(False, False, f"The submission is refused. {sentences([problem])}")
        predictions, remark = self._predictions(seen)
        self._keep(Candidate(path, predictions, cell, seen.submission.sha256))
        complete = self._task.parted is None or predictions is not None
        text = f"{SUBMISSION} has passed the checks. {remark}".rstrip()
        return Verdict(True, complete, f"{text} {self._standing(cell)}".rstrip())

    def _predictions(self, seen: Seen) -> tuple[Path | None, str]:
        """Return a copy of the predictions that came with a submission, and a sentence."""
        if self._task.parted is None:
            return None, ""
        if self._came_with.get(seen.predictions.mark, seen.submission.mark) != seen.submission.mark:
            return None, OLD
        copy = self._copies / f"{self._n_judged:03}-{PREDICTIONS}"
        problem = self._problem(seen.predictions.content, copy, self._check_predictions)
        if problem:
            return None, f"Its predictions for the rows held back do not count. {problem}"
        self._came_with[seen.predictions.mark] = seen.submission.mark
        return copy, f"{PREDICTIONS} has passed them too."

    def _check_predictions(self, copy: Path) -> None:
        assert self._task.parted is not None
        try:
            self._task.parted.contest.check(copy)
        except SubmissionError:
            raise
        except Exception as error:  # ours, and the submission still counts
            self._evidence.event("check failed", traceback=traceback.format_exc())
            raise SubmissionError([f"{copy.name} could not be read"]) from error

    def _keep(self, candidate: Candidate) -> None:
        """Keep a candidate, unless one that came with predictions is to be kept; not both."""
        gone: Candidate | None = candidate
        if candidate.predictions or self.best is None or self.best.predictions is None:
            gone, self.best = self.best, candidate
        if gone is not None:
            gone.path.unlink()
            if gone.predictions is not None:
                gone.predictions.unlink()

    def _standing(self, cell: int) -> str:
        """Say which submission would be handed in, where another may be thought of."""
        if self.best is None or self.best.cell == cell:
            return ""
        return f"The one of cell {self.best.cell}, which had both, is still what is handed in."

    def _file(self, name: str) -> File:
        stamp = self._folders.stamp(name)
        return File(self._content(name), stamp)

    def _content(self, name: str) -> bytes | str:
        most = self._task.largest
        try:
            data, size = self._folders.read(name, most)
        except OutsideError as error:
            there = self._folders.exists(name)
            return f"{name} cannot be used: {error}" if there else f"{name} is not there"
        return data if size <= most else f"{name} has {size:,} bytes; at most {most:,} are expected"

    def _problem(self, content: bytes | str, copy: Path, check: Callable[[Path], None]) -> str:
        """Copy what was read and check the copy; return what is wrong."""
        if isinstance(content, str):
            return sentences([content])
        copy.write_bytes(content)
        try:
            check(copy)
        except SubmissionError as error:
            copy.unlink()
            # A table of a thousand columns has a long list of what is wrong with it.
            told = sentences(list(error.failures))  # without what only a submission is told
            name = copy.name[4:]
            return told.replace(str(copy), name).replace(copy.name, name)[:LONGEST]
        return ""
