"""What a signature and a solver are written from: columns, classes, and what tells the task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from signatures import REGISTRY, Bundle, BundleError
from signatures.columns import plain
from signatures.wording import quoted
from solvers.baseline.files import Files
from solvers.baseline.question import Question
from solvers.baseline.rows import Rows
from solvers.draft.columns import Column, describe
from solvers.draft.errors import DraftError
from solvers.draft.literals import LONG


@dataclass(frozen=True)
class Understood:
    """What was told from a dataset.

    Attributes
    ----------
    id : str
        The column that names rows.
    labels : tuple of str
        The classes of every target; empty for numbers.
    columns : tuple of Column
        Those of the contract, the id first.
    left_out : tuple of str
        Columns that train and test share and that hold one value.
    key : tuple of str
        Columns of train that tell the task from the others.
    in_both : bool
        Whether ids of train occur in test too.
    notes : tuple of str
        What was told, and from what.
    """

    bundle: Bundle
    files: Files = field(repr=False)
    question: Question = field(repr=False)
    rows: Rows = field(repr=False)
    id: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    left_out: tuple[str, ...]
    key: tuple[str, ...]
    in_both: bool
    notes: tuple[str, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """The columns to predict."""
        return tuple(self.question.asked.answers)

    @property
    def train(self) -> pd.DataFrame:
        """The train table, as text."""
        assert self.files.train is not None
        return self.files.train

    @property
    def test(self) -> pd.DataFrame:
        """The test table, as text."""
        assert self.files.test is not None
        return self.files.test


def describe_all(
    bundle: Bundle, files: Files, question: Question, rows: Rows, how: str
) -> Understood:
    """Describe the columns, and see that a known task can be made of what is asked.

    Parameters
    ----------
    how : str
        From what the id was told.

    Raises
    ------
    BundleError, DraftError
        If it cannot.
    """
    asked, train, test = question.asked, files.train, files.test
    assert train is not None
    assert test is not None
    assert asked.id is not None
    where = str(bundle.path)
    if asked.id not in train:
        problem = f"has no column {asked.id!r} in train, by which test names its rows"
        raise BundleError(where, problem, "Add it: a known task knows its rows by one column")
    _check_answers(question, where)
    labels = _labels(train, question, where)

    def described(name: str, *, is_id: bool) -> Column:
        values = pd.concat([train[name], test[name]], ignore_index=True)
        return describe(name, rows.used.get(name, "nothing"), values, is_id=is_id)

    shared = [str(c) for c in train.columns if c in rows.used and c != asked.id]
    left_out = tuple(str(c) for c in train.columns if rows.kinds.get(str(c)) == "nothing")
    columns = (
        described(asked.id, is_id=True),
        *(described(name, is_id=False) for name in shared),
    )
    key = _key(list(map(str, train.columns)), asked.id, tuple(asked.answers), shared)
    in_both = bool(train[asked.id].isin(test[asked.id]).any())
    *others, of_id = question.notes
    notes: tuple[str, ...] = (*others, f"{of_id} ({how})")
    if in_both:
        notes += ("aligned by the order of rows: ids of train occur in test too",)
    return Understood(
        bundle, files, question, rows, asked.id, labels, columns, left_out, key, in_both, notes
    )


def _check_answers(question: Question, where: str) -> None:
    """A known task calls a target, and a class that has a column, by one name everywhere."""
    asked = question.asked
    pairs: Mapping[str, str] = asked.classes or asked.answers
    for ours, theirs in pairs.items():
        if ours != theirs:
            raise BundleError(
                where,
                f"calls {ours!r} of train {theirs!r} in the sample submission",
                "Give them one name, for a known task has one for both; or let the baseline "
                "answer, by `solvers solve PATH --fallback baseline`",
            )


def _labels(train: pd.DataFrame, question: Question, where: str) -> tuple[str, ...]:
    """The classes of all targets, in the order of their numbers."""
    of_each = {target.labels for target in question.targets}
    if len(of_each) > 1:
        raise BundleError(
            where,
            f"has targets of different classes: {quoted(list(question.asked.answers))}",
            "Draft one of them, with --target: a known task has one set of classes",
        )
    return next(iter(of_each))


def _key(
    columns: Sequence[str], id_: str, targets: tuple[str, ...], shared: Sequence[str]
) -> tuple[str, ...]:
    """Choose what tells the task from all that are known: the target, and names of its own.

    Raises
    ------
    DraftError
        If the data are a known task already.
    """
    fits = [REGISTRY[slug] for slug in REGISTRY.fitting(columns)]
    taken = {name for slug in REGISTRY for name in REGISTRY[slug].columns}
    telling = sorted(shared, key=lambda name: (name in taken, len(name) > LONG, -len(plain(name))))
    key = (*targets[:2], *telling[:2])
    key = key if len(key) > 2 else (id_, *key)
    for known in fits:
        if set(key) <= set(known.columns):
            raise DraftError(
                problem=f"This is the known task {known.slug!r} ({known.title}), so that a second "
                "one could not be told from it",
                next="`solvers match PATH` says why",
            )
    return key
