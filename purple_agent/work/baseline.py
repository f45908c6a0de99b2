"""The baseline of `solvers`, as an answer to what no solver knows."""

from typing import TYPE_CHECKING

from purple_agent.orders import Order
from purple_agent.removal import remove
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling

if TYPE_CHECKING:
    from solvers import Solution


def baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    """Answer with the baseline, whatever the task is."""
    solution = _solved(folder, order, telling)
    inferred = solution.record["inferred"]
    if inferred["answered_by"] == "constant":
        return Candidate(
            solution.submission, None, f"A constant for every row: {inferred['notes'][-1]}."
        )
    scores = solution.record["scores"]
    return Candidate(
        submission=solution.submission,
        # On the folds of the first seed: another answer is scored on these too.
        score=scores["models"][scores["used"]]["per_seed"][0],
        reason=f"The baseline's answer: {'; '.join(inferred['notes'])}.",
        higher_is_better=scores["higher_is_better"],
    )


def _solved(folder: TaskFolder, order: Order, telling: Telling) -> "Solution":
    """Make the baseline, or take the one that an earlier sitting has made."""
    from solvers import resume, solve
    from solvers.run_record import RECORD

    if (folder.baseline / RECORD).exists():
        return resume(folder.baseline)
    remove(folder.baseline)  # half of one is not worth going on with
    return solve(
        folder.data, out=folder.baseline, seed=order.seed, profile=order.profile, jobs=order.jobs,
        report=False, watcher=telling, fallback="baseline", as_unknown=True,
    )  # fmt: skip
