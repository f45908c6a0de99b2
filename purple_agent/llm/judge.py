"""Judges the files a model wrote, keeps copies of those that are fit, and scores them.

A score is our own count of out-of-fold predictions as the model made them. It shows that they fit
the labels as well as that, and that they came with the submission. That they were made out of fold,
or by the models that made the submission, is the model's word: all labels are there for its code to
read. What is plainly the labels themselves is not counted. To show more, the labels of a fold would
have to be kept from the sandbox.
"""

import hashlib
import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from purple_agent.llm import checks
from purple_agent.llm.errors import OutsideError
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.task import OOF, SUBMISSION, Task
from signatures import SubmissionError
from signatures.wording import sentences

Scorer = Callable[[Path], float | None]
CANDIDATES = "candidates"
LONGEST = 3000  # characters of what is wrong
Mark = tuple[str, tuple[int, int]]
State = tuple[Mark, Mark]
NEVER: State = (("", (0, 0)), ("", (0, 0)))
OLD = (
    f"{OOF} is that of an earlier submission, so this one has no score. Write {SUBMISSION} and "
    f"{OOF} by the same models in one cell."
)
LATER = (
    f"{OOF} was changed after it and does not change its score: it counts for the next submission. "
    f"Write both in one cell."
)


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
        Our score of the out-of-fold predictions that came with it; None without valid ones.
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
    out_of_fold: File

    @property
    def state(self) -> State:
        """What tells whether either of them was written since."""
        return self.submission.mark, self.out_of_fold.mark


class Judge:
    """Knows the task, and the submissions so far that are fit to be handed in.

    Parameters
    ----------
    out : Path
        The folder of the run.
    scorer : function or None
        Scores out-of-fold predictions.
    evidence : Evidence
        Is told where the scorer itself fails.
    higher_is_better : bool
        Of the score.
    """

    def __init__(
        self,
        task: Task,
        folders: Folders,
        out: Path,
        scorer: Scorer | None,
        evidence: Evidence,
        *,
        higher_is_better: bool = True,
    ) -> None:
        self._task = task
        self._folders = folders
        self._copies = out / CANDIDATES
        self._copies.mkdir(exist_ok=True)
        self._scorer = scorer
        self._evidence = evidence
        self._sign = 1.0 if higher_is_better else -1.0
        self._candidates: list[Candidate] = []
        self._seen = NEVER  # at the last look
        self._scored: Mark | None = None  # the last candidate, if it has a score
        self._counted: dict[str, str] = {}  # out-of-fold predictions to the submission they are of

    @property
    def best(self) -> Candidate | None:
        """The candidate with the best score, the last one of several; without any, the last."""
        best: Candidate | None = None
        for candidate in self._candidates:
            if best is None or self._worth(candidate) >= self._worth(best):
                best = candidate
        return best

    def _worth(self, candidate: Candidate) -> float:
        return -math.inf if candidate.score is None else self._sign * candidate.score

    def look(self) -> Seen:
        """Read what lies in the work folder now."""
        return Seen(self._file(SUBMISSION), self._file(OOF))

    def judge(self, seen: Seen, cell: int) -> Verdict:
        """Check what was read; a submission that `cell` wrote and that passes is a candidate."""
        before, self._seen = self._seen, seen.state
        if seen.submission.mark == self._scored:
            return Verdict(True, True, f"{SUBMISSION} is the one that was scored before. {LATER}")
        number = len(self._candidates) + 1
        submission = self._copies / f"{number:03}-{SUBMISSION}"
        problem = self._problem(seen.submission.content, submission, checks.check_submission)
        if problem:
            return Verdict(False, False, f"The submission is refused. {sentences([problem])}")
        score, complete, remark = None, False, OLD
        if self._belongs(seen, before):
            copy = submission.with_name(f"{number:03}-{OOF}")
            score, complete, remark = self._score(seen.out_of_fold.content, copy)
        self._scored = None if score is None else seen.submission.mark
        if score is not None:
            self._counted[seen.out_of_fold.sha256] = seen.submission.sha256
        self._candidates.append(Candidate(submission, cell, score, seen.submission.sha256))
        self._forget()
        text = f"{SUBMISSION} has passed the checks. {remark}".rstrip()
        return Verdict(True, complete, f"{text} {self._standing()}".rstrip())

    def _belongs(self, seen: Seen, before: State) -> bool:
        """Tell whether out-of-fold predictions may be of this submission: one score is of one.

        They are new, or were written again since the last look, as the submission was.
        """
        counts_for = self._counted.get(seen.out_of_fold.sha256, seen.submission.sha256)
        again = all(now[1] != then[1] for now, then in zip(seen.state, before, strict=True))
        return again or counts_for == seen.submission.sha256

    def _standing(self) -> str:
        """Say which submission would be handed in, where another may be thought of."""
        best = self.best
        if best is None or best.score is None or best is self._candidates[-1]:
            return ""
        return f"The one of cell {best.cell}, with {best.score:.6g}, is still what is handed in."

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
            return _told(error).replace(str(copy), copy.name[4:])[:LONGEST]
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
        except SubmissionError as error:
            problem = _told(error).replace(copy.name, OOF)[:LONGEST]
            return None, False, sentences([f"{OOF} could not be scored", problem])
        except Exception as error:  # ours, and what was fit before still counts
            self._evidence.event("scorer failed", traceback=traceback.format_exc())
            problem = str(error)[:LONGEST] if isinstance(error, ValueError) else ""
            return None, False, sentences([f"{OOF} could not be scored", problem])
        if score is None or not math.isfinite(score):
            return None, False, f"{OOF} could not be scored."
        return score, True, f"Its out-of-fold predictions score {score:.6g}, by our own count."

    def _forget(self) -> None:
        """Remove the copies that will not be handed in: a run may make many, and large ones."""
        for candidate in self._candidates[:-1]:
            if candidate is not self.best:
                for name in (SUBMISSION, OOF):
                    copy = candidate.path.name.replace(SUBMISSION, name)
                    candidate.path.with_name(copy).unlink(missing_ok=True)


def _told(error: SubmissionError) -> str:
    """Return what is wrong, without what only a submission is told."""
    return sentences(list(error.failures))
