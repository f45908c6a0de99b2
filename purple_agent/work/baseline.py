"""The baseline of `solvers`, as an answer to what no solver knows."""

from typing import Any

from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling


def baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    """Answer with the baseline, whatever the task is."""
    from solvers import solve

    # What is asked of `solvers.solve` where a solver is passed over.
    asked: dict[str, Any] = {"fallback": "baseline", "route": "baseline"}
    solution = solve(
        folder.data, out=folder.baseline, seed=order.seed, profile=order.profile, jobs=order.jobs,
        report=False, watcher=telling, **asked,
    )  # fmt: skip
    scores = solution.record.get("scores") or {}
    used = scores.get("used", "")
    mean = solution.scores[used][0] if used in solution.scores else None
    return Candidate(
        submission=solution.submission,
        score=mean,
        reason=solution.reason,
        higher_is_better=scores.get("higher_is_better", True),
    )
