"""The main job, and the one place that orders its steps.

Read, check, features, folds, fit, stack, write.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from signatures import Match, Member, Metric
from signatures.side_files import select
from solvers import predictions, record, submission
from solvers.checkpoints import Checkpoints
from solvers.features import Prepared, prepare
from solvers.folds import Cut, fold_index, look_at_cut
from solvers.inputs import of_inputs
from solvers.intake import Dataset, check, read
from solvers.job import Job
from solvers.out_of_fold import BaseModels, out_of_fold
from solvers.parameters import Loaded
from solvers.profiles import Profile
from solvers.request import same_input
from solvers.run_folder import FITS, IMPORTANCE, OOF, SUBMISSION, TEST, RunFolder
from solvers.scores import RunningScores
from solvers.seeds import fold_seed
from solvers.solver import Recipe
from solvers.stack import Blended, blend
from solvers.target import FoldIndex
from solvers.workers import Workers


@dataclass(frozen=True)
class Problem:
    """Checked rows, and how they are to be solved.

    Attributes
    ----------
    metric : Metric
        What the submission is judged by.
    profile : Profile
        How much work to do.
    code : str
        Digest of the solver's code, which may lie outside this package.
    side : sequence of Member
        The files that lie beside the tables, for a solver that reads them.
    """

    data: Dataset
    recipe: Recipe
    metric: Metric
    profile: Profile
    code: str
    side: Sequence[Member] = ()


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
    log, metric, data, profile = job.log, problem.metric, problem.data, problem.profile
    with log.stage("features") as details:
        ready = prepare(data, problem.recipe, problem.side)
        details["filled"] = dict(ready.filled)
        details["note"] = f"{ready.X.shape[1]} features"
        if ready.filled:
            details["note"] += f"; the rules filled {sum(ready.filled.values())} values"
        if ready.without:
            details["note"] += "; the tables alone, without the files beside them"
            log.event(logging.WARNING, "side files unused", reason=ready.without)
    with log.stage("folds") as details:
        folds, cut = cut_into_folds(data, ready, problem.recipe, profile, job.seed)
        details["note"] = cut.reason
    with log.stage("fit") as details:
        models = [model.rehearsal(profile.work) for model in problem.recipe.models]
        base = out_of_fold(
            models, ready.X, ready.X_test, data.fitted, data.targets,
            folds=folds, seed=job.seed, ordered=cut.kind == "time", workers=workers,
            checkpoints=Checkpoints(folder.path(FITS), problem.code),
            watcher=RunningScores(log, metric, data.ys, folds),
        )  # fmt: skip
        details["note"] = _about(base, job.jobs)
    with log.stage("stack") as details:
        blended = blend(base, data.ys, data.targets, folds, metric)
        details["reason"] = blended.choice.reason
        details["note"] = f"the {blended.choice.used} is used"
    with log.stage("write"):
        _write_predictions(folder, data, base, blended, folds)
        shares = predictions.feature_importance(base.results, list(ready.X.columns))
        _write_parquet(shares, folder.path(IMPORTANCE))
    return {
        "tables": record.of_tables(data),
        "targets": record.of_targets(data.targets),
        "rules": dict(ready.filled),
        "features": list(ready.X.columns),
        "folds": asdict(cut),
        "models": [{"name": model.name, **vars(model)} for model in models],
        "fits": [result.facts() for result in base.results],
        "scores": record.of_scores(blended, metric, profile, cut),
        "predictions": record.of_predictions(base, blended, data),
    }


def _about(base: BaseModels, jobs: int) -> str:
    """Say in a sentence what the fits were."""
    kept = sum(result.kept for result in base.results)
    where = "this process" if jobs == 1 else f"{jobs} processes"
    before = f", {kept} of them in an earlier sitting" if kept else ""
    return f"{len(base.results)} fits in {where}{before}"


def cut_into_folds(
    data: Dataset, ready: Prepared, recipe: Recipe, profile: Profile, seed: int
) -> tuple[list[FoldIndex], Cut]:
    """Cut the train rows once per fold seed, in the way the test was cut.

    Returns
    -------
    folds : list of ndarray of shape (n_rows,)
        One per fold seed: the number of the fold that holds each row out.
    cut : Cut
        How the test was cut, and how that was seen.
    """
    if recipe.periods is not None:
        periods = recipe.periods(ready.rows[data.is_train], profile.folds)
        index = periods.to_numpy(dtype=np.int16)
        reason = (
            f"Later rows are held out, {np.count_nonzero(index >= 0)} of {len(index)}: the test "
            "comes later than the train."
        )
        return [index] * profile.fold_seeds, Cut("time", 0, 0, reason)
    groups = test_groups = None
    if recipe.groups is not None:
        of_row = recipe.groups(ready.rows)
        groups, test_groups = of_row[data.is_train], of_row[~data.is_train]
    cut = look_at_cut(groups, test_groups)
    folds = [
        fold_index(
            data.ys[0],
            data.targets[0],
            groups=groups if cut.kind == "group" else None,
            n_folds=profile.folds,
            seed=fold_seed(seed, repeat),
        )
        for repeat in range(profile.fold_seeds)
    ]
    return folds, cut


def _write_predictions(
    folder: RunFolder,
    data: Dataset,
    base: BaseModels,
    blended: Blended,
    folds: Sequence[FoldIndex],
) -> None:
    """Write the submission, once it has passed its checks, and all predictions."""
    arrays = predictions.in_test_order(blended.final, data)
    frame = submission.build(data.form, data.targets, arrays)
    submission.check(frame, data.form)
    frame.to_csv(folder.path(SUBMISSION), index=False, lineterminator="\n")
    everything = {**base.predictions, **blended.predictions}
    oof = predictions.oof_predictions(data, everything, folds)
    _write_parquet(oof, folder.path(OOF))
    test = predictions.test_predictions(data, everything)
    _write_parquet(test, folder.path(TEST))


def _write_parquet(table: pd.DataFrame, path: Path) -> None:
    parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
