"""The public way in: a dataset is solved, or a run that was stopped goes on.

(A module called ``solve`` would take the place of the function `solvers.solve` as soon as it was
imported.)
"""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Self

import signatures
from signatures import RunFolderError, TaskRejectedError, UnknownTaskError
from solvers import routes
from solvers.inputs import changed_inputs, of_inputs
from solvers.job import Job
from solvers.log import Watcher
from solvers.request import read_request, refuse_changed
from solvers.routes import Fallback
from solvers.run_folder import SUBMISSION, clear_away
from solvers.run_record import RECORD, RunRecord, read_record


@dataclass(frozen=True)
class Solution:
    """A finished run.

    Attributes
    ----------
    route : str
        ``"known-task"``, ``"baseline"``, or ``"agent"`` where another fallback was used.
    reason : str
        Why that route.
    run : Path
        The run's folder.
    submission : Path
        The file to hand in.
    scores : mapping
        Out-of-fold score of each base model, ``"average"`` and ``"stack"``: ``(mean, standard
        error)`` over fold seeds; the error is None for one seed. Empty where nothing was fitted.
    record : dict
        All of ``run.json``.
    """

    route: str
    reason: str
    run: Path
    submission: Path
    scores: Mapping[str, tuple[float, float | None]]
    record: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, run: Path, record: RunRecord) -> Self:
        """Present the finished run in the folder `run`."""
        models = record.scores.models if record.scores is not None else {}
        return cls(
            route=record.route,
            reason=record.reason,
            run=run,
            submission=run / SUBMISSION,
            scores=MappingProxyType({name: (s.mean, s.sem) for name, s in models.items()}),
            record=record.model_dump(mode="json", by_alias=True),
        )


def solve(
    path: str | Path,
    *,
    out: str | Path | None = None,
    seed: int = 0,
    profile: str = "full",
    jobs: int | None = None,
    fallback: Fallback | Literal["baseline"] | None = None,
    as_unknown: bool = False,
    note: str = "",
    report: bool = True,
    watcher: Watcher | None = None,
) -> Solution:
    """Recognise a dataset's task, solve it, and write a submission and what makes it again.

    Parameters
    ----------
    path : path
        A folder or an archive that holds train, test and (if there is one) a sample submission.
    out : path, optional
        A new or empty folder; by default ``runs/<slug>/<UTC time>-s<seed>`` in the working
        directory.
    seed : int
        The one seed. Same input and seed, same bytes.
    profile : {"full", "quick"}
        ``"quick"`` is a rehearsal with fewer folds and rounds.
    jobs : int, optional
        Processes to fit in; by default the CPUs this process may use. The result does not depend
        on it.
    fallback : "baseline" or function, optional
        For an unknown task or rejected data, never for a bug or a missing library. The baseline
        is the same pipeline with inferred types. A function ``fallback(bundle, out, reason)``
        returns the path of a submission; ``out`` is a folder it may write to.
    as_unknown : bool
        Go to the fallback at once, even if a known task's solver would take the data.
    note : str
        Anything the record should say of the data, such as that they are synthetic.
    report : bool
        Whether to write ``report.html`` beside the submission.
    watcher : Watcher, optional
        Told of progress.

    Returns
    -------
    Solution

    Raises
    ------
    UnknownTaskError
        If no signature fits and there is no fallback.
    TaskRejectedError
        If the data break the task's contract and there is no fallback.
    BundleError
        If the data cannot be read at all.
    RunFolderError
        If `out` cannot be used.
    SubmissionError
        If what came out is not fit to be handed in.
    FitFailedError
        If a fit failed twice. As after a kill, `resume` goes on from the fits that are kept.
    """
    job = Job.ask(
        path, out=out, seed=seed, profile=profile, jobs=jobs, note=note, report=report,
        fallback=_called(fallback), as_unknown=as_unknown, watcher=watcher,
    )  # fmt: skip
    return _do(job, fallback)


def _called(fallback: Fallback | str | None) -> Literal["none", "baseline", "own"]:
    if callable(fallback):
        return "own"
    if fallback not in (None, "baseline"):
        msg = f"there is no fallback {fallback!r}; give 'baseline' or a function"
        raise ValueError(msg)
    return "none" if fallback is None else "baseline"


def resume(
    run: str | Path,
    *,
    data: str | Path | None = None,
    jobs: int | None = None,
    fallback: Fallback | None = None,
    watcher: Watcher | None = None,
) -> Solution:
    """Go on with a run that was killed or failed, to the same bytes as one that never was.

    Parameters
    ----------
    run : path
        The run's folder. Of a finished run, its solution is returned and nothing is done.
    data : path, optional
        Where the same data are now, by default where they were. They are compared.
    jobs : int, optional
        Processes to fit in, by default as many as the run was asked for.
    fallback : function, optional
        The run's own fallback, which is not kept; the baseline is remembered.
    watcher
        As for `solve`.

    Returns
    -------
    Solution

    Raises
    ------
    RunFolderError
        If there is no run in the folder, it is still going on, or its data have changed.
    KnownTaskError
        As `solve` does.
    """
    run = Path(run)
    if (run / RECORD).exists():
        record = read_record(run)
        if data is not None:
            before = {role: file.model_dump() for role, file in record.input.files.items()}
            now = of_inputs(signatures.find(data), record.task)["files"]
            refuse_changed(run, changed_inputs(before, now))
        clear_away(run)
        return Solution.of(run, record)
    request = read_request(run)
    if data is not None:
        request = request.model_copy(update={"path": os.path.abspath(data)})
    if not Path(request.path).exists():
        problem = f"was begun with data in {request.path!r}, which is not there"
        cure = f"Say where they are now: solvers solve PATH --resume {shlex.quote(str(run))}"
        raise RunFolderError(str(run), problem, cure)
    return _do(Job.again(run, request, jobs=jobs, watcher=watcher), fallback)


def _do(job: Job, fallback: Fallback | str | None) -> Solution:
    try:
        if job.request.as_unknown:
            raise UnknownTaskError(job.request.path, "it was asked to be taken as unknown")
        with job.log.stage("match"):
            match = signatures.match(job.path)
        return Solution.of(*routes.known_task(job, match))
    except (UnknownTaskError, TaskRejectedError) as error:
        if job.request.fallback == "none" and not callable(fallback):
            raise
        if job.request.fallback == "own" and not callable(fallback):
            problem = "was begun with a fallback of its own, which is not kept with it"
            cure = "Give it again: resume(run, fallback=...), or --resume RUN --fallback agent."
            raise RunFolderError(str(job.out), problem, cure) from error
        slug = error.slug if isinstance(error, TaskRejectedError) else None
        reason = error.reason if isinstance(error, UnknownTaskError) else str(error)
        if callable(fallback):
            return Solution.of(*routes.otherwise(job, fallback, reason, slug))
        return Solution.of(*routes.baseline(job, reason, slug))
