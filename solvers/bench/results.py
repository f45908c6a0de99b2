"""Read a finished run back as a row of the bench has it."""

from pathlib import Path

from pyarrow import parquet

from solvers.bench.rows import OutOfFold, Result
from solvers.record_types import Code, Scores
from solvers.run_record import read_record


def read_result(run: Path) -> Result:
    """Take from a run's record what the tables show.

    Raises
    ------
    RunFolderError
        If there is no finished run, or its record cannot be understood.
    """
    record = read_record(run)
    scores, fits = record.scores, record.fits or []
    assert scores is not None  # every run of a known task has them
    environment = record.environment
    return Result(
        n_train=_n_train(run, scores),
        metric=scores.metric,
        higher_is_better=scores.higher_is_better,
        models={name: OutOfFold(score.mean, score.sem) for name, score in scores.models.items()},
        used=scores.used,
        protocol=scores.protocol,
        fits=len(fits),
        rounds=sum(fit.rounds or 0 for fit in fits),
        cpu_seconds=round(sum(fit.cpu_seconds for fit in fits), 3),
        seconds=record.seconds,
        peak_mb=record.peak_mb,
        sittings=record.sittings,
        jobs=record.settings.jobs,
        finished=record.finished.isoformat(timespec="seconds"),
        code=_code(environment.code),
        python=environment.python,
        cpu=environment.cpu.model or environment.cpu.machine,
        submission_sha256=record.submission_sha256,
    )


def _n_train(run: Path, scores: Scores) -> int | None:
    """Count the train rows: the out-of-fold table has each of them once per fold seed."""
    try:
        n_rows = parquet.read_metadata(run / "oof_predictions.parquet").num_rows
    except (OSError, ValueError):
        return None
    return int(n_rows) // len(scores.models[scores.used].per_seed)


def _code(code: Code) -> str:
    """Name the code by version and commit, and where that does not settle it by its digest."""
    version = f"known-task-solvers {code.version or 'of an unknown version'}"
    if code.commit is None:
        return f"{version} (sha256 {code.sha256[:12]})"
    changed = f" with changes (sha256 {code.sha256[:12]})" if code.dirty else ""
    return f"{version} at commit {code.commit[:12]}{changed}"
