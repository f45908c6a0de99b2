"""Tune a task's models: a study for each, and a verdict on folds that none of them saw."""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from signatures import KnownTaskError, Match
from solvers import environment
from solvers.checkpoints import Checkpoints
from solvers.files import refuse_another, write_whole
from solvers.log import Log
from solvers.models import Model
from solvers.models.ranges import Value, parameters_of, ranges_of, with_parameters
from solvers.parameters import MARK, load
from solvers.profiles import named
from solvers.seeds import seed_of
from solvers.solver import StackedSolver
from solvers.tuning.adoption import as_file, decide, write
from solvers.tuning.evaluation import Evaluation, code_sha256
from solvers.tuning.outcome import Found, Tuned
from solvers.tuning.study import VERSION, Study
from solvers.tuning.study_folder import FITS, JOURNAL, LOG, RESULT, StudyFolder
from solvers.tuning.telling import TrialEnd, TuningWatcher
from solvers.workers import Workers, checked, usable_cpus

__all__ = ["NothingToTuneError", "TrialEnd", "Tuned", "TuningWatcher", "tune"]


class NothingToTuneError(KnownTaskError, ValueError):
    """No model of a task declares a range."""

    fields = ("task",)

    def __init__(self, task: str) -> None:
        self.task = task
        super().__init__(f"{task!r} cannot be tuned: none of its models declares what may be.")


def tune(
    match: Match,
    *,
    trials: int,
    seed: int = 0,
    profile: str = "full",
    jobs: int | None = None,
    out: Path | None = None,
    file: Path | None = None,
    resume: bool = False,
    watcher: TuningWatcher | None = None,
) -> Tuned:
    """Look for better parameters of each base model, and adopt them where they are.

    Each model that declares ranges has a study of its own: its out-of-fold score on one cut into
    the solver's folds. Then what the solver hands in with all that was found is compared with what
    it hands in now, on fold seeds that no study saw. A run with the same seed sees neither cut.

    Parameters
    ----------
    match : Match
        The dataset and its task.
    trials : int
        For each model. The first is what the solver declares.
    out : Path, optional
        The folder of the studies; by default ``runs/tune/<task>/<profile>-s<seed>``.
    file : Path, optional
        Where parameters that are adopted are written; by default where the solver reads them.
    resume : bool
        Go on with the studies in the folder, also beyond the trials that were asked for at first.

    Raises
    ------
    NothingToTuneError, SameFoldsError
        If the task cannot be tuned.
    RunFolderError
        If the folder, or what lies there, cannot be used, or the parameters cannot be written.
    TaskRejectedError, BundleError
        If the data cannot be used.
    """
    if trials < 1:
        msg = f"there must be 1 trial or more, not {trials}"
        raise ValueError(msg)
    in_use = load(match.signature)
    declared: StackedSolver = match.signature.load_solver()
    if not any(ranges_of(model) for model in declared.models):
        raise NothingToTuneError(match.slug)
    target = in_use.path if file is None else file
    refuse_another(target, MARK.encode(), "--params")
    kept_in = out or Path("runs", "tune", match.slug, f"{profile}-s{seed}")
    log = Log(watcher)
    n_jobs = usable_cpus() if jobs is None else checked(jobs)
    with (
        StudyFolder(kept_in, Path(match.bundle.path), resume=resume) as folder,
        Workers(n_jobs) as workers,
    ):
        evaluation = Evaluation.of(
            match, declared, profile=named(profile), log=log, workers=workers
        )
        made_from = _made_from(match, evaluation, seed)
        folder.begin(made_from)
        with log.writing_to(folder.path(LOG)):
            studies = [model for model in declared.models if ranges_of(model)]
            found = [_study(m, evaluation, folder, trials, seed, watcher) for m in studies]
            best = {one.model: one.best.parameters for one in found}
            kept = Checkpoints(folder.path(FITS), made_from["solver's code"])
            verdict = decide(in_use.solver, best, evaluation, seed, kept)
            if verdict.adopted and verdict.comparison is not None:
                metric = evaluation.metric.name
                write(target, as_file(best, verdict.comparison, metric, made_from, trials))
        tuned = Tuned(
            match.slug, seed, trials, profile, evaluation.metric.name, tuple(found), verdict,
            folder.out, target if verdict.adopted else None,
        )  # fmt: skip
        write_whole(folder.path(RESULT), json.dumps(tuned.to_dict(), indent=2) + "\n")
    return tuned


def _made_from(match: Match, evaluation: Evaluation, seed: int) -> dict[str, Any]:
    """Name all that decides a trial, as a person would name it."""
    facts = environment.describe()
    return {
        "task": match.slug,
        "seed": seed,
        "profile": asdict(evaluation.profile),
        "data": evaluation.data_sha256(),
        "models": [repr(model) for model in evaluation.solver.models],
        "solver's code": code_sha256(match),
        "package's code": facts["code"]["sha256"],
        "versions": {"python": facts["python"], **facts["packages"], "optuna": VERSION},
        "machine": [facts[name] for name in ("implementation", "platform", "cpu", "blas")],
    }


def _study(
    model: Model,
    evaluation: Evaluation,
    folder: StudyFolder,
    trials: int,
    seed: int,
    watcher: TuningWatcher | None,
) -> Found:
    """Do the trials of one model that are missing."""
    study = Study(
        folder.path(JOURNAL), model.name, parameters_of(model), ranges_of(model),
        higher_is_better=evaluation.metric.higher_is_better, seed=seed,
    )  # fmt: skip
    cut = seed_of(seed, "study")

    def score(parameters: Mapping[str, Value]) -> float:
        return evaluation.score(with_parameters(model, parameters), cut)

    with evaluation.log.stage(model.name) as details:
        for trial in study.run(trials, score):
            best = study.best(trial.number + 1)
            evaluation.log.event(logging.DEBUG, "trial", model=model.name, **asdict(trial))
            if watcher is not None:
                watcher.trial_ends(TrialEnd(model.name, trial.number + 1, trials, best.score))
        found = Found(model.name, study.trials()[0].score, study.best(trials))
        details["note"] = (
            f"trial {found.best.number} of {trials}: {found.best.score:.5f}, "
            f"as declared {found.declared:.5f}"
        )
    return found
