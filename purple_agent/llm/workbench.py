"""What the tools of one run share: the sandbox, the files, and the best answer so far."""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from purple_agent.llm import checks
from purple_agent.llm.errors import OutsideError
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.task import OOF, SUBMISSION, Task
from purple_agent.sandbox import Limits, Sandbox
from purple_agent.sandbox.limits import MB
from signatures import SubmissionError
from signatures.wording import sentences

Scorer = Callable[[Path], float | None]
CANDIDATES = "candidates"
LARGEST_MB = 512  # of a submission: it is held in memory while it is checked
RESERVE = 5.0  # seconds kept at the end for what comes after the last cell


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
    """What the checks say of the files that lie there now."""

    fit: bool
    scored: bool
    text: str


class Workbench:
    """Runs cells and judges what they leave."""

    def __init__(
        self,
        task: Task,
        folders: Folders,
        out: Path,
        *,
        sandbox: Sandbox,
        limits: Limits,
        evidence: Evidence,
        scorer: Scorer | None,
        report: Callable[[str], None],
        seconds: float,
    ) -> None:
        self.task = task
        self.folders = folders
        self.evidence = evidence
        self.report = report
        self._out = out
        self._sandbox = sandbox
        self._limits = limits
        self._scorer = scorer
        self._ends = time.monotonic() + seconds
        self._seen = ("", "")  # digests of the submission and of the out-of-fold predictions
        self._cell = 0  # which wrote the submission that lies there
        self.candidates: list[Candidate] = []
        self.verdict: Verdict | None = None
        self.asked_for_oof = False  # whether an end without a score was sent back
        (out / CANDIDATES).mkdir(exist_ok=True)

    @property
    def seconds_left(self) -> float:
        """How long the run may still take."""
        return max(0.0, self._ends - time.monotonic())

    @property
    def best(self) -> Candidate | None:
        """The last candidate with a score, else the last one."""
        scored = [candidate for candidate in self.candidates if candidate.score is not None]
        usable = scored or self.candidates
        return usable[-1] if usable else None

    async def run(self, code: str) -> str:
        """Run a cell; return what the model is to know of it."""
        self.report(f"Running cell {self.evidence.n_cells + 1}")
        seconds = max(1.0, self.seconds_left - RESERVE)
        with self.evidence.output(self._limits) as output:
            outcome = await self._sandbox.run(code, output, seconds=seconds)
        number = self.evidence.cell(code, outcome, output)
        parts = [output.shown().rstrip() or "(no output)", outcome.note]
        before = self._seen
        verdict = await self.judge(number)
        if self._seen != before:
            parts.append(verdict.text)
        return "\n\n".join(part for part in parts if part)

    async def judge(self, cell: int | None = None) -> Verdict:
        """Check the files that lie in the work folder now, unless they are the ones of before."""
        seen, contents = await asyncio.to_thread(self._look)
        if seen == self._seen and self.verdict is not None:
            return self.verdict
        if seen[0] != self._seen[0]:
            self._cell = cell if cell is not None else self.evidence.n_cells
        self._seen = seen
        self.report("Checking the submission")
        self.verdict = await asyncio.to_thread(self._judge, contents)
        self.evidence.event("checked", cell=self._cell, sha256=seen[0], verdict=self.verdict.text)
        return self.verdict

    def _look(self) -> tuple[tuple[str, str], list[bytes | str]]:
        """Read both files once: what is checked is what is kept, whatever is written meanwhile."""
        contents = [self._content(SUBMISSION), self._content(OOF)]
        digests = [
            hashlib.sha256(c if isinstance(c, bytes) else c.encode()).hexdigest() for c in contents
        ]
        return (digests[0], digests[1]), contents

    def _content(self, name: str) -> bytes | str:
        """Return a file's bytes, or why there are none."""
        most = min(self._limits.file_mb, LARGEST_MB) * MB
        try:
            data, size = self.folders.read(name, most)
        except OutsideError as error:
            there = "cannot be used: " + str(error) if self.folders.exists(name) else "is not there"
            return f"{name} {there}"
        return data if size <= most else f"{name} is larger than {most // MB:,} MB"

    def _judge(self, contents: list[bytes | str]) -> Verdict:
        number = len(self.candidates) + 1
        submission = self._out / CANDIDATES / f"{number:03}-{SUBMISSION}"
        problem = self._problem(contents[0], submission, checks.check_submission)
        if problem:
            return Verdict(False, False, sentences([f"The submission is refused. {problem}"]))
        score, remark = self._score(contents[1], submission.with_name(f"{number:03}-{OOF}"))
        self.candidates.append(Candidate(submission, self._cell, score, self._seen[0]))
        self._forget()
        text = f"{SUBMISSION} has passed the checks."
        return Verdict(True, score is not None or self.task.folds is None, f"{text} {remark}")

    def _problem(
        self, content: bytes | str, copy: Path, check: Callable[[Path, Task], None]
    ) -> str:
        """Copy what was read and check the copy; return what is wrong."""
        if isinstance(content, str):
            return content
        copy.write_bytes(content)
        try:
            check(copy, self.task)
        except SubmissionError as error:
            return str(error)
        return ""

    def _score(self, content: bytes | str, copy: Path) -> tuple[float | None, str]:
        if self.task.folds is None:
            return None, ""
        if problem := self._problem(content, copy, checks.check_out_of_fold):
            return None, sentences([f"Its out-of-fold predictions do not count. {problem}"])
        if self._scorer is None:
            return None, f"{OOF} has passed the checks too."
        try:
            score = self._scorer(copy)
        except ValueError as error:  # a `SubmissionError` is one
            return None, sentences([f"{OOF} could not be scored", str(error)])
        if score is None:
            return None, f"{OOF} could not be scored."
        return score, f"Its out-of-fold predictions score {score:.6g}, by our own count."

    def _forget(self) -> None:
        """Remove the copies that will not be handed in: a run may make many, and large ones."""
        for candidate in self.candidates[:-1]:
            if candidate is not self.best:
                for name in (SUBMISSION, OOF):
                    copy = candidate.path.name.replace(SUBMISSION, name)
                    candidate.path.with_name(copy).unlink(missing_ok=True)
