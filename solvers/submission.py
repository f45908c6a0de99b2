"""The file that is handed in: built as the sample writes it, and checked before it is written."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import pandas as pd

from signatures import Signature, SubmissionError
from solvers.target import Array, Target


@dataclass(frozen=True)
class Form:
    """What a submission has to look like.

    Attributes
    ----------
    id : str
        The id column.
    ids : tuple of str
        The test's ids in the order in which they are to be written.
    columns : tuple of str
        All columns in order.
    spelling : mapping of str to tuple of str
        How each class of a target is written, by class index; no entry where numbers are wanted.
    carried : mapping of str to tuple
        Columns of test that are to be repeated, as they are written there.
    """

    id: str
    ids: tuple[str, ...]
    columns: tuple[str, ...]
    spelling: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    carried: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)


def read_form(
    signature: Signature,
    test_ids: Sequence[str],
    sample: pd.DataFrame | None,
    beside: Mapping[str, Sequence[str | None]] = MappingProxyType({}),
) -> tuple[Form, list[str]]:
    """Take the form from the sample, or from the signature; and say what does not fit.

    Rows keep the order of the test file. Known samples have that order too; where one has not,
    the test's wins, since some graders align a submission with the test rows and none with the
    sample. Where a sample repeats columns `beside` the test's ids, so does the submission, with
    the test's values.
    """
    # Every metric but accuracy is computed from numbers; of several classes each has a column.
    labels = signature.labels if signature.metric.name == "accuracy" else ()
    one_each = not labels and len(signature.labels) > 2
    columns = (signature.id, *(signature.labels if one_each else signature.target))
    form = Form(signature.id, tuple(test_ids), columns, _of_each(signature.target, labels))
    if sample is None:
        return form, []
    carried = {
        name: tuple(values)
        for name, values in beside.items()
        if name in sample and name not in columns
    }
    if set(sample.columns) != {*columns, *carried}:
        return form, [f"sample: {other_columns(sample, columns)}{_cure(one_each, sample, columns)}"]
    spelling, failures = spelled(labels, sample.drop(columns=[signature.id, *carried]))
    failures += id_failures(sample[signature.id].tolist(), test_ids, "sample", "the test")
    form = replace(form, columns=tuple(sample.columns), carried=carried)
    return replace(form, spelling=_of_each(signature.target, spelling)), failures


def _cure(one_each: bool, sample: pd.DataFrame, columns: Sequence[str]) -> str:
    """Say what to do where each class has a column whose name says more than the class."""
    named = [any(label in str(found) for found in sample) for label in columns[1:]]
    if not one_each or not all(named):
        return ""
    return (
        " A known task calls a class and its column by one name; where they have two, the baseline "
        "can answer (--fallback baseline --as-unknown)."
    )


def _of_each(targets: Sequence[str], spelling: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return dict.fromkeys(targets, spelling) if spelling else {}


def spelled(labels: tuple[str, ...], sample: pd.DataFrame) -> tuple[tuple[str, ...], list[str]]:
    """Find how the sample spells the labels: as the signature, in another case, or by number."""
    seen = {value for column in sample for value in sample[column] if value is not None}
    ways = [
        labels,
        tuple(label.lower() for label in labels),
        tuple(label.upper() for label in labels),
        tuple(str(index) for index in range(len(labels))),
    ]
    if not labels:
        return (), []
    for way in ways:
        if seen <= set(way):
            return way, []
    odd = ", ".join(repr(value) for value in sorted(seen)[:3])
    return labels, [f"sample: expected the labels {', '.join(labels)}; found {odd}."]


def build(form: Form, targets: Sequence[Target], predictions: Sequence[Array]) -> pd.DataFrame:
    """Lay predictions, one ``(n_test, n_outputs)`` array per target, out as the form asks."""
    table: dict[str, Sequence[object]] = {form.id: form.ids, **form.carried}
    for target, array in zip(targets, predictions, strict=True):
        if target.name in form.spelling:
            table[target.name] = target.decide(array, form.spelling[target.name])
        elif target.name not in form.columns:  # one for each class
            table.update(zip(target.labels, target.of_each_class(array).T.tolist(), strict=True))
        else:
            table[target.name] = array[:, 0].tolist()
    return pd.DataFrame(table, columns=list(form.columns))


def check(frame: pd.DataFrame, form: Form) -> None:
    """Refuse a submission that a grader would refuse, or that says the same of every row.

    Raises
    ------
    SubmissionError
        With one sentence for each thing that is wrong.
    """
    if tuple(frame.columns) != form.columns:
        raise SubmissionError([other_columns(frame, form.columns)])
    failures = _failures_of_ids(frame, form)
    for column in form.columns:
        if column != form.id and column not in form.carried:
            failures += _value_failures(frame[column], column, form)
    failures += constant_failures(frame.drop(columns=[form.id, *form.carried], errors="ignore"))
    if failures:
        raise SubmissionError(failures)


def _failures_of_ids(frame: pd.DataFrame, form: Form) -> list[str]:
    if form.id not in form.columns:  # the rows have no names, and are known by their order
        return [] if len(frame) == len(form.ids) else ["submission: it has not a row for each id."]
    ids = frame[form.id].tolist()
    failures = id_failures(ids, form.ids, "submission", "the test")
    if not failures and ids != list(form.ids):
        failures.append("submission: the rows are not in the test file's order.")
    return failures


def other_columns(frame: pd.DataFrame, expected: Iterable[str]) -> str:
    """Say which columns were expected and which were found."""
    found = ", ".join(map(str, frame.columns))
    return f"expected the columns {', '.join(expected)}; found {found}."


def _value_failures(values: pd.Series, column: str, form: Form) -> list[str]:
    if values.isna().any():
        return [f"submission: {column}: {int(values.isna().sum())} values are missing."]
    if pd.api.types.is_numeric_dtype(values) and not np.isfinite(values).all():
        return [f"submission: {column}: {int((~np.isfinite(values)).sum())} values are infinite."]
    failures = []
    spelling = form.spelling.get(column, ())
    if spelling and not set(values) <= set(spelling):
        odd = ", ".join(sorted({repr(value) for value in values} - set(map(repr, spelling)))[:3])
        failures.append(f"submission: {column}: expected {', '.join(spelling)}; found {odd}.")
    return failures


def constant_failures(answers: pd.DataFrame) -> list[str]:
    """A few rows may well deserve the same answer; a real test set never does."""
    if (
        not len(answers.columns)
        or len(answers) < 50
        or not (answers == answers.iloc[0]).all(axis=None)
    ):
        return []
    said = ", ".join(map(str, answers.iloc[0]))
    return [f"submission: all {len(answers)} rows say the same ({said}): nothing was learned."]


def id_failures(ids: Sequence[str], expected: Sequence[str], name: str, other: str) -> list[str]:
    """Compare two lists of ids, in any order; an id may be wanted more than once."""
    wanted, found = Counter(expected), Counter(ids)
    missing = list((wanted - found).elements())
    excess = list((found - wanted).elements())
    repeated = [id_ for id_ in excess if id_ in wanted]
    strange = [id_ for id_ in excess if id_ not in wanted]
    failures = []
    if repeated:
        failures.append(f"{name}: {some(repeated)} too often.")
    if missing:
        failures.append(f"{name}: {some(missing)} of {other} are not in it.")
    if strange:
        failures.append(f"{name}: {some(strange)} are not in {other}.")
    return failures


def some(ids: Sequence[str]) -> str:
    """Count ids and show three."""
    shown = ", ".join(map(repr, ids[:3])) + (", ..." if len(ids) > 3 else "")
    return f"{len(ids)} {'id' if len(ids) == 1 else 'ids'} ({shown})"
