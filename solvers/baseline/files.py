"""The files of an unknown dataset, and what they are understood to ask."""

from dataclasses import dataclass, field

import pandas as pd

from signatures import Bundle, Member, UnknownTaskError
from signatures.signature import MISSING
from solvers.baseline.asked import UnclearError
from solvers.baseline.constant import constant
from solvers.baseline.metric import metric_in
from solvers.baseline.question import Question, ask
from solvers.baseline.rows import Rows, dataset
from solvers.intake import Tables
from solvers.tables import read_table

_MOST_DESCRIPTION = 1_000_000  # bytes


@dataclass(frozen=True)
class Files:
    """The tables as text, as far as there are any, and the metric that the description names.

    `written` holds them again, with what stands for a missing value as it is written.
    """

    path: str
    train: pd.DataFrame | None = field(repr=False)
    test: pd.DataFrame | None = field(repr=False)
    sample: pd.DataFrame | None = field(repr=False)
    told: tuple[str | None, str]
    written: tuple[pd.DataFrame | None, ...] = field(default=(), repr=False)


def read_files(bundle: Bundle) -> Files:
    """Read them.

    Raises
    ------
    BundleError
        If a table breaks its format.
    """
    written = [_read(member) for member in (bundle.train, bundle.test, bundle.sample)]
    train, test, sample = (
        None if table is None else table.where(~table.isin(MISSING), None) for table in written
    )
    told = metric_in(_description(bundle))
    return Files(str(bundle.path), train, test, sample, told, tuple(written))


def _read(member: Member | None) -> pd.DataFrame | None:
    return None if member is None else read_table(member, missing=())


def _description(bundle: Bundle) -> str:
    if bundle.description is None:
        return ""
    with bundle.description.open() as stream:
        return stream.read(_MOST_DESCRIPTION).decode("utf-8", errors="replace")


def understand(files: Files) -> tuple[Question, Rows]:
    """Tell what is asked, and make the rows ready.

    Raises
    ------
    UnclearError
        If it cannot be told, or there is nothing to learn from.
    """
    if files.train is None or files.test is None:
        msg = f"there is no {'training' if files.train is None else 'test'} table to learn from"
        raise UnclearError(msg)
    tables = Tables(files.train, files.test, files.sample)
    question = ask(tables, files.told)
    if question.asked.id is not None and files.test[question.asked.id].isna().any():
        # NA may be the name of a row, of a country for one: names are taken as they are written.
        tables = _with_names(tables, files, question.asked.id)
        question = ask(tables, files.told)
    return question, dataset(tables, question)


def _with_names(tables: Tables, files: Files, id_: str) -> Tables:
    """Give tables whose ids are what the files hold."""
    train, test, sample = (
        table if table is None or written is None or id_ not in table
        else table.assign(**{id_: written[id_]})
        for table, written in zip(
            (tables.train, tables.test, tables.sample), files.written, strict=True
        )
    )  # fmt: skip
    assert train is not None
    assert test is not None
    return Tables(train, test, sample)


def best_constant(files: Files) -> tuple[pd.DataFrame, str]:
    """Answer every row alike: a submission, and what was answered.

    Raises
    ------
    UnknownTaskError
        If there is nothing from which even the form of an answer could be told.
    """
    try:
        return constant(files.train, files.test, files.sample, files.told)
    except UnclearError as error:
        cure = "Name the tables train and test, and a sample submission sample_submission"
        why = f"no answer can be given, for {error}"
        raise UnknownTaskError(files.path, why, next=cure) from error
