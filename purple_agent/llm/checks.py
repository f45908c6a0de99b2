"""Checks what a model wrote, by our own code: its word for it counts for nothing."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from purple_agent.llm.task import Task
from signatures import BundleError, SubmissionError, read_header
from signatures.signature import MISSING
from solvers import submission
from solvers.foreign_submission import check_like
from solvers.grading.answers import file_member
from solvers.grading.values import TRUTH, as_numbers
from solvers.sample_keys import Keys
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
    frame, keys = _read(path), task.keys
    if task.sample is not None:
        check_like(frame, task.sample, keys)
    else:
        keys = replace(keys, id=_id_of_no_sample(frame, task))
        if failures := _other_ids(frame, keys.id, task):
            raise SubmissionError(failures)
    answers = frame.drop(columns=[c for c in (keys.id, *keys.repeated) if c is not None])
    if answers.empty:
        raise SubmissionError(["expected at least one prediction in each row, beside any id."])
    failures = _value_failures(answers, task) or submission.constant_failures(answers)
    if task.sample is not None:
        failures += _not_repeated(frame, task.sample, keys)
        if task.has_sample and _same(frame, task.sample, keys):
            failures.append("it says what the sample submission says, in other words.")
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


def _id_of_no_sample(frame: pd.DataFrame, task: Task) -> str | None:
    """Choose the column that names a row where nothing gives the form: the known id, or the first.

    There is none where the rows are known to have no names and test has no such column either.
    """
    if task.keys.id in frame.columns:
        return task.keys.id
    first = str(frame.columns[0])
    unnamed = task.question is not None and task.keys.id is None
    if unnamed and frame.shape[1] == len(task.predicted):
        return None
    return first


def _other_ids(frame: pd.DataFrame, name: str | None, task: Task) -> list[str]:
    """Hold the ids against the test table's, where there is no sample that would name them."""
    table = task.test
    if table is None:
        return []
    if name in table.columns:
        return submission.id_failures(
            list(frame[name]), [str(id_) for id_ in table[name]], "submission", "the test"
        )
    if task.question is None or task.keys.id is not None:
        return [f"expected one of the test table's columns first; found {name!r}."]
    if len(frame) != len(table):
        return [f"it has {len(frame):,} rows, and the test table {len(table):,}."]
    return []


def _not_repeated(frame: pd.DataFrame, sample: pd.DataFrame, keys: Keys) -> list[str]:
    """Hold the columns that repeat the test table's against the sample's, row by row."""
    if not keys.repeated:
        return []
    columns = [c for c in (keys.id, *keys.repeated) if c is not None]
    if _statements(frame, columns, keys) == _statements(sample, columns, keys):
        return []
    named = ", ".join(keys.repeated[:5])
    return [f"{named}: expected the values that the sample has in that row."]


def _value_failures(answers: pd.DataFrame, task: Task) -> list[str]:
    failures = []
    for name in answers.columns:
        values = answers[name].tolist()
        if any(value is None or value == "" for value in values):
            failures.append(f"{name}: there are empty values.")
        elif task.sample is not None and name in task.sample.columns:
            shown = [value for value in task.sample[name] if value]
            # A sample may be empty where the answers go.
            if like := shown or sorted(task.labels.get(name, frozenset()) - set(MISSING)):
                failures += _other_kind(name, values, like, task)
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


def _same(frame: pd.DataFrame, sample: pd.DataFrame, keys: Keys) -> bool:
    """Tell whether two tables say the same of each id, in any order and notation."""
    columns = list(map(str, sample.columns))
    return _statements(frame, columns, keys) == _statements(sample, columns, keys)


def _statements(frame: pd.DataFrame, names: Sequence[str], keys: Keys) -> list[tuple[object, ...]]:
    columns = []
    for name in names:
        texts = frame[name].tolist()
        columns.append(texts if name == keys.id else as_numbers(texts) or texts)
    rows = list(zip(*columns, strict=True))
    return rows if keys.id is None else sorted(rows, key=lambda row: list(map(str, row)))
