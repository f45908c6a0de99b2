"""A submission that someone else wrote, held against the sample that it has to be like."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from signatures import Bundle, BundleError, Member, SubmissionError, read_header
from solvers.submission import id_failures, other_columns
from solvers.tables import FIELD_LIMIT, read_table


@dataclass(frozen=True)
class Keys:
    """Which columns of a sample say which row is which.

    Attributes
    ----------
    id : str or None
        The column that names a row; None where rows are known by their order.
    repeated : tuple of str
        Other columns that are taken over from test.
    """

    id: str | None
    repeated: tuple[str, ...] = ()


def keys_of(sample: pd.DataFrame, bundle: Bundle) -> Keys:
    """Tell the columns of a sample apart, by the test table where there is one.

    The id is a column that test holds with the same values. Where test has none of the columns it
    is the first one, unless only train has that too, or it says the same of several rows.
    """
    names = [str(name) for name in sample.columns]
    first = names[0]
    alone = Keys(first if len(names) > 1 else None)
    if bundle.test is None:
        return alone
    try:
        in_test, in_train = _columns(bundle.test), _columns(bundle.train)
        shared = [name for name in names if name in in_test]
        if not shared:
            answer = first in in_train or _different(sample, first) < len(sample)
            return Keys(None) if answer else alone
        if shared == [first] and len(names) > 1:  # as nearly always: no need to read all of test
            return alone
        test = read_table(bundle.test, missing=())
    except BundleError:  # a fallback may make more of such tables
        return alone
    same = [c for c in shared if sorted(map(str, test[c])) == sorted(map(str, sample[c]))]
    id_ = max(same, key=lambda name: _different(sample, name), default=None)
    answered = len(shared) < len(names)
    return Keys(id_, tuple(name for name in shared if name != id_) if answered else ())


def _columns(member: Member | None) -> frozenset[str]:
    return frozenset() if member is None else frozenset(read_header(member).columns)


def _different(table: pd.DataFrame, name: str) -> int:
    return len(set(table[name]))


def check_file(path: str | Path, bundle: Bundle) -> None:
    """Hold the file of a fallback against the sample submission, if there is one.

    Raises
    ------
    SubmissionError
        If it is not a csv file, or has not the sample's columns and ids.
    """
    try:
        _refuse_ragged(path)
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError, TypeError) as error:
        problem = f"the fallback answered {path!r}, which is not the path of a csv file ({error})."
        raise SubmissionError([problem]) from error
    if bundle.sample is None:
        return
    sample = read_table(bundle.sample, missing=())
    check_like(frame, sample, keys_of(sample, bundle))


def _refuse_ragged(path: str | Path) -> None:
    """Refuse rows that are wider than the header, of which pandas would make levels of an index.

    Raises
    ------
    ValueError
        If there is one.
    """
    csv.field_size_limit(FIELD_LIMIT)
    with open(path, encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        try:
            width = len(next(rows, []))
            wide = any(len(row) > width for row in rows)
        except csv.Error as error:
            raise ValueError(str(error)) from error
    if wide:
        msg = f"a row before line {rows.line_num + 1} has more than the header's {width} fields"
        raise ValueError(msg)


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
