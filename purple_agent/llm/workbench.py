"""What the tools of one run share: the sandbox, the files, and what is thought of them."""

import asyncio
import time
from collections.abc import Callable

from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.judge import NEVER, Judge, Verdict
from purple_agent.llm.task import SUBMISSION, Task
from purple_agent.sandbox import Limits, Outcome, Sandbox

RESERVE = 5.0  # seconds kept at the end for what comes after the last cell


class Workbench:
    """Runs cells, and has judged what they leave."""

    def __init__(
        self,
        task: Task,
        folders: Folders,
        *,
        sandbox: Sandbox,
        limits: Limits,
        evidence: Evidence,
        judge: Judge,
        report: Callable[[str], None],
        seconds: float,
    ) -> None:
        self.task = task
        self.folders = folders
        self.evidence = evidence
        self.judge = judge
        self.report = report
        self.asked_for_more = False  # whether an end without predictions was sent back
        self._sandbox = sandbox
        self._limits = limits
        self._ends = time.monotonic() + seconds
        self._state = NEVER  # of the submission and of the predictions
        self._cell = 0  # which wrote the submission that lies there
        self._verdict: Verdict | None = None

    @property
    def seconds_left(self) -> float:
        """How long the run may still take."""
        return max(0.0, self._ends - time.monotonic())

    async def run(self, code: str) -> str:
        """Run a cell; return what the model is to know of it."""
        self.report(f"Running cell {self.evidence.n_cells + 1}")
        seconds = max(1.0, self.seconds_left - RESERVE)
        outcome = Outcome("killed", "It was cut short, with all of the run.", 0.0)
        with self.evidence.output(self._limits) as output:
            try:
                outcome = await self._sandbox.run(code, output, seconds=seconds)
            finally:
                # A cell that is cut short is evidence too, and may have written the submission.
                self.evidence.cell(code, outcome, output)
        parts = [output.shown().rstrip() or "(no output)", outcome.note]
        before = self._state
        verdict = await self.check()
        if self._state != before and self.folders.exists(SUBMISSION):
            parts.append(verdict.text)
        return "\n\n".join(part for part in parts if part)

    async def check(self) -> Verdict:
        """Have the files judged that lie in the work folder, unless they are those of before."""
        seen = await asyncio.to_thread(self.judge.look)
        state = seen.state
        if state == self._state and self._verdict is not None:
            return self._verdict
        if state[0][0] != self._state[0][0]:  # the same bytes are still those of an earlier cell
            self._cell = self.evidence.n_cells
        self._state = state
        self.report("Checking the submission")
        self._verdict = await asyncio.to_thread(self.judge.judge, seen, self._cell)
        self.evidence.event(
            "checked", cell=self._cell, sha256=seen.submission.sha256, verdict=self._verdict.text
        )
        return self._verdict
