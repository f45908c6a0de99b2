"""The baseline of `solvers`, as an answer to what no solver knows."""

import shutil
from typing import TYPE_CHECKING, Any

from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling

if TYPE_CHECKING:
    from solvers import Solution


def baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    """Answer with the baseline, whatever the task is."""
    solution = _solved(folder, order, telling)
    scores = solution.record.get("scores") or {}
    used = scores.get("used", "")
    mean = solution.scores[used][0] if used in solution.scores else None
    return Candidate(
        submission=solution.submission,
        score=mean,
        reason=solution.reason,
        higher_is_better=scores.get("higher_is_better", True),
    )


def _solved(folder: TaskFolder, order: Order, telling: Telling) -> "Solution":
    """Make the baseline, or take the one that an earlier sitting has made."""
    from solvers import resume, solve
    from solvers.run_record import RECORD

    if (folder.baseline / RECORD).exists():
        return resume(folder.baseline)
    shutil.rmtree(folder.baseline, ignore_errors=True)  # half of one is not worth going on with
    # What is asked of `solvers.solve` where a solver is passed over.
    asked: dict[str, Any] = {"fallback": "baseline", "route": "baseline"}
    return solve(
        folder.data, out=folder.baseline, seed=order.seed, profile=order.profile, jobs=order.jobs,
        report=False, watcher=telling, **asked,
    )  # fmt: skip
