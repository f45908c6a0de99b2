"""A dataset is read, and what it asks is told: by the baseline's inference, or by who knows it."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

import signatures
from signatures import BundleError
from signatures.wording import quoted
from solvers.baseline.asked import UnclearError, Wanted
from solvers.baseline.files import Files, read_files, understand
from solvers.baseline.kinds import numbers
from solvers.baseline.metric import Told
from solvers.baseline.question import Question
from solvers.baseline.rows import Rows
from solvers.draft.errors import DraftError
from solvers.draft.understood import Understood, describe_all
from solvers.metrics import named as metric_called


def read(path: Path, wanted: Wanted, metric: str | None) -> Understood:
    """Read a dataset, and tell what is asked.

    Raises
    ------
    DraftError
        If it is a known task, or something that is `wanted` cannot be.
    BundleError
        If it cannot be read, or it cannot be told what is asked.
    """
    bundle = signatures.find(path)
    files = read_files(bundle)
    if metric is not None:
        files = replace(files, told=Told(metric, "as asked for"))
    if files.train is None or files.test is None:
        missing = "training" if files.train is None else "test"
        cure = "Name the tables train and test (csv, tsv, json, jsonl or parquet)"
        raise BundleError(str(path), f"holds no {missing} table", cure)
    _check_names(files.train, files.test, wanted)
    try:
        question, rows, how = _understand(files, wanted)
    except UnclearError as error:
        cure = "Say --target COLUMN, --id COLUMN or --metric NAME, or mend the tables"
        raise BundleError(str(path), f"gives no draft: {error}", cure) from error
    if metric is not None:
        question = _judged_by(question, metric, files)
    return describe_all(bundle, files, question, rows, how)


def _check_names(train: pd.DataFrame, test: pd.DataFrame, wanted: Wanted) -> None:
    """See that the columns that are named are where they have to be."""
    for name in wanted.targets:
        if name not in train:
            found = quoted([str(c) for c in train.columns])
            raise DraftError(
                problem=f"train has no column {name!r}", next=f"--target takes one of {found}"
            )
    if wanted.id is not None and (wanted.id not in train or wanted.id not in test):
        shared = quoted([str(c) for c in test.columns if c in train])
        raise DraftError(
            problem=f"there is no column {wanted.id!r} that train and test share",
            next=f"--id takes one of {shared}",
        )
    if wanted.id in wanted.targets:
        raise DraftError(
            problem=f"{wanted.id!r} cannot be both id and target", next="Name two columns"
        )


def _understand(files: Files, wanted: Wanted) -> tuple[Question, Rows, str]:
    """Tell what is asked; where no column is called an id, one that is unique is taken for it."""
    question, rows = understand(files, wanted)
    if wanted.id not in {None, question.asked.id}:
        msg = f"the sample submission does not name the rows of test by {wanted.id!r}"
        raise UnclearError(msg)
    if question.asked.id is not None:
        how = "as asked for" if wanted.id else "by its name, or the sample's"
        return question, rows, how
    if files.sample is not None:
        msg = "no column of the sample submission names the rows of test"
        raise UnclearError(msg)
    train, test = files.train, question.asked.test
    assert train is not None
    for name in (str(c) for c in test.columns):
        if name in train and _names_rows(pd.concat([train[name], test[name]])):
            question, rows = understand(files, replace(wanted, id=name))
            return question, rows, "each of its values occurs once"
    msg = "no column that train and test share has another value in each row, to name rows by"
    raise UnclearError(msg)


def _names_rows(values: pd.Series) -> bool:
    """Tell whole numbers and words that differ from measured numbers that do."""
    read = numbers(values)
    return bool(values.notna().all() and values.is_unique and not (read % 1 > 0).any())


def _judged_by(question: Question, metric: str, files: Files) -> Question:
    """See that the metric is the one that is wanted."""
    if question.metric.name == metric:
        return question
    classes = all(target.labels for target in question.targets)
    alone = classes and len(question.targets) == 1 and files.sample is None
    if metric == "log_loss" and alone:  # each class has a column
        return replace(question, metric=metric_called(metric), labels=False, why="as asked for")
    (name, *_), asked = question.asked.answers, question.targets[0]
    held = f"{len(asked.labels)} classes" if asked.labels else "numbers"
    raise DraftError(
        problem=f"The metric {metric} does not go with the target {name!r}, which holds {held}"
        + (" (or with what the sample submission holds)" if files.sample is not None else ""),
        next=f"Leave --metric out: {question.metric.name} would be used",
    )
