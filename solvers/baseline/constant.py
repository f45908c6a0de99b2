"""The best constant by metric: the answer where there is nothing to learn from."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from solvers.baseline.kinds import numbers
from solvers.baseline.question import UnclearError


def constant(
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    metric: str | None,
) -> tuple[pd.DataFrame, str]:
    """Answer every row alike: by what suits the metric where train says it, else as the sample.

    Returns
    -------
    frame : DataFrame
        A submission, of text.
    words : str
        What was answered, for the record.

    Raises
    ------
    UnclearError
        If there is neither a sample nor a test with an id to answer.
    """
    frame = _empty(train, test) if sample is None else sample.copy()
    asked = [c for c in frame.columns if test is None or c not in test.columns]
    asked = [c for c in asked if len(asked) < len(frame.columns) or c != frame.columns[0]]
    answers = {name: _best(name, asked, train, metric) for name in asked}
    for name, answer in answers.items():
        if answer is not None:
            frame[name] = answer
    known = [name for name, answer in answers.items() if answer is not None]
    told = ", ".join(f"{name} = {answers[name]}" for name in known[:3])
    if not known:
        return frame, "the sample's own values: train does not tell what they should be"
    return frame, f"the best constant in train, {told}{', ...' if len(known) > 3 else ''}"


def _empty(train: pd.DataFrame | None, test: pd.DataFrame | None) -> pd.DataFrame:
    """Take the form from train and test."""
    if train is None or test is None or not len(test.columns):
        msg = "there is neither a sample submission nor a train and a test table"
        raise UnclearError(msg)
    answers = [name for name in train.columns if name not in test.columns]
    if not answers:
        msg = "train has no column that test lacks, and there is no sample submission"
        raise UnclearError(msg)
    id_ = next((c for c in test if c in train and test[c].is_unique), test.columns[0])
    return pd.DataFrame({id_: test[id_]}).assign(**dict.fromkeys(map(str, answers)))


def _best(
    name: str, asked: Sequence[str], train: pd.DataFrame | None, metric: str | None
) -> str | None:
    """Find the constant for one column; None where train does not tell."""
    if train is None:
        return None
    if name in train.columns and train[name].notna().any():
        return _of_values(train[name].dropna(), metric)
    for column in train.columns:  # one column for each class: its share
        values = train[column].dropna().astype(str)
        if len(values) and set(values) <= set(asked):
            return repr(float((values == name).mean()))
    return None


def _of_values(known: pd.Series, metric: str | None) -> str:
    read = numbers(known)
    if np.isnan(read).any() or metric == "accuracy":
        counts = known.value_counts()
        return str(min(counts[counts == counts.max()].index))
    if metric == "rmsle" and (read >= 0).all():
        return repr(float(np.expm1(np.log1p(read).mean())))
    if metric == "rmse_log" and (read > 0).all():
        return repr(float(np.exp(np.log(read).mean())))
    return repr(float(read.mean()))
