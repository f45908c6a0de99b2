"""The answers: which task they belong to, and what was to be predicted, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from signatures import BundleError, Member, Registry, Signature, UnknownTaskError, read_header
from signatures.folder import FolderSource
from signatures.wording import counted, quoted
from solvers.grading.values import MISSING, as_labels, as_numbers
from solvers.submission import Form, read_form
from solvers.tables import read_table
from solvers.target import Array, Target


@dataclass(frozen=True)
class Answers:
    """What a submission is held against.

    Attributes
    ----------
    signature : Signature
        The task.
    form : Form
        The columns of a submission, and the ids in the order of the answers.
    targets : tuple of Target
        One per target column, with the classes that it may be of.
    ys : tuple of ndarray of shape (n_rows,)
        One per target: class index, or the target in its own unit for regression.
    """

    signature: Signature
    form: Form
    targets: tuple[Target, ...]
    ys: tuple[Array, ...]


def read_answers(path: str | Path, task: str | Signature | None, registry: Registry) -> Answers:
    """Read the answers of `task`, or of the task that their columns belong to.

    Raises
    ------
    UnknownTaskError
        If there is no such task, or the columns fit none or several.
    BundleError
        If the file cannot be read, or its values cannot be answers of that task.
    """
    table = read_texts(path)
    columns = table.columns.tolist()
    signature = _signature(str(path), columns, task, registry)
    if not _holds(signature, columns):
        absent = [name for name in (signature.id, *signature.target) if name not in columns]
        problem = f"has no column {quoted(absent)}; found {quoted(columns)}"
        raise _unfit(path, problem, signature)
    if len(table) == 0:
        raise _unfit(path, "has a header and no rows", signature)
    form = submission_form(signature, table[signature.id].tolist())
    read = [_observed(path, table, name, signature) for name in signature.target]
    return Answers(signature, form, tuple(t for t, _ in read), tuple(y for _, y in read))


def read_texts(path: str | Path) -> pd.DataFrame:
    """Read a single file as a table of texts, empty where a format has its own null."""
    member = file_member(path)
    read_header(member)  # refuses what is no table at all, by its name or its first bytes
    table = read_table(member, missing=())
    return table.where(table.notna(), "")


def file_member(path: str | Path) -> Member:
    """Return a single file as a member of a bundle, which is how tables are read."""
    return Member(Path(path).name, FolderSource(str(path)))


def submission_form(signature: Signature, ids: Sequence[str]) -> Form:
    """Return the form that the signature alone gives."""
    return read_form(signature, ids, None)[0]


def _signature(
    where: str, columns: list[str], task: str | Signature | None, registry: Registry
) -> Signature:
    if isinstance(task, Signature):
        return task
    if task is not None:
        if task not in registry:
            raise UnknownTaskError(task, f"expected one of {', '.join(registry)}")
        return registry[task]
    fits = [signature for signature in registry.values() if _holds(signature, columns)]
    # Several tasks may call their id and target alike; a table of all columns tells them apart.
    whole = [signature for signature in fits if set(signature.columns) <= set(columns)]
    if len(best := fits if len(fits) == 1 else whole) == 1:
        return best[0]
    slugs = ", ".join(signature.slug for signature in fits or registry.values())
    if fits:
        why = f"its id and targets fit several of them ({slugs})"
    else:
        why = f"it has the id and the targets of none of {slugs}"
    raise UnknownTaskError(where, f"{why}. Name the task with --task, or task=... in Python")


def _holds(signature: Signature, columns: Sequence[str]) -> bool:
    """Tell whether `columns` have the id, and the targets or a column for each class."""
    form = submission_form(signature, ())
    ways = ((signature.id, *signature.target), form.columns)
    return any(set(way) <= set(columns) for way in ways)


def _observed(
    path: str | Path, table: pd.DataFrame, name: str, signature: Signature
) -> tuple[Target, Array]:
    """Read one target, from its own column or from one column for each class."""
    if name not in table:
        classes = table[list(signature.labels)]
        return Target(name, signature.labels), _one_hot(path, classes, signature)
    texts = table[name].tolist()
    if gone := sum(text in MISSING for text in texts):
        raise _unfit(path, f"has {counted(gone, 'missing value')} in {name!r}", signature)
    if signature.metric.name in {"accuracy", "auc", "log_loss"}:
        target = Target(name, signature.labels or _found_labels(texts, signature))
        return target, _class_index(path, texts, target, signature)
    return Target(name), _numbers(path, texts, name, signature)


def _found_labels(texts: list[str], signature: Signature) -> tuple[str, ...]:
    """Return the classes of a signature that lists none: 0 and 1 are what an AUC is of."""
    return ("0", "1") if signature.metric.name == "auc" else tuple(sorted(set(texts)))


def _class_index(path: str | Path, texts: list[str], target: Target, signature: Signature) -> Array:
    labels, values = as_labels(target.labels), as_labels(texts)
    index = {label: number for number, label in enumerate(labels)}
    if strange := sorted({text for text, v in zip(texts, values, strict=True) if v not in index}):
        expected = quoted(target.labels)
        problem = f"holds {quoted(strange)} in {target.name!r}, expected {expected}"
        raise _unfit(path, problem, signature)
    y = np.array([index[value] for value in values], dtype=np.float64)
    if signature.metric.name == "auc" and len(set(y)) < 2:
        problem = f"holds only {texts[0]!r} in {target.name!r}, and an AUC needs both classes"
        raise _unfit(path, problem, signature)
    return y


def _one_hot(path: str | Path, classes: pd.DataFrame, signature: Signature) -> Array:
    columns = [as_numbers(classes[name].tolist()) for name in classes]
    if all(column is not None for column in columns):
        ones = np.array(columns, dtype=np.float64).T
        if np.isin(ones, (0.0, 1.0)).all() and (ones.sum(axis=1) == 1).all():
            return np.asarray(ones.argmax(axis=1), dtype=np.float64)
    problem = "has rows that do not name one class: expected one 1 and else 0 in the class columns"
    raise _unfit(path, problem, signature)


def _numbers(path: str | Path, texts: list[str], name: str, signature: Signature) -> Array:
    numbers = as_numbers(texts)
    y = np.array(numbers if numbers is not None else [np.nan], dtype=np.float64)
    if not np.isfinite(y).all():
        raise _unfit(path, f"holds values in {name!r} that are no finite numbers", signature)
    if signature.metric.name == "rmsle" and (y < 0).any():
        raise _unfit(path, f"holds values below 0 in {name!r}", signature)
    if signature.metric.name == "rmse_log" and (y <= 0).any():
        raise _unfit(path, f"holds values of 0 or less in {name!r}, without a logarithm", signature)
    return y


def _unfit(path: str | Path, problem: str, signature: Signature) -> BundleError:
    return BundleError(str(path), problem, f"Hand over the answers of {signature.slug!r}")
