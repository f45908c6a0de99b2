"""The routes of a task: its solver, or a baseline and then the agent.

The heavy libraries are imported when `solvers.solve` starts, and not before the archive has been
looked through.
"""

import shutil
import traceback
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import signatures
from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Agent, Baseline, Candidate, better
from purple_agent.work.telling import Telling
from purple_agent.work.unpacking import UnpackingError, unpack
from signatures import BundleError, KnownTaskError, TaskRejectedError, UnknownTaskError

if TYPE_CHECKING:
    from solvers import Solution

INTERRUPTED = "the work on this task was interrupted too often"
NO_ROOM = "The disk of this agent refused the data. They are kept, and the work can go on."
NOTHING = "No answer could be made from this data."


def work(folder: TaskFolder, order: Order, telling: Telling) -> None:
    """Unpack, take the first route that gives an answer, and tell all of it."""
    telling.say("Unpacking the archive.")
    try:
        unpack(folder, order)
    except UnpackingError as error:
        telling.tell("refused", str(error))
        return
    except OSError:
        traceback.print_exc()
        telling.tell("failed", NO_ROOM)
        return
    order = order.model_copy(update={"jobs": order.jobs or _share(order)})
    passed_over = order.plain and not _finished(folder)
    if reason := INTERRUPTED if passed_over else _known(folder, order, telling):
        _unknown(folder, order, telling, reason)


def _finished(folder: TaskFolder) -> bool:
    """Whether the solver's run is finished, so that nothing of it has to be done again."""
    from solvers.run_record import RECORD

    return (folder.run / RECORD).exists()


def _share(order: Order) -> int:
    """Count the processes to fit in: a task that is alone gets all CPUs; results are the same."""
    from solvers.workers import usable_cpus

    return max(1, usable_cpus() // order.sharing)


def _known(folder: TaskFolder, order: Order, telling: Telling) -> str:
    """Let the task's solver answer; where it does not, return why."""
    try:
        solution = _solved(folder, order, telling)
    except UnknownTaskError as error:
        nearest = f"; the nearest is {error.nearest.slug!r}" if error.nearest else ""
        return f"no known task: {error.why}{nearest}"
    except TaskRejectedError as error:
        return f"the data break the contract of {error.slug!r}: {'; '.join(error.failures[:3])}"
    except BundleError as error:
        return f"the data cannot be told apart: {Path(error.where).name!r} {error.problem}"
    except Exception:
        traceback.print_exc()
        return "the solver of this task failed"
    text = f"The answer of the solver of {solution.record['task']!r}{_score(solution)}."
    telling.answer(solution.submission, text, route=solution.route, reason=solution.reason)
    _report(folder, order)
    telling.tell("done", _last_words(solution.route, solution.reason, folder))
    return ""


def _solved(folder: TaskFolder, order: Order, telling: Telling) -> "Solution":
    """Solve, or go on with what an earlier sitting has begun; the report is written later."""
    from solvers import resume, solve
    from solvers.request import REQUEST
    from solvers.run_record import UNFINISHED

    run = folder.run
    if _finished(folder) or (run / UNFINISHED / REQUEST).exists():
        return resume(run, data=folder.data, jobs=order.jobs, watcher=telling)
    return solve(
        folder.data, out=run, seed=order.seed, profile=order.profile, jobs=order.jobs,
        report=False, watcher=telling,
    )  # fmt: skip


def _score(solution: "Solution") -> str:
    scores = solution.record.get("scores")
    if not scores:
        return ""
    return f": {scores['metric']} {solution.scores[scores['used']][0]:.5f} out of fold"


def _report(folder: TaskFolder, order: Order) -> None:
    """Write the run's report, after the answer was sent: nobody has to wait for it."""
    from solvers.report import write_report

    try:
        if order.report and not order.plain:
            write_report(folder.run)
    except Exception:
        traceback.print_exc()  # the run is finished, and `solvers report` can be tried again


def _last_words(route: str, why: str, folder: TaskFolder) -> str:
    because = why.removesuffix(".")
    return (
        f"Done. Route: {route}, because {because}. The run is kept under the id {folder.path.name}."
    )


def _unknown(folder: TaskFolder, order: Order, telling: Telling, reason: str) -> None:
    """Answer with the baseline at once, and with the agent if that is better.

    Where the work was interrupted too often the agent is not asked: it may be what was.
    """
    telling.say(f"Making a baseline, because {reason}.")
    first = _baseline(folder, order, telling)
    if first is not None and first.submission is not None:
        route = "baseline"
        telling.answer(first.submission, _told(first), route=route, reason=reason)
    else:
        route, first = "sample", _sample(folder)
        if first is not None and first.submission is not None:
            telling.answer(first.submission, _told(first), route=route, reason=reason)
    second = None
    if not order.plain:
        second = _agent(folder, order, telling, first if route == "baseline" else None)
    why = reason
    if second is not None:
        why = f"{reason}; the agent: {second.reason}"
        if second.submission is not None and better(second, first):
            route, first = "agent", second
            telling.answer(second.submission, _told(second), route=route, reason=why)
    if first is None:
        telling.tell("failed", f"{NOTHING} Why: {why}.")
    else:
        telling.tell("done", _last_words(route, why, folder))


def _told(candidate: Candidate) -> str:
    if candidate.score is None:
        return candidate.reason
    if candidate.rival is None:
        return f"{candidate.reason} Out-of-fold score: {candidate.score:.5f}."
    return (
        f"{candidate.reason} Score on training rows whose answers were kept from it: "
        f"{candidate.score:.5f}, the baseline's there: {candidate.rival:.5f} "
        f"(standard error of the difference: {candidate.error:.5f})."
    )


def _baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate | None:
    make: Baseline = resolve_name(order.baseline)
    try:
        return make(folder, order, telling)
    except Exception:
        traceback.print_exc()
        telling.say("The baseline failed.")
        return None


def _agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate | None:
    make: Agent = resolve_name(order.agent)
    try:
        return make(folder, order, telling, baseline)
    except Exception:
        traceback.print_exc()
        return Candidate(None, None, "it failed")


def _sample(folder: TaskFolder) -> Candidate | None:
    """Give the sample submission back as it is: valid, and worth what a constant is worth.

    One that is no table is no answer.
    """
    from solvers.tables import read_table

    target: Path = folder.path / "sample" / "submission.csv"
    try:
        sample = signatures.find(folder.data).sample
        if sample is None or read_table(sample, missing=()).empty:
            return None
        target.parent.mkdir(exist_ok=True)
        with sample.open() as source, target.open("wb") as stream:
            shutil.copyfileobj(source, stream)
    except (KnownTaskError, OSError):
        traceback.print_exc()
        return None
    return Candidate(target, None, "The sample submission as it came, for nothing better was made.")
