"""From files to checked rows: what a solver is given, or every reason why it is not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from signatures import Match, Signature, SignatureError, TaskRejectedError
from solvers import contract, submission
from solvers.labels import read_parts, read_target
from solvers.profiles import Profile
from solvers.recipe import Recipe
from solvers.submission import Form
from solvers.tables import read_table
from solvers.target import LINKS, Array, Target

if TYPE_CHECKING:
    from solvers.solver import StackedSolver


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
    parts : ndarray of shape (n_rows, n_parts), optional
        The numbers that add up to the only target, where they are predicted apart.
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
    parts: Array | None = field(default=None, repr=False)

    @property
    def fitted(self) -> tuple[Array, ...]:
        """What models are fitted to: the targets, or the parts of the only one."""
        return self.ys if self.parts is None else (self.parts,)


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


def check(tables: Tables, match: Match, solver: "StackedSolver", profile: Profile) -> Dataset:
    """Check everything before anything is fitted.

    Raises
    ------
    TaskRejectedError
        With one sentence for each thing that is wrong, in all files.
    SignatureError
        If the solver has no contract to check it by.
    """
    signature, declared = match.signature, solver.contract
    if declared is None:
        problem = (
            f"its solver {signature.solver!r} declares no contract, and a known task needs one"
        )
        raise SignatureError(signature.slug, problem)
    train = contract.check(tables.train, declared, name="train")
    test = contract.check(tables.test, declared, name="test")
    failures = [*train.failures, *test.failures]
    link = "identity" if signature.labels else LINKS.get(signature.metric.name, "identity")
    targets = tuple(Target(name, signature.labels, link) for name in signature.target)
    ys, parts, problems = _targets(tables.train, targets, solver, profile)
    failures += problems
    if len(tables.test) == 0:
        failures.append("test: it has a header and no rows.")
    form = Form(signature.id, (), ())
    if signature.id in tables.test:
        # As the file writes them, whatever the contract makes of them.
        ids = tables.test[signature.id].tolist()
        beside = {c: tables.test[c].tolist() for c in tables.test if c in signature.test_columns}
        form, problems = submission.read_form(signature, ids, tables.sample, beside)
        failures += problems
    if signature.aligned == "id" and {signature.id} <= {*tables.train} & {*tables.test}:
        failures += _in_both(tables, signature)
    if failures:
        raise TaskRejectedError(signature.slug, failures)
    return together(train.rows, test.rows, ys, targets, form, parts)


def _targets(
    train: pd.DataFrame, targets: tuple[Target, ...], solver: Recipe, profile: Profile
) -> tuple[list[Array], Array | None, list[str]]:
    """Read the targets, and the parts of the only one where the solver names them."""
    ys: list[Array] = []
    failures: list[str] = []
    for target in targets:
        y, problems = read_target(train, target)
        ys.append(y)
        failures += problems or _too_few(y, target, profile)
    if not solver.parts:
        return ys, None, failures
    (only,) = targets
    parts, problems = read_parts(train, solver.parts, only, ys[0])
    return ys, parts, failures + problems


def together(
    train: pd.DataFrame,
    test: pd.DataFrame,
    ys: Sequence[Array],
    targets: tuple[Target, ...],
    form: Form,
    parts: Array | None,
) -> Dataset:
    """Put train and test together and sort by id, so that the files' row order is forgotten.

    Where the form names no id, rows stay in their order.
    """
    order = _order(train, form.id)
    rows = pd.concat([train, test], ignore_index=True)
    is_train = np.arange(len(rows)) < len(train)
    together = _order(rows, form.id)
    return Dataset(
        rows=rows.iloc[together].reset_index(drop=True),
        is_train=is_train[together],
        ys=tuple(y[order] for y in ys),
        targets=targets,
        form=form,
        test_order=np.argsort(_order(test, form.id), kind="stable"),
        parts=None if parts is None else parts[order],
    )


def _order(rows: pd.DataFrame, name: str) -> npt.NDArray[np.intp]:
    """Sort by a column; without one, the order is the one that there is."""
    values = rows[name].argsort(kind="stable") if name else range(len(rows))
    return np.asarray(values, dtype=np.intp)


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
