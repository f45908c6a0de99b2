"""The public way in: which route a dataset takes, and the finished run it ends in.

What takes long to import is imported inside the functions, after the workers have been started:
they import their own libraries meanwhile. (A module called ``solve`` would take the place of the
function `solvers.solve` as soon as it was imported.)
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import signatures
from signatures import Bundle, Match, TaskRejectedError, UnknownTaskError
from solvers.job import Job
from solvers.log import Watcher
from solvers.run_folder import RECORD, SUBMISSION, RunFolder
from solvers.workers import Workers

Fallback = Callable[[Bundle, Path, str], Path]


@dataclass(frozen=True)
class Solution:
    """A finished run.

    Attributes
    ----------
    route : str
        ``"known-task"``, or ``"agent"`` where a fallback was used.
    reason : str
        Why that route.
    run : Path
        The run's folder.
    submission : Path
        The file to hand in.
    scores : mapping
        Out-of-fold score of each base model, ``"average"`` and ``"stack"``: ``(mean, standard
        error)`` over fold seeds; the error is None for one seed. Empty where a fallback was used.
    record : dict
        All of ``run.json``.
    """

    route: str
    reason: str
    run: Path
    submission: Path
    scores: Mapping[str, tuple[float, float | None]]
    record: dict[str, Any] = field(repr=False)


def solve(
    path: str | Path,
    *,
    out: str | Path | None = None,
    seed: int = 0,
    profile: str = "full",
    jobs: int | None = None,
    fallback: Fallback | None = None,
    note: str = "",
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
    fallback : function, optional
        ``fallback(bundle, out, reason)`` returns the path of a submission; called for an unknown
        task or rejected data, never for a bug or a missing library. ``out`` is a folder it may
        write to.
    note : str
        Anything the record should say of the data, such as that they are synthetic.
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
    """
    job = Job.ask(path, out=out, seed=seed, profile=profile, jobs=jobs, note=note, watcher=watcher)
    try:
        with job.log.stage("match"):
            match = signatures.match(job.path)
        return _solve_known(job, match)
    except (UnknownTaskError, TaskRejectedError) as error:
        if fallback is None:
            raise
        slug = error.slug if isinstance(error, TaskRejectedError) else None
        return _solve_otherwise(job, fallback, str(error), slug)


def _solve_known(job: Job, match: Match) -> Solution:
    """Run a known task's solver into a new run folder."""
    reason = f"train has the key columns {', '.join(match.signature.key)}"
    with job.folder(match.slug) as folder, Workers(job.jobs) as workers:
        from solvers import pipeline

        job.log.write_to(folder.path("log.jsonl"))
        solver = match.signature.load_solver()
        parts = pipeline.run(job, match, solver, folder, workers)
        return _publish(job, folder, "known-task", reason, match.slug, parts)


def _solve_otherwise(job: Job, fallback: Fallback, reason: str, slug: str | None) -> Solution:
    """Let the fallback answer, check what it can be checked against, and record that it did."""
    from solvers import record, submission

    bundle = signatures.find(job.path)
    with job.folder(slug or "unknown") as folder:
        job.log.write_to(folder.path("log.jsonl"))
        with job.log.stage("fallback"):
            evidence = folder.path("fallback")
            evidence.mkdir()
            answer = fallback(bundle, evidence, reason)
            submission.check_file(answer, bundle)
            shutil.copyfile(answer, folder.path(SUBMISSION))
        parts = {"input": record.of_inputs(bundle)}
        return _publish(job, folder, "agent", reason, slug, parts)


def _publish(
    job: Job,
    folder: RunFolder,
    route: str,
    reason: str,
    slug: str | None,
    parts: dict[str, Any],
) -> Solution:
    """Write the record and make the run a finished one."""
    from solvers import record

    with folder.path(SUBMISSION).open("rb") as stream:
        digest = record.sha256_of_stream(stream)
    finished = datetime.now(UTC)
    whole = {
        "schema_version": record.SCHEMA_VERSION,
        "route": route,
        "reason": reason,
        "task": slug,
        "seed": job.seed,
        "note": job.note,
        "settings": {"profile": asdict(job.profile), "jobs": job.jobs, "threads_per_fit": 1},
        "submission_sha256": digest,
        **parts,
        "started": job.started.isoformat(timespec="milliseconds"),
        "finished": finished.isoformat(timespec="milliseconds"),
        "seconds": round((finished - job.started).total_seconds(), 3),
        **record.of_process(job.log),
    }
    whole = record.write_json(folder.path(RECORD), whole)
    folder.publish()
    models = whole.get("scores", {}).get("models", {})
    return Solution(
        route=route,
        reason=reason,
        run=folder.out,
        submission=folder.out / SUBMISSION,
        scores=MappingProxyType({name: (s["mean"], s["sem"]) for name, s in models.items()}),
        record=whole,
    )
