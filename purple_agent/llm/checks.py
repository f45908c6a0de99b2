"""Checks what a model wrote, by our own code: its word for it counts for nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from purple_agent.llm.task import OOF, ROW, Task
from signatures import BundleError, SubmissionError, read_header
from solvers import submission
from solvers.grading.answers import file_member
from solvers.grading.values import TRUTH, as_numbers
from solvers.tables import read_table

WIDEST = 5000  # columns of a submission whose form is not known
SHOWN = 20
Kind = Literal["truth", "number", "text"]


def check_submission(path: Path, task: Task) -> None:
    """Refuse what a grader would refuse, and what was not learned from the data.

    Raises
    ------
    SubmissionError
        With a sentence for each thing that is wrong.
    """
    _check_columns(path, task)
    submission.check_file(path, task.bundle)
    frame = _read(path)
    if frame.shape[1] < 2 or frame.empty:
        raise SubmissionError(["expected an id and at least one prediction in each row."])
    answers = frame.drop(columns=frame.columns[0])
    if task.sample is None and (failures := _other_ids(frame, task)):
        raise SubmissionError(failures)
    failures = _value_failures(answers, task) or submission.constant_failures(answers)
    if task.has_sample and task.sample is not None and _same(frame, task.sample):
        failures.append("it says what the sample submission says, in other words.")
    if failures:
        raise SubmissionError(failures)


def check_out_of_fold(path: Path, task: Task) -> None:
    """Refuse out-of-fold predictions that are not one for each row that has a fold.

    Raises
    ------
    SubmissionError
        With a sentence for each thing that is wrong.
    """
    frame = _read(path)
    expected = {ROW, *task.targets} if task.targets else set(frame.columns) | {ROW}
    if set(frame.columns) != expected:
        found = ", ".join(map(str, frame.columns))
        wanted = ", ".join([ROW, *task.targets])
        raise SubmissionError([f"{OOF}: expected the columns {wanted}; found {found}."])
    wanted_rows = [str(row) for row in task.rows]
    failures = submission.id_failures(list(frame[ROW]), wanted_rows, OOF, "the folds' rows")
    failures += _value_failures(frame.drop(columns=ROW), task)
    if failures:
        raise SubmissionError(failures)


def _check_columns(path: Path, task: Task) -> None:
    """Refuse a table by its header: to read a very wide one takes pandas hours."""
    try:
        columns = list(read_header(file_member(path)).columns)
    except BundleError as error:
        raise SubmissionError([f"{path.name} {error.problem}"]) from error
    expected = list(task.sample.columns) if task.sample is not None else columns[:WIDEST]
    if columns != expected:
        found, wanted = ", ".join(columns[:SHOWN]), ", ".join(expected[:SHOWN])
        count = f"{len(columns):,} columns: {found}"
        raise SubmissionError([f"expected the columns {wanted}; found {count}."])


def _read(path: Path) -> pd.DataFrame:
    try:
        return read_table(file_member(path), missing=())
    except BundleError as error:
        raise SubmissionError([f"{path.name} {error.problem}"]) from error


def _other_ids(frame: pd.DataFrame, task: Task) -> list[str]:
    """Hold the ids against the test table's, where there is no sample that would name them."""
    name, table = frame.columns[0], task.test
    if table is None:
        return []
    if name not in table.columns:
        return [f"expected one of the test table's columns first; found {name!r}."]
    return submission.id_failures(
        list(frame[name]), [str(id_) for id_ in table[name]], "submission", "the test"
    )


def _value_failures(answers: pd.DataFrame, task: Task) -> list[str]:
    failures = []
    for name in answers.columns:
        values = answers[name].tolist()
        if any(value is None or value == "" for value in values):
            failures.append(f"{name}: there are empty values.")
        elif task.sample is not None and name in task.sample.columns:
            failures += _other_kind(name, values, task.sample[name].tolist(), task)
    return failures


def _other_kind(name: str, values: list[str], sample: list[str], task: Task) -> list[str]:
    """Hold values against the sample's: words where it has words, numbers where numbers."""
    wanted = _kind(sample)
    if wanted == "truth":
        odd = [value for value in values if value.lower() not in TRUTH]
        return _odd(name, "True or False", odd)
    if wanted == "number":
        numbers = as_numbers(values)
        if numbers is None or _kind(values) == "truth":
            odd = [value for value in values if _kind([value]) != "number"]
            return _odd(name, "numbers, as in the sample", odd)
        finite = np.isfinite(numbers)
        odd = [value for value, fine in zip(values, finite, strict=True) if not fine]
        return _odd(name, "finite numbers", odd)
    known = task.labels.get(name)
    if known is None:
        return []
    return _odd(name, "labels of the training table", sorted(set(values) - known - set(sample)))


def _odd(name: str, expected: str, odd: Sequence[str]) -> list[str]:
    if not odd:
        return []
    examples = ", ".join(repr(value[:40]) for value in odd[:3])
    return [f"{name}: expected {expected}; found {examples}."]


def _kind(values: Sequence[str]) -> Kind:
    if all(value.lower() in TRUTH for value in values):
        return "truth"
    return "number" if as_numbers(values) is not None else "text"


def _same(frame: pd.DataFrame, sample: pd.DataFrame) -> bool:
    """Tell whether two tables say the same of each id, in any order and notation."""
    return _statements(frame) == _statements(sample)


def _statements(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    columns = [frame[frame.columns[0]].tolist()]
    for name in frame.columns[1:]:
        texts = frame[name].tolist()
        columns.append(as_numbers(texts) or texts)
    return sorted(zip(*columns, strict=True), key=lambda row: str(row[0]))
