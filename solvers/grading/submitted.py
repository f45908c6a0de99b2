"""The submission: what it predicts, or all that makes it invalid."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from signatures import BundleError, Member, read_header
from signatures.folder import FolderSource
from signatures.reading import reading
from signatures.wording import counted, quoted
from solvers.grading.alignment import align
from solvers.grading.answers import Answers
from solvers.grading.columns import decisions, numbers
from solvers.tables import read_table
from solvers.target import Array


@dataclass(frozen=True)
class Submitted:
    """A submission as the metric takes it.

    Attributes
    ----------
    exists : bool
        Whether there is a file of that name, and the name ends in ``.csv``.
    failures : tuple of str
        A sentence for each thing that makes it invalid.
    notes : tuple of str
        Sentences about what is valid and may not be meant.
    predictions : tuple of ndarray of shape (n_rows, n_outputs)
        One per target, in the order of the answers; for accuracy the index of the class that was
        decided for, -1 where the task has no such class. Empty if invalid.
    """

    exists: bool
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    predictions: tuple[Array, ...] = ()


def read_submission(path: str | Path, answers: Answers) -> Submitted:
    """Read and check a submission; whatever is wrong with it is told and not raised."""
    path = Path(path)
    try:
        if problem := _no_file(path):
            return Submitted(False, (f"submission: {problem}",))
    except BundleError as error:
        return Submitted(False, (f"submission: {error}",))
    named = path.suffix.lower() == ".csv"
    failures = [] if named else [f"the name {path.name!r} does not end in .csv, as graders want"]
    member = Member("submission.csv", FolderSource(str(path)))
    try:
        header = read_header(member)
        if header.delimiter != "," and len(header.columns) > 1:
            found = f"its fields are separated by {header.delimiter!r}, expected commas"
            failures.append(found)
        table = read_table(member, missing=())
    except BundleError as error:
        # What is called otherwise may be anything.
        failures += [str(error)] if named else []
        return Submitted(named, tuple(f"submission: {failure}" for failure in failures))
    told = [f"submission: {failure}." for failure in failures]
    return replace(_check(table, answers, told), exists=named)


def _no_file(path: Path) -> str:
    with reading(str(path)):
        if not path.exists():
            return f"{str(path)!r} is not there, expected a csv file."
        if not path.is_file():
            return f"{str(path)!r} is a folder or no plain file, expected a csv file."
    return ""


def _check(table: pd.DataFrame, answers: Answers, told: Sequence[str]) -> Submitted:
    """Check columns, ids and values, each as far as the others let it; `told` is wrong already."""
    form = answers.form
    failures = [*told, *_column_failures(table, answers)]
    if len(table) == 0:
        expected = counted(len(form.ids), "row")
        failures.append(f"submission: expected {expected}, found a header only.")
        return Submitted(True, tuple(failures))
    order, notes = np.arange(len(table)), list[str]()
    if form.id in table:
        by_order = answers.signature.aligned == "order"
        order, problems, notes = align(table, form, by_order=by_order)
        failures += problems
    read = decisions if answers.signature.metric.name == "accuracy" else numbers
    predictions, problems, remarks = read(table, answers)
    failures += problems
    if failures:
        return Submitted(True, tuple(failures))
    aligned = tuple(prediction[order] for prediction in predictions)
    notes += remarks + _unread(table, answers) + _constant(aligned)
    return Submitted(True, (), tuple(notes), aligned)


def _one_column_each(answers: Answers) -> bool:
    """Tell whether each class has a column of its own."""
    return answers.form.columns[1:] != answers.signature.target


def _column_failures(table: pd.DataFrame, answers: Answers) -> list[str]:
    expected, found = answers.form.columns, tuple(table.columns)
    failures = []
    if absent := [name for name in expected if name not in found]:
        failures.append(
            f"submission: {counted(len(absent), 'column')} missing ({quoted(absent)}); "
            f"found {quoted(found)}."
        )
    if _one_column_each(answers):
        if strange := [name for name in found if name not in expected]:
            failures.append(
                f"submission: {counted(len(strange), 'column')} too many ({quoted(strange)}); "
                "expected the id and one column for each class."
            )
        if answers.form.id in found and found[0] != answers.form.id:
            # Of the graders for such tasks, one takes all columns but the first for classes.
            failures.append(
                f"submission: the first column is {found[0]!r}, expected the id "
                f"{answers.form.id!r} there."
            )
    return failures


def _unread(table: pd.DataFrame, answers: Answers) -> list[str]:
    unread = [name for name in table.columns if name not in answers.form.columns]
    return [f"not read: {counted(len(unread), 'column')} ({quoted(unread)})."] if unread else []


def _constant(predictions: tuple[Array, ...]) -> list[str]:
    together = np.hstack(predictions)
    if len(together) > 1 and (together == together[0]).all():
        return [f"all {len(together)} rows say the same: nothing was learned."]
    return []
