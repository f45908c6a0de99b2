"""Judges the files a model wrote, keeps copies of those that are fit, and scores them."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from purple_agent.llm import checks
from purple_agent.llm.errors import OutsideError
from purple_agent.llm.folders import Folders
from purple_agent.llm.task import OOF, SUBMISSION, Task
from signatures import SubmissionError
from signatures.wording import sentences

Scorer = Callable[[Path], float | None]
CANDIDATES = "candidates"
LONGEST = 3000  # characters of what is wrong


@dataclass(frozen=True)
class Candidate:
    """A submission that passed all checks.

    Attributes
    ----------
    path : Path
        A copy that the sandbox cannot reach.
    cell : int
        The cell that wrote it.
    score : float or None
        Our score of the out-of-fold predictions that lay beside it; None without valid ones.
    """

    path: Path
    cell: int
    score: float | None
    sha256: str


@dataclass(frozen=True)
class Verdict:
    """Whether the submission is fit, whether all is there that was asked for, and why not."""

    fit: bool
    complete: bool
    text: str


@dataclass(frozen=True)
class Seen:
    """Both files, read once: what is checked is what is kept, whatever is written meanwhile.

    Each is its bytes, or a sentence on why there are none.
    """

    submission: bytes | str
    out_of_fold: bytes | str

    @property
    def digests(self) -> tuple[str, str]:
        """The SHA-256 of each."""
        return _digest(self.submission), _digest(self.out_of_fold)


class Judge:
    """Knows the task, and the submissions so far that are fit to be handed in."""

    def __init__(self, task: Task, folders: Folders, out: Path, scorer: Scorer | None) -> None:
        self._task = task
        self._folders = folders
        self._copies = out / CANDIDATES
        self._copies.mkdir(exist_ok=True)
        self._scorer = scorer
        self._candidates: list[Candidate] = []

    @property
    def best(self) -> Candidate | None:
        """The last candidate with a score, else the last one."""
        scored = [candidate for candidate in self._candidates if candidate.score is not None]
        usable = scored or self._candidates
        return usable[-1] if usable else None

    def look(self) -> Seen:
        """Read what lies in the work folder now."""
        return Seen(self._content(SUBMISSION), self._content(OOF))

    def judge(self, seen: Seen, cell: int) -> Verdict:
        """Check what was read; a submission that `cell` wrote and that passes is a candidate."""
        number = len(self._candidates) + 1
        submission = self._copies / f"{number:03}-{SUBMISSION}"
        problem = self._problem(seen.submission, submission, checks.check_submission)
        if problem:
            return Verdict(False, False, f"The submission is refused. {sentences([problem])}")
        copy = submission.with_name(f"{number:03}-{OOF}")
        score, complete, remark = self._score(seen.out_of_fold, copy)
        self._candidates.append(Candidate(submission, cell, score, seen.digests[0]))
        self._forget()
        return Verdict(True, complete, f"{SUBMISSION} has passed the checks. {remark}".rstrip())

    def _content(self, name: str) -> bytes | str:
        most = self._task.largest
        try:
            data, size = self._folders.read(name, most)
        except OutsideError as error:
            there = self._folders.exists(name)
            return f"{name} cannot be used: {error}" if there else f"{name} is not there"
        return data if size <= most else f"{name} has {size:,} bytes; at most {most:,} are expected"

    def _problem(
        self, content: bytes | str, copy: Path, check: Callable[[Path, Task], None]
    ) -> str:
        """Copy what was read and check the copy; return what is wrong."""
        if isinstance(content, str):
            return content
        copy.write_bytes(content)
        try:
            check(copy, self._task)
        except SubmissionError as error:
            copy.unlink()
            # A table of a thousand columns has a long list of what is wrong with it.
            return str(error).replace(str(copy), copy.name[4:])[:LONGEST]
        return ""

    def _score(self, content: bytes | str, copy: Path) -> tuple[float | None, bool, str]:
        """Return the score, whether all is there that was asked for, and a sentence."""
        if self._task.folds is None:
            return None, True, ""
        if problem := self._problem(content, copy, checks.check_out_of_fold):
            return None, False, f"Its out-of-fold predictions do not count. {sentences([problem])}"
        if self._scorer is None:
            return None, True, f"{OOF} has passed the checks too."
        try:
            score = self._scorer(copy)
        except ValueError as error:  # a `SubmissionError` is one
            return None, False, sentences([f"{OOF} could not be scored", str(error)])
        if score is None:
            return None, False, f"{OOF} could not be scored."
        return score, True, f"Its out-of-fold predictions score {score:.6g}, by our own count."

    def _forget(self) -> None:
        """Remove the copies that will not be handed in: a run may make many, and large ones."""
        for candidate in self._candidates[:-1]:
            if candidate is not self.best:
                for name in (SUBMISSION, OOF):
                    copy = candidate.path.name.replace(SUBMISSION, name)
                    candidate.path.with_name(copy).unlink(missing_ok=True)


def _digest(content: bytes | str) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()
