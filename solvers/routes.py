"""The routes that a dataset takes, each to a finished run: its folder and its record.

What takes long to import is imported inside the functions, after the workers have been started:
they import their own libraries meanwhile.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import signatures
from signatures import Bundle, Match
from solvers.inputs import of_inputs, sha256_of_file
from solvers.job import Job
from solvers.run_folder import EVIDENCE, LOG, SUBMISSION, RunFolder
from solvers.run_record import RECORD, SCHEMA_VERSION, RunRecord
from solvers.workers import Workers

Fallback = Callable[[Bundle, Path, str], Path]


def known_task(job: Job, match: Match) -> tuple[Path, RunRecord]:
    """Run a known task's solver into a new run folder."""
    reason = f"train has the key columns {', '.join(match.signature.key)}"
    with job.folder(match.slug) as folder, Workers(job.jobs) as workers:
        with job.log.stage("libraries"):
            from solvers import parameters, pipeline

            loaded = parameters.load(match.signature)
        with job.log.writing_to(folder.path(LOG)):
            parts = pipeline.run_known_task(job, match, loaded, folder, workers)
            return _publish(job, folder, "known-task", reason, match.slug, parts)


def baseline(job: Job, reason: str, slug: str | None) -> tuple[Path, RunRecord]:
    """Run the pipeline with inferred types into a new run folder."""
    with job.folder(slug or "unknown") as folder, Workers(job.jobs) as workers:
        with job.log.stage("libraries"):
            from solvers.baseline import run_baseline

        with job.log.writing_to(folder.path(LOG)):
            parts = run_baseline(job, folder, workers, slug)
            return _publish(job, folder, "baseline", reason, slug, parts)


def otherwise(
    job: Job, fallback: Fallback, reason: str, slug: str | None
) -> tuple[Path, RunRecord]:
    """Let the fallback answer, check what it can be checked against, and record that it did."""
    from solvers.foreign_submission import check_file

    bundle = signatures.find(job.path)
    with (
        job.folder(slug or "unknown") as folder,
        job.log.writing_to(folder.path(LOG)),
    ):
        with job.log.stage("fallback"):
            evidence = folder.path(EVIDENCE)
            shutil.rmtree(evidence, ignore_errors=True)  # of an earlier sitting
            evidence.mkdir()
            answer = fallback(bundle, evidence, reason)
            check_file(answer, bundle)
            shutil.copyfile(answer, folder.path(SUBMISSION))
        parts = {"input": of_inputs(bundle, slug)}
        return _publish(job, folder, "agent", reason, slug, parts)


def _publish(
    job: Job,
    folder: RunFolder,
    route: str,
    reason: str,
    slug: str | None,
    parts: dict[str, Any],
) -> tuple[Path, RunRecord]:
    """Write the record and where all came from, make the run a finished one, and report on it."""
    from solvers import provenance, record

    finished = datetime.now(UTC)
    whole = RunRecord.of(
        {
            "schema_version": SCHEMA_VERSION,
            "route": route,
            "reason": reason,
            "task": slug,
            "seed": job.seed,
            "note": job.request.note,
            "settings": {"profile": asdict(job.profile), "jobs": job.jobs, "threads_per_fit": 1},
            "submission_sha256": sha256_of_file(folder.path(SUBMISSION)),
            "outputs": record.of_outputs(folder),
            **parts,
            "started": job.request.started,
            "finished": finished,
            "seconds": round((finished - job.sat_down).total_seconds(), 3),
            "sittings": job.request.sittings,
            **record.of_process(job.log),
        }
    )
    digest = record.write_json(folder.path(RECORD), whole.model_dump(mode="json", by_alias=True))
    record.write_json(folder.path(provenance.PROVENANCE), provenance.statement(whole, digest))
    with _reported(job, folder, whole):
        folder.publish()
    return folder.out, whole


@contextmanager
def _reported(job: Job, folder: RunFolder, record: RunRecord) -> Iterator[None]:
    """Write the report before the block; where that fails, raise after it, when all is safe."""
    from solvers.report import write_report

    failure = None
    if job.request.report:
        try:
            with job.log.stage("report"):
                write_report(folder.path(""), record=record, name=str(folder.out))
        except Exception as error:
            failure = error
    yield
    if failure is not None:
        place = repr(str(folder.out))
        failure.add_note(f"The run itself is finished, in {place}; only its report is missing.")
        raise failure
