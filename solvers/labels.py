"""Targets, and parts of one, read from the text of the train table."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from solvers import contract
from solvers.contract import FLAGS
from solvers.target import Array, Target

_NUMBERS = {
    "identity": "a number",
    "log1p": "a number of 0 or more",
    "log": "a number above 0",
}


def read_target(train: pd.DataFrame, target: Target) -> tuple[Array, list[str]]:
    """Turn one target's text into class indexes or numbers, with sentences for what cannot be."""
    if target.name not in train.columns:
        return np.empty(0), [contract.absent_column("train", target.name, train)]
    column = train[target.name]
    if target.kind == "regression":
        y = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
        bad = ~np.isfinite(y) | (y < target.least)
        expected = _NUMBERS[target.link]
    else:
        classes = [_class_of(text, target.labels) for text in column]
        y = np.array([np.nan if index is None else index for index in classes], dtype=np.float64)
        bad = np.isnan(y)
        expected = f"one of {', '.join(target.labels)}"
    if not bad.any():
        return y, []
    positions = np.flatnonzero(bad).tolist()
    return y, [contract.sentence("train", target.name, positions, column, expected)]


def _class_of(text: str | None, labels: tuple[str, ...]) -> int | None:
    """Find a label as written, in another case, or as another way to write a flag."""
    if text is None:
        return None
    if text in labels:
        return labels.index(text)
    folded = {label.casefold(): index for index, label in enumerate(labels)}
    if labels == ("False", "True"):
        folded |= {word: int(flag) for word, flag in FLAGS.items()}
    return folded.get(text.strip().casefold())


def read_parts(
    train: pd.DataFrame, parts: Sequence[str], target: Target, y: Array
) -> tuple[Array, list[str]]:
    """Turn the parts of a target into numbers, with sentences for what cannot be.

    Parameters
    ----------
    parts : sequence of str
        The columns that add up to the target.
    y : ndarray of shape (n_rows,)
        The target; NaN where it could not be read, which is told elsewhere.

    Returns
    -------
    numbers : ndarray of shape (n_rows, n_parts)
    failures : list of str
    """
    read = [read_target(train, Target(name, link=target.link)) for name in parts]
    failures = [failure for _, problems in read for failure in problems]
    if failures or len(y) != len(train):
        return np.empty((0, len(parts))), failures
    numbers = np.column_stack([part for part, _ in read])
    wrong = np.isfinite(y) & ~np.isclose(numbers.sum(axis=1), y)
    if wrong.any():
        where, expected = np.flatnonzero(wrong).tolist(), f"the sum of {' and '.join(parts)}"
        failures = [contract.sentence("train", target.name, where, train[target.name], expected)]
    return numbers, failures
