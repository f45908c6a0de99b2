"""The values of a submission: what they say, or why they cannot be scored."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from signatures.wording import counted, quoted
from solvers.grading.answers import Answers
from solvers.grading.values import MISSING, as_labels, as_numbers, is_number
from solvers.submission import some
from solvers.target import Array

Read = tuple[list[Array], list[str], list[str]]  # predictions, failures, notes


def decisions(table: pd.DataFrame, answers: Answers) -> Read:
    """Read labels as class indices, -1 for a label that the task does not have."""
    predictions, failures, notes = [], [], []
    ids = table[answers.form.id].tolist()
    for target in answers.targets:
        texts = table[target.name].tolist()
        if problem := _missing(texts, ids, target.name) or _no_labels(texts, target.labels):
            failures.append(f"submission: {target.name}: {problem}")
            continue
        index = {label: number for number, label in enumerate(as_labels(target.labels))}
        values = as_labels(texts)
        if strange := [text for text, v in zip(texts, values, strict=True) if v not in index]:
            kinds = sorted(set(strange))
            notes.append(
                f"{target.name}: {counted(len(strange), 'row')} of no label of this task "
                f"({quoted(kinds)}); they count as wrong."
            )
        decided = [index.get(value, -1) for value in values]
        predictions.append(np.array(decided, dtype=np.float64)[:, np.newaxis])
    return predictions, failures, notes


def numbers(table: pd.DataFrame, answers: Answers) -> Read:
    """Read numbers: a column for each target, or for each class of the one target."""
    ids = table[answers.form.id].tolist()
    columns, failures = [], []
    for name in answers.form.columns:
        if name == answers.form.id:
            continue
        texts = table[name].tolist()
        problem = _missing(texts, ids, name) or _no_numbers(texts, ids)
        values = np.array([] if problem else as_numbers(texts), dtype=np.float64)
        if problem := problem or _out_of_range(values, texts, ids, answers):
            failures.append(f"submission: {name}: {problem}")
        columns.append(values)
    if failures:
        return [], failures, []
    if len(columns) > len(answers.targets):
        return [np.column_stack(columns)], [], []
    return [column[:, np.newaxis] for column in columns], [], []


def sum_failures(probabilities: Array, ids: Sequence[str]) -> list[str]:
    """Say which rows of an array of shape ``(n_rows, n_classes)`` do not sum to one."""
    sums = probabilities.sum(axis=1)
    # The graders name only the absolute tolerance; numpy's default for the other is in force too.
    off = ~np.isclose(sums, 1.0, rtol=1e-5, atol=1e-6)
    if not off.any():
        return []
    example = f"{sums[off][0]:.6g}"
    return [
        f"submission: {some(_where(off, ids))} with probabilities that do not sum to one, for "
        f"example to {example}; divide each row by its sum."
    ]


def _missing(texts: Sequence[str], ids: Sequence[str], name: str) -> str:
    gone = [id_ for text, id_ in zip(texts, ids, strict=True) if text in MISSING]
    return f"{counted(len(gone), 'value')} missing, in {some(gone)}." if gone else ""


def _no_labels(texts: Sequence[str], labels: Sequence[str]) -> str:
    """Say why a column is none of labels, as scikit-learn would refuse it beside the answers."""
    expected = f"expected labels ({quoted(labels)})"
    values = as_numbers(texts)
    if as_numbers(labels) is None:
        return "" if values is None else f"{expected}, found numbers such as {texts[0]!r}."
    if values is None:
        # A stray text turns the whole column into text, True and False into words.
        odd = sorted(set(texts) - set(labels)) or sorted(set(texts))
        return f"{expected}, found {quoted(odd)}."
    broken = [text for text, v in zip(texts, values, strict=True) if v % 1 != 0]
    if broken:
        return f"{expected}, found {counted(len(broken), 'number')} such as {broken[0]!r}."
    return ""


def _no_numbers(texts: Sequence[str], ids: Sequence[str]) -> str:
    if as_numbers(texts) is not None:
        return ""
    odd = [(text, id_) for text, id_ in zip(texts, ids, strict=True) if not is_number(text)]
    return f"expected numbers, found {odd[0][0]!r} in {some([id_ for _, id_ in odd])}."


def _out_of_range(values: Array, texts: Sequence[str], ids: Sequence[str], answers: Answers) -> str:
    inside, expected = _range(values, answers)
    off = ~(inside & np.isfinite(values))
    if not off.any():
        return ""
    example = texts[int(np.argmax(off))]
    return f"expected {expected}, found {example!r} in {some(_where(off, ids))}."


def _range(values: Array, answers: Answers) -> tuple[npt.NDArray[np.bool_], str]:
    """Tell which values the metric is defined for, and how to call these."""
    name = answers.signature.metric.name
    # A rank needs no probability; the graders ask for one all the same where there is one target.
    if name == "log_loss" or (name == "auc" and len(answers.targets) == 1):
        return (values >= 0) & (values <= 1), "probabilities from 0 to 1"
    if name == "rmsle":
        # Old versions of scikit-learn refuse all below 0, new ones all from -1 down.
        return values >= 0, "numbers of 0 or more, whose logarithm is taken"
    if name == "rmse_log":
        return values > 0, "numbers above 0, whose logarithm is taken"
    return np.ones(len(values), dtype=np.bool_), "finite numbers"


def _where(off: npt.NDArray[np.bool_], ids: Sequence[str]) -> list[str]:
    return [id_ for id_, is_off in zip(ids, off, strict=True) if is_off]
