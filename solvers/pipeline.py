"""The main job: read, check, fit what `stacked` orders, write."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from signatures import Match
from signatures.side_files import select
from solvers import predictions, record, submission
from solvers.checkpoints import Checkpoints
from solvers.inputs import of_inputs
from solvers.intake import Dataset, check, read
from solvers.job import Job
from solvers.parameters import Loaded
from solvers.request import same_input
from solvers.run_folder import FITS, IMPORTANCE, OOF, SUBMISSION, TEST, RunFolder
from solvers.stacked import Problem, Stacked, fit_stacked
from solvers.workers import Workers


def run_known_task(
    job: Job, match: Match, loaded: Loaded, folder: RunFolder, workers: Workers
) -> dict[str, Any]:
    """Solve a known task, write submission and predictions, and return the record's parts.

    Raises
    ------
    BundleError, TaskRejectedError
        If the data cannot be read, or break the contract.
    SubmissionError
        If what came out is not fit to be handed in.
    """
    with job.log.stage("read") as details:
        tables = read(match)
        found = of_inputs(match.bundle, match.slug)
        same_input(folder.path(""), found["files"])
        details["note"] = f"{len(tables.train)} train rows, {len(tables.test)} test rows"
    with job.log.stage("check"):
        data = check(tables, match, loaded.solver, job.profile)
    problem = Problem(
        data, loaded.solver, match.signature.metric, job.profile,
        code=record.sha256_of_code(match.signature.solver),
        side=select(match.bundle.members, match.signature.side),
    )  # fmt: skip
    parts = {"input": found, "match": record.of_match(match, loaded.sha256)}
    return parts | run(job, problem, folder, workers)


def run(job: Job, problem: Problem, folder: RunFolder, workers: Workers) -> dict[str, Any]:
    """Solve a problem, write submission and predictions, and return the record's parts.

    Raises
    ------
    SubmissionError
        If what came out is not fit to be handed in.
    """
    log, data = job.log, problem.data
    kept = Checkpoints(folder.path(FITS), problem.code)
    stacked = fit_stacked(problem, seed=job.seed, log=log, workers=workers, checkpoints=kept)
    with log.stage("write"):
        _write_predictions(folder, data, stacked)
        features = list(stacked.ready.X.columns)
        shares = predictions.feature_importance(stacked.base.results, features)
        _write_parquet(shares, folder.path(IMPORTANCE))
    return {
        "tables": record.of_tables(data),
        "targets": record.of_targets(data.targets),
        "rules": dict(stacked.ready.filled),
        "features": features,
        "folds": asdict(stacked.cut),
        "models": [{"name": model.name, **vars(model)} for model in stacked.models],
        "fits": [result.facts() for result in stacked.base.results],
        "scores": record.of_scores(stacked.blended, problem.metric, problem.profile, stacked.cut),
        "predictions": record.of_predictions(stacked.base, stacked.blended, data),
    }


def _write_predictions(folder: RunFolder, data: Dataset, stacked: Stacked) -> None:
    """Write the submission, once it has passed its checks, and all predictions."""
    arrays = predictions.in_test_order(stacked.blended.final, data)
    frame = submission.build(data.form, data.targets, arrays)
    submission.check(frame, data.form)
    frame.to_csv(folder.path(SUBMISSION), index=False, lineterminator="\n")
    everything = {**stacked.base.predictions, **stacked.blended.predictions}
    oof = predictions.oof_predictions(data, everything, stacked.folds)
    _write_parquet(oof, folder.path(OOF))
    test = predictions.test_predictions(data, everything)
    _write_parquet(test, folder.path(TEST))


def _write_parquet(table: pd.DataFrame, path: Path) -> None:
    parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
