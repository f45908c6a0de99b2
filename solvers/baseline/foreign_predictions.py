"""Predictions that another made for rows held back from it: read, or refused with the reason."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from signatures import BundleError, SubmissionError, read_header
from solvers import submission
from solvers.baseline.question import Question
from solvers.grading.answers import file_member
from solvers.submission import Form
from solvers.tables import read_table
from solvers.target import Array, Target

ROW = "held_back_row"  # names a row that is held back: data may well have a column "row"


def asked(question: Question) -> list[str]:
    """Return the columns of a submission that are predicted, in its order."""
    target, *_ = question.targets
    names = set(target.labels) if question.asked.classes else {t.name for t in question.targets}
    return [name for name in question.asked.columns if name in names]


def read_predictions(path: Path, question: Question, form: Form, n_rows: int) -> list[Array]:
    """Read a csv file of predictions as `solvers.metrics.score` takes them, by target.

    Parameters
    ----------
    form : Form
        Of the submission, for how it spells labels.
    n_rows : int
        How many rows are held back; `ROW` numbers them from 0.

    Raises
    ------
    SubmissionError
        If a row or a column is missing, or an answer is not what a submission may hold.
    """
    member, wanted = file_member(path), [ROW, *asked(question)]
    try:
        columns = list(read_header(member).columns)
        if sorted(columns) != sorted(wanted):
            told = f"expected the columns {', '.join(wanted)}"
            raise SubmissionError([f"{path.name}: {told}; found {', '.join(columns[:20])}"])
        table = read_table(member, missing=())  # NA may be a class
    except BundleError as error:
        raise SubmissionError([f"{path.name} {error.problem}"]) from error
    rows = [str(number) for number in range(n_rows)]
    ids = ["" if name is None else name for name in table[ROW]]
    if failures := submission.id_failures(ids, rows, path.name, "the rows held back"):
        raise SubmissionError(failures)
    ordered = table.set_axis(ids).reindex(rows)
    return [_read_one(ordered, target, question, form) for target in question.targets]


def _read_one(table: pd.DataFrame, target: Target, question: Question, form: Form) -> Array:
    if question.labels:
        return _certain(target, form.spelling[target.name], table[target.name])
    if question.asked.classes:
        shares = _numbers(table[list(target.labels)])
        whole = np.maximum(shares.sum(axis=1, keepdims=True), 1e-15)
        return np.asarray(shares[:, 1:] / whole if target.kind == "binary" else shares / whole)
    return linked(target, _numbers(table[[target.name]]))


def linked(target: Target, values: Array) -> Array:
    """Turn numbers into those that models see; probabilities stay as they are."""
    if target.kind == "regression":
        return target.to_link(np.maximum(values, target.least))
    return values


def _numbers(answers: pd.DataFrame) -> Array:
    read: Array = np.column_stack([pd.to_numeric(answers[c], errors="coerce") for c in answers])
    if not np.isfinite(read).all():
        raise SubmissionError([f"{', '.join(map(str, answers))}: expected numbers, none missing"])
    return read


def _certain(target: Target, spelling: Sequence[str], words: pd.Series) -> Array:
    """Turn labels into certainties."""
    index = np.array([spelling.index(w) if w in spelling else -1 for w in words], dtype=np.intp)
    if (index < 0).any():
        raise SubmissionError([f"{target.name}: expected {', '.join(spelling)}; found other words"])
    certain: Array = np.eye(len(spelling))[index]
    return certain[:, 1:] if target.kind == "binary" else certain
