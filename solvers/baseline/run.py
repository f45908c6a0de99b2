"""A run of the baseline: read, ask, solve; or answer a constant and say why."""

from typing import Any

import signatures
from signatures import SubmissionError
from solvers import pipeline, record
from solvers.baseline.asked import UnclearError
from solvers.baseline.files import best_constant, read_files, understand
from solvers.baseline.models import profile_for, recipe_for
from solvers.baseline.question import Question
from solvers.baseline.rows import Rows
from solvers.inputs import of_inputs
from solvers.job import Job
from solvers.request import same_input
from solvers.run_folder import SUBMISSION, RunFolder
from solvers.stacked import Problem
from solvers.workers import Workers

CODE = "solvers.baseline:run_baseline"


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
        files = read_files(bundle)
    try:
        with job.log.stage("infer") as details:
            question, rows = understand(files)
            details["note"] = "; ".join(question.notes)
        parts = pipeline.run(job, _problem(job, question, rows), folder, workers)
        inferred = {"answered_by": "models", "notes": list(question.notes), "columns": rows.kinds}
    except (UnclearError, SubmissionError) as error:
        with job.log.stage("constant") as details:
            frame, words = best_constant(files)
            frame.to_csv(folder.path(SUBMISSION), index=False, lineterminator="\n")
            details["note"] = words
        inferred = {"answered_by": "constant", "notes": [f"{error}", words], "columns": {}}
        parts = {}
    return {"input": found, "inferred": inferred, **parts}


def _problem(job: Job, question: Question, rows: Rows) -> Problem:
    """Make of what was understood what the pipeline takes."""
    profile = profile_for(job.profile, rows.data, rows.used)
    code = record.sha256_of_code(CODE)
    return Problem(rows.data, recipe_for(rows), question.metric, profile, code)
