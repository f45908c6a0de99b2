"""From files to checked rows: what a solver is given, or every reason why it is not."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from signatures import Match, Signature, TaskRejectedError
from solvers import contract, submission
from solvers.contract import FLAGS
from solvers.profiles import Profile
from solvers.solver import StackedSolver
from solvers.submission import Form
from solvers.tables import read_table
from solvers.target import LINKS, Array, Target

_NUMBERS = {
    "identity": "a number",
    "log1p": "a number of 0 or more",
    "log": "a number above 0",
}


@dataclass(frozen=True)
class Tables:
    """The files as text: nothing checked yet."""

    train: pd.DataFrame = field(repr=False)
    test: pd.DataFrame = field(repr=False)
    sample: pd.DataFrame | None = field(repr=False)


@dataclass(frozen=True)
class Dataset:
    """Checked rows.

    Attributes
    ----------
    rows : DataFrame of n_rows + n_test rows
        Train and test together, typed, sorted by id; the contract's columns in its order.
    is_train : ndarray of shape (n_rows + n_test,)
        Which of `rows` are train rows.
    ys : tuple of ndarray of shape (n_rows,)
        One per target, in the order of the train rows in `rows`.
    form : Form
        What the submission has to look like, its ids in the test file's order.
    test_order : ndarray of shape (n_test,)
        For each row of the test file, its place among the test rows in `rows`.
    """

    rows: pd.DataFrame = field(repr=False)
    is_train: npt.NDArray[np.bool_] = field(repr=False)
    ys: tuple[Array, ...] = field(repr=False)
    targets: tuple[Target, ...]
    form: Form = field(repr=False)
    test_order: npt.NDArray[np.intp] = field(repr=False)


def read(match: Match) -> Tables:
    """Read the bundle's tables.

    Raises
    ------
    TaskRejectedError
        If there is no test table.
    """
    bundle, signature = match.bundle, match.signature
    if bundle.train is None or bundle.test is None:
        name = signature.files.get("test", "test.csv")
        raise TaskRejectedError(signature.slug, [f"test: no table was found; expected {name}."])
    missing = signature.missing
    return Tables(
        train=read_table(bundle.train, missing=missing),
        test=read_table(bundle.test, missing=missing),
        sample=None if bundle.sample is None else read_table(bundle.sample, missing=missing),
    )


def check(tables: Tables, match: Match, solver: StackedSolver, profile: Profile) -> Dataset:
    """Check everything before anything is fitted.

    Raises
    ------
    TaskRejectedError
        With one sentence for each thing that is wrong, in all files.
    """
    signature = match.signature
    train = contract.check(tables.train, solver.contract, name="train")
    test = contract.check(tables.test, solver.contract, name="test")
    failures = [*train.failures, *test.failures]
    link = "identity" if signature.labels else LINKS.get(signature.metric.name, "identity")
    targets = tuple(Target(name, signature.labels, link) for name in signature.target)
    ys = []
    for target in targets:
        y, problems = read_target(tables.train, target)
        ys.append(y)
        failures += problems or _too_few(y, target, profile)
    if len(tables.test) == 0:
        failures.append("test: it has a header and no rows.")
    form = Form(signature.id, (), ())
    if signature.id in tables.test:
        # As the file writes them, whatever the contract makes of them.
        ids = tables.test[signature.id].tolist()
        form, problems = submission.read_form(signature, ids, tables.sample)
        failures += problems
    if signature.aligned == "id" and {signature.id} <= {*tables.train} & {*tables.test}:
        failures += _in_both(tables, signature)
    if failures:
        raise TaskRejectedError(signature.slug, failures)
    return together(train.rows, test.rows, ys, targets, form)


def together(
    train: pd.DataFrame,
    test: pd.DataFrame,
    ys: Sequence[Array],
    targets: tuple[Target, ...],
    form: Form,
) -> Dataset:
    """Put train and test together and sort by id, so that the files' row order is forgotten."""
    order = train[form.id].argsort(kind="stable").to_numpy()
    rows = pd.concat([train, test], ignore_index=True)
    is_train = np.arange(len(rows)) < len(train)
    together = rows[form.id].argsort(kind="stable").to_numpy()
    return Dataset(
        rows=rows.iloc[together].reset_index(drop=True),
        is_train=is_train[together],
        ys=tuple(y[order] for y in ys),
        targets=targets,
        form=form,
        test_order=np.argsort(test[form.id].argsort(kind="stable").to_numpy(), kind="stable"),
    )


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


def _too_few(y: Array, target: Target, profile: Profile) -> list[str]:
    """Each class has to be in each fold."""
    if target.kind == "regression":
        counts = {"rows": len(y)}
    else:
        counts = {label: int((y == index).sum()) for index, label in enumerate(target.labels)}
    return [
        f"train: {target.name}: {profile.folds} folds need at least {profile.folds} rows "
        f"of {label}; found {count}."
        for label, count in counts.items()
        if count < profile.folds
    ]


def _in_both(tables: Tables, signature: Signature) -> list[str]:
    ids = tables.test[signature.id]
    shared = ids[ids.isin(tables.train[signature.id]) & ids.notna()].tolist()
    if not shared:
        return []
    return [f"test: {submission.some(shared)} are also in train."]
