"""A submission that someone else wrote, held against the sample that it has to be like."""

import os
from pathlib import Path

import pandas as pd

from signatures import Bundle, BundleError, Member, SubmissionError, read_header
from signatures.folder import FolderSource
from signatures.wording import sentences
from solvers.sample_keys import Keys, keys_in
from solvers.submission import id_failures, other_columns
from solvers.tables import read_table


def keys_of(sample: pd.DataFrame, bundle: Bundle) -> Keys:
    """Tell the columns of a sample apart, by the test table where there is one.

    Where there is none, or it cannot be read, the first column names a row, unless it is alone.
    """
    first = str(sample.columns[0])
    alone = Keys(first if len(sample.columns) > 1 else None)
    if bundle.test is None:
        return alone
    try:
        in_test, in_train = _columns(bundle.test), _columns(bundle.train)
        if alone.id is not None and [name for name in sample if name in in_test] == [first]:
            return alone  # as nearly always: no need to read all of test
        return keys_in(sample, read_table(bundle.test, missing=()), in_train)
    except BundleError:  # a fallback may make more of such tables
        return alone


def _columns(member: Member | None) -> frozenset[str]:
    return frozenset() if member is None else frozenset(read_header(member).columns)


def check_file(path: str | Path, bundle: Bundle) -> None:
    """Hold the file of a fallback against the sample submission, if there is one.

    Raises
    ------
    SubmissionError
        If it is not a csv file, or has not the sample's columns and ids.
    """
    frame = _read(path)
    if bundle.sample is None:
        return
    sample = read_table(bundle.sample, missing=())
    check_like(frame, sample, keys_of(sample, bundle))


def _read(path: str | Path) -> pd.DataFrame:
    """Read a csv file as graders do, whatever it is called."""
    try:
        member = Member("submission.csv", FolderSource(os.fspath(path)))
        if read_header(member).delimiter != ",":
            msg = f"{str(path)!r} has fields that are not separated by commas"
            raise ValueError(msg)
        return read_table(member, missing=())
    except (BundleError, OSError, ValueError, TypeError) as error:
        problem = f"the fallback answered no csv file that can be read: {error}"
        raise SubmissionError([sentences([problem])]) from error


def check_like(frame: pd.DataFrame, sample: pd.DataFrame, keys: Keys) -> None:
    """Hold a table of texts against the sample's.

    Raises
    ------
    SubmissionError
        If it has not the sample's columns and ids, or says nothing.
    """
    if list(frame.columns) != list(sample.columns):
        raise SubmissionError([other_columns(frame, sample.columns)])
    if frame.astype(object).equals(sample.astype(object)):
        raise SubmissionError(["it is the sample submission, untouched."])
    if (frame.drop(columns=list(keys.repeated)) == "").any(axis=None):
        raise SubmissionError(["there are empty values in it."])
    if keys.id is None:
        if len(frame) != len(sample):
            problem = f"submission: it has {len(frame):,} rows, and the sample {len(sample):,}."
            raise SubmissionError([problem])
        return
    if failures := id_failures(
        frame[keys.id].tolist(), sample[keys.id].tolist(), "submission", "the sample"
    ):
        raise SubmissionError(failures)
