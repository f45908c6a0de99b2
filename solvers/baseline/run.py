"""A run of the baseline: look, ask, solve; or answer a constant and say why."""

from typing import Any

import pandas as pd

import signatures
from signatures import Bundle, Member, SubmissionError, UnknownTaskError
from signatures.signature import MISSING
from solvers import pipeline, record
from solvers.baseline.constant import constant
from solvers.baseline.metric import metric_in
from solvers.baseline.models import models, profile_for
from solvers.baseline.question import Question, UnclearError, ask
from solvers.baseline.rows import dataset
from solvers.baseline.views import Views
from solvers.inputs import of_inputs
from solvers.intake import Tables
from solvers.job import Job
from solvers.pipeline import Problem
from solvers.request import same_input
from solvers.run_folder import SUBMISSION, RunFolder
from solvers.solver import Recipe
from solvers.tables import read_table
from solvers.workers import Workers

CODE = "solvers.baseline:run_baseline"
_DESCRIPTION_CHARACTERS = 1_000_000


def run_baseline(
    job: Job, folder: RunFolder, workers: Workers, task: str | None = None
) -> dict[str, Any]:
    """Answer a dataset that no solver takes, and return the record's parts.

    Parameters
    ----------
    task : str, optional
        The known task that the data seemed to be.

    Raises
    ------
    BundleError
        If the data cannot be read.
    UnknownTaskError
        If there is nothing from which even the form of an answer could be told.
    """
    with job.log.stage("read"):
        bundle = signatures.find(job.path)
        found = of_inputs(bundle, task)
        same_input(folder.path(""), found["files"])
        train, test, sample = (_read(m) for m in (bundle.train, bundle.test, bundle.sample))
        told = metric_in(_description(bundle))
    try:
        problem, inferred = _problem(job, train, test, sample, told)
        parts = pipeline.run(job, problem, folder, workers)
    except (UnclearError, SubmissionError) as error:
        with job.log.stage("constant") as details:
            frame, words = _constant(bundle, train, test, sample, told[0])
            frame.to_csv(folder.path(SUBMISSION), index=False, lineterminator="\n")
            details["note"] = words
        inferred = {"answered_by": "constant", "notes": [f"{error}", words], "columns": {}}
        parts = {}
    return {"input": found, "inferred": inferred, **parts}


def _read(member: Member | None) -> pd.DataFrame | None:
    return None if member is None else read_table(member, missing=MISSING)


def _description(bundle: Bundle) -> str:
    if bundle.description is None:
        return ""
    with bundle.description.open() as stream:
        return stream.read(_DESCRIPTION_CHARACTERS).decode("utf-8", errors="replace")


def _problem(
    job: Job,
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    told: tuple[str | None, str],
) -> tuple[Problem, dict[str, Any]]:
    """Make of tables what the pipeline takes, and tell what was inferred."""
    if train is None or test is None:
        msg = f"there is no {'training' if train is None else 'test'} table to learn from"
        raise UnclearError(msg)
    with job.log.stage("infer") as details:
        tables = Tables(train, test, sample)
        question = ask(tables, told)
        data, kinds = dataset(tables, question)
        details["note"] = "; ".join(question.notes)
    used = {name: kind for name, kind in kinds.items() if kind != "nothing"}
    recipe = Recipe(features=(Views(used),), models=models(data, used.values()))
    profile = profile_for(job.profile, data, used.values())
    problem = Problem(data, recipe, question.metric, profile, record.sha256_of_code(CODE))
    return problem, _inferred(question, dict(kinds))


def _inferred(question: Question, kinds: dict[str, Any]) -> dict[str, Any]:
    return {"answered_by": "models", "notes": list(question.notes), "columns": kinds}


def _constant(
    bundle: Bundle,
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    metric: str | None,
) -> tuple[pd.DataFrame, str]:
    try:
        return constant(train, test, sample, metric)
    except UnclearError as error:
        raise UnknownTaskError(str(bundle.path), f"no answer can be given, for {error}") from error
