"""The files of an unknown dataset, and what they are understood to ask."""

from dataclasses import dataclass, field

import pandas as pd

from signatures import Bundle, Member, UnknownTaskError
from solvers.baseline.asked import NOTHING_SAID, UnclearError, Wanted, read_asked
from solvers.baseline.constant import constant, rows_of
from solvers.baseline.metric import Told, metric_in
from solvers.baseline.question import Question, ask
from solvers.baseline.rows import Rows, dataset
from solvers.baseline.written import (
    Table,
    kept_words,
    one_spelling,
    spelled_in,
    with_words,
    without_missing,
)
from solvers.intake import Tables
from solvers.tables import read_table

_MOST_DESCRIPTION = 1_000_000  # bytes


@dataclass(frozen=True)
class Files:
    """The tables as text, as far as there are any, and the metric that the description names."""

    path: str
    train: Table = field(repr=False)
    test: Table = field(repr=False)
    sample: Table = field(repr=False)
    told: Told


def read_files(bundle: Bundle) -> Files:
    """Read them.

    Raises
    ------
    BundleError
        If a table breaks its format.
    """
    written = one_spelling(_read(bundle.train), _read(bundle.test), _read(bundle.sample))
    tables = _without_missing(*written)
    return Files(str(bundle.path), *tables, metric_in(_description(bundle)))


def _without_missing(train: Table, test: Table, sample: Table) -> tuple[Table, Table, Table]:
    """Put None for missing values, but for words that are names or classes here."""
    known = without_missing(train), without_missing(test), without_missing(sample)
    rows = known[1] if known[1] is not None else rows_of(known[2])
    if train is None or known[0] is None or rows is None:
        return known
    try:
        asked = read_asked(Tables(known[0], rows, known[2]))
    except UnclearError:
        return known
    kept = kept_words(asked, train, rows if test is None else test, sample)
    return (
        with_words(known[0], train, kept),
        with_words(known[1], test, kept),
        with_words(known[2], sample, kept),
    )


def _read(member: Member | None) -> Table:
    return None if member is None else read_table(member, missing=())


def _description(bundle: Bundle) -> str:
    if bundle.description is None:
        return ""
    with bundle.description.open() as stream:
        return stream.read(_MOST_DESCRIPTION).decode("utf-8", errors="replace")


def understand(files: Files, wanted: Wanted = NOTHING_SAID) -> tuple[Question, Rows]:
    """Tell what is asked, as far as it is not `wanted` already, and make the rows ready.

    Raises
    ------
    UnclearError
        If it cannot be told, or there is nothing to learn from.
    """
    if files.train is None or files.test is None:
        msg = f"there is no {'training' if files.train is None else 'test'} table to learn from"
        raise UnclearError(msg)
    tables = Tables(files.train, files.test, files.sample)
    wanted = Wanted(
        None if wanted.id is None else spelled_in(files.test, wanted.id),
        tuple(spelled_in(files.train, name) for name in wanted.targets),
    )
    question = ask(tables, files.told, wanted)
    return question, dataset(tables, question)


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
