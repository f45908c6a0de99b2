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
    for target in answers.targets:
        if target.name not in table:
            continue
        texts = table[target.name].tolist()
        known = [text for text in texts if text not in MISSING]
        told = [_missing(texts, row_names(table, answers)), _no_labels(known, target.labels)]
        if problems := [problem for problem in told if problem]:
            failures += [f"submission: {target.name}: {problem}" for problem in problems]
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
    ids = row_names(table, answers)
    wanted = [name for name in answers.form.columns if name != answers.form.id]
    columns, failures = [], []
    for name in wanted:
        if name not in table:
            continue
        values, problems = _read_numbers(table[name].tolist(), ids, answers)
        failures += [f"submission: {name}: {problem}" for problem in problems]
        columns.append(values)
    if len(wanted) > len(answers.targets):
        together = np.column_stack(columns) if columns else np.empty((len(ids), 0))
        if len(columns) == len(wanted):
            failures += _sum_failures(together, ids)
        return [together], failures, []
    return [column[:, np.newaxis] for column in columns], failures, []


def row_names(table: pd.DataFrame, answers: Answers) -> list[str]:
    """Give the ids, or where that column is missing what rows can be called instead."""
    if answers.form.id in table:
        return [str(id_) for id_ in table[answers.form.id]]
    return [f"row {number}" for number in range(1, len(table) + 1)]


def _read_numbers(
    texts: Sequence[str], ids: Sequence[str], answers: Answers
) -> tuple[Array, list[str]]:
    """Read a column, NaN for what is missing or no number; and say all that is wrong with it."""
    places = [place for place, text in enumerate(texts) if text not in MISSING]
    known = [texts[place] for place in places]
    read = as_numbers(known)
    values = np.full(len(texts), np.nan)
    values[places] = (
        [float(text) if is_number(text) else np.nan for text in known] if read is None else read
    )
    told = [_missing(texts, ids)]
    if read is None:
        told.append(_no_numbers(known, [ids[place] for place in places]))
    told.append(_out_of_range(values, texts, ids, answers))
    return values, [problem for problem in told if problem]


def _sum_failures(probabilities: Array, ids: Sequence[str]) -> list[str]:
    """Say which rows of an array of shape ``(n_rows, n_classes)`` do not sum to one.

    Of rows that hold NaN or an infinity something else is wrong.
    """
    whole = np.asarray(np.isfinite(probabilities).all(axis=1), dtype=np.bool_)
    probabilities, ids = probabilities[whole], _where(whole, ids)
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


def _missing(texts: Sequence[str], ids: Sequence[str]) -> str:
    gone = [id_ for text, id_ in zip(texts, ids, strict=True) if text in MISSING]
    return f"{counted(len(gone), 'value')} missing, in {some(gone)}." if gone else ""


def _no_labels(texts: Sequence[str], labels: Sequence[str]) -> str:
    """Say why a column is none of labels, as scikit-learn would refuse it beside the answers."""
    expected = f"expected labels ({quoted(labels)})"
    if not texts:
        return ""
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
    odd = [(text, id_) for text, id_ in zip(texts, ids, strict=True) if not is_number(text)]
    return f"expected numbers, found {odd[0][0]!r} in {some([id_ for _, id_ in odd])}."


def _out_of_range(values: Array, texts: Sequence[str], ids: Sequence[str], answers: Answers) -> str:
    inside, expected = _range(values, answers)
    off = ~(inside & np.isfinite(values)) & ~np.isnan(values)  # NaN is told already
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
