"""The two ways in: an answer with its circumstances, and a fallback for `solvers.solve`."""

import asyncio
import json
import shutil
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from purple_agent.llm import endpoint
from purple_agent.llm.bundles import as_folder
from purple_agent.llm.endpoint import Endpoint
from purple_agent.llm.errors import AgentError
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.judge import Candidate, Judge
from purple_agent.llm.loop import converse
from purple_agent.llm.model import opened
from purple_agent.llm.parting import Parted
from purple_agent.llm.settings import AgentSettings, unusable
from purple_agent.llm.task import SUBMISSION, Task
from purple_agent.llm.workbench import Workbench
from purple_agent.sandbox import Sandbox
from purple_agent.wording import said
from signatures import Bundle, KnownTaskError
from signatures.wording import sentences
from solvers.baseline.contest import Comparison

WORK = "work"
RECORD = "answer.json"


@dataclass(frozen=True)
class AgentAnswer:
    """What came of it.

    Attributes
    ----------
    submission : Path or None
        A file that passed all checks; None where there is none.
    comparison : Comparison or None
        Its score on the rows that were held back, by our own count, and the baseline's there; None
        without such rows, or valid predictions for them.
    sandbox : str
        Which walls the code ran in; empty where none ran.
    reason : str
        A sentence on why the work ended.
    """

    submission: Path | None
    comparison: Comparison | None
    sandbox: str
    reason: str


def answer(
    bundle_path: Path,
    out: Path,
    *,
    settings: AgentSettings,
    report: Callable[[str], None],
    baseline: Path | None = None,
    parted: Parted | None = None,
) -> AgentAnswer:
    """Let a model answer a task, within bounds. Blocks; call it outside any event loop.

    Parameters
    ----------
    bundle_path : Path
        The folder of the data; nothing in it is changed.
    out : Path
        An empty folder, for the evidence, the work folder and the submission.
    report : function
        Told in a few words what is going on.
    baseline : Path, optional
        The folder of a finished run, whose ``submission.csv`` is shown to the model, and is the
        form of a submission where there is no sample.
    parted : Parted, optional
        The data that code sees instead, with rows held back, on which the answer is scored.

    Returns
    -------
    AgentAnswer
        Whatever the model, the endpoint or the sandbox does wrong is told in its `reason`.
    """
    sandbox: Sandbox | None = None
    bench: Workbench | None = None
    try:
        chosen = endpoint.choose(settings)
        task = Task.of(bundle_path, baseline, parted)
        evidence = Evidence(out, secrets=(chosen.key,), room_mb=settings.evidence_mb)
        shown = bundle_path if parted is None else parted.folder
        folders = Folders(shown, _work_folder(out, task))
        sandbox = Sandbox(
            folders.data, folders.work, settings.limits, otherwise=settings.without_bubblewrap
        )
        judge = Judge(task, folders, out, evidence)
        bench = Workbench(
            task, folders, sandbox=sandbox, limits=settings.limits, evidence=evidence,
            judge=judge, report=lambda text: report(said(text)), seconds=settings.seconds,
        )  # fmt: skip
        reason = asyncio.run(_work(chosen, sandbox, bench, settings))
    except KnownTaskError as error:
        reason = str(error)
    return _hand_over(out, bench, sandbox.record if sandbox else "", reason)


async def _work(
    chosen: Endpoint, sandbox: Sandbox, bench: Workbench, settings: AgentSettings
) -> str:
    """Open everything, in the order in which it has to be closed again."""
    async with opened(chosen, settings, bench.evidence) as model, sandbox:
        bench.evidence.event(
            "begins", model=chosen.model, endpoint=chosen.url, sandbox=sandbox.record
        )
        reason = await converse(model, bench, settings)
    # A cell that was cut short by the end of all time may have left a submission.
    await bench.check()
    return reason


def _work_folder(out: Path, task: Task) -> Path:
    work = out / WORK
    work.mkdir()
    if task.baseline is not None:
        shutil.copyfile(task.baseline, work / f"baseline_{SUBMISSION}")
    return work


def _hand_over(out: Path, bench: Workbench | None, sandbox: str, reason: str) -> AgentAnswer:
    """Put the best candidate in its place, and write down what it is."""
    best = bench.judge.best if bench is not None else None
    submission = comparison = None
    if best is not None and bench is not None:
        submission = out / SUBMISSION
        shutil.copyfile(best.path, submission)
        comparison = _compared(best, bench)
    record = {
        "submission": SUBMISSION if best else None,
        "sha256": best.sha256 if best else None,
        "written_by_cell": best.cell if best else None,
        "held_back": comparison
        and {
            "score": comparison.score,
            "baseline": comparison.baseline,
            "error": comparison.error,
        },
        "sandbox": sandbox,
        "reason": reason,
    }
    (out / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return AgentAnswer(submission, comparison, sandbox, said(reason))


def _compared(best: Candidate, bench: Workbench) -> Comparison | None:
    """Score what is handed in, for the first time and the last."""
    if best.predictions is None or bench.task.parted is None:
        return None
    try:
        return bench.task.parted.contest.compare(best.predictions)
    except Exception:  # ours, and the submission may still be of use
        bench.evidence.event("comparison failed", traceback=traceback.format_exc())
        return None


def fallback(bundle: Bundle, out: Path, reason: str) -> Path:
    """Answer as `solvers.solve` wants its fallback to: with the path of a submission.

    Raises
    ------
    AgentError
        If no model is set up in the environment, or no valid submission came.
    """
    try:
        settings = AgentSettings()
    except ValidationError as error:
        raise AgentError(unusable(error)) from error
    endpoint.choose(settings)
    with as_folder(bundle) as data:
        given = answer(data, out, settings=settings, report=_nothing)
    if given.submission is None:
        raise AgentError(sentences(["No valid submission came of the agent", given.reason]))
    return given.submission


def _nothing(text: str) -> None:
    """Tell nobody."""
