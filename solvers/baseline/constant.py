"""The best constant by metric: the answer where there is nothing to learn from."""

import numpy as np
import pandas as pd

from solvers.baseline.asked import Asked, UnclearError, read_asked
from solvers.baseline.kinds import numbers
from solvers.baseline.metric import Told
from solvers.baseline.question import Question, ask
from solvers.intake import Tables
from solvers.target import Target


def constant(
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    told: Told,
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
    if sample is None and (train is None or test is None):
        msg = "there is neither a sample submission nor a train and a test table"
        raise UnclearError(msg)
    if train is None:
        return _as_it_is(sample)
    rows = test if test is not None else rows_of(sample)
    assert rows is not None
    tables = Tables(train, rows, sample)
    try:
        asked, best = _best_of_all(tables, told)
    except UnclearError:
        if sample is None:
            raise
        return _as_it_is(sample)
    frame = _form(asked, sample).copy()
    for name, value in best.items():
        frame[name] = value
    told_of = ", ".join(f"{name} = {value}" for name, value in list(best.items())[:3])
    return frame, f"the best constant in train, {told_of}{', ...' if len(best) > 3 else ''}"


def rows_of(sample: pd.DataFrame | None) -> pd.DataFrame | None:
    """Stand in for a test table that is not there: a sample's ids are all that is known of it."""
    return None if sample is None else sample.iloc[:, :1]


def _as_it_is(sample: pd.DataFrame | None) -> tuple[pd.DataFrame, str]:
    assert sample is not None
    return sample, "the sample's own values: train does not tell what they should be"


def _best_of_all(tables: Tables, told: Told) -> tuple[Asked, dict[str, str]]:
    """Find the constant of each column that is asked for; the commonest where no metric fits."""
    best: dict[str, str] = {}
    try:
        question = ask(tables, told)
    except UnclearError:
        asked = read_asked(tables)
        for column, shown in asked.answers.items():
            best[shown] = _mode(tables.train[column].dropna())
        return asked, best
    for column, target in zip(question.asked.answers, question.targets, strict=True):
        best |= _best(tables.train[column].dropna(), target, question)
    return question.asked, best


def _form(asked: Asked, sample: pd.DataFrame | None) -> pd.DataFrame:
    """Take the form from the sample, or from what is asked."""
    if sample is not None:
        return sample
    first = asked.columns[0]
    names = asked.test[first].tolist() if first == asked.id else list(asked.carried[first])
    return pd.DataFrame({first: names, **{name: "" for name in asked.columns[1:]}})


def _best(known: pd.Series, target: Target, question: Question) -> dict[str, str]:
    """Find the constants of one target, by column of the submission."""
    if question.asked.classes:
        shares = known.map(question.asked.classes).value_counts(normalize=True)
        return {column: repr(float(shares.get(column, 0.0))) for column in target.labels}
    if question.labels:
        return {target.name: _mode(known)}
    if target.labels:
        return {target.name: repr(float((known == target.labels[1]).mean()))}
    read = numbers(known)
    linked = target.to_link(read[np.isfinite(read)])
    return {target.name: repr(float(target.from_link(np.array([linked.mean()]))[0]))}


def _mode(known: pd.Series) -> str:
    counts = known.value_counts()
    if not len(counts):
        msg = "train has no answers"
        raise UnclearError(msg)
    return str(min(counts[counts == counts.max()].index))
