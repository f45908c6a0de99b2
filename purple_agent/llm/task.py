"""What is to be answered, as far as the files themselves say it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

import signatures
from purple_agent.llm.parting import Parted
from signatures import Bundle, BundleError, Member
from solvers.foreign_submission import keys_of
from solvers.grading.answers import file_member
from solvers.sample_keys import Keys
from solvers.tables import read_table

if TYPE_CHECKING:
    from solvers.baseline.question import Question

SUBMISSION, PREDICTIONS = "submission.csv", "held_back_predictions.csv"
SMALL, LARGEST_ANSWER = 16 * 10**6, 512 * 10**6  # bytes; the second is held in memory
LARGEST_READ = 500 * 10**6  # bytes of a training table that is read to learn its labels


@dataclass(frozen=True)
class Task:
    """The data of one task.

    Attributes
    ----------
    data : Path
        Their folder.
    bundle : Bundle
        The files by role; without any where their names do not tell. The sample is that of the
        task, or else the baseline's submission.
    has_sample : bool
        Whether the sample is the task's own.
    parted : Parted or None
        The data as code sees them, where rows are held back from it.
    baseline : Path or None
        The submission of a baseline.
    question : Question or None
        What the baseline understood; None where it did not.
    """

    data: Path
    bundle: Bundle
    has_sample: bool
    parted: Parted | None
    baseline: Path | None
    question: "Question | None" = field(default=None, repr=False)

    @classmethod
    def of(cls, data: Path, baseline: Path | None, parted: Parted | None) -> "Task":
        """Look at a folder of data, and at what there is besides."""
        try:
            bundle = signatures.find(data)
        except BundleError:
            # Two files could play one role, say. The model can look into them; names cannot tell.
            bundle = Bundle(data, None, None, None, None, (), is_archive=False)
        if bundle.sample is not None and _texts(bundle.sample) is None:
            bundle = replace(bundle, sample=None)
        seed = baseline / SUBMISSION if baseline is not None else None
        seed = seed if seed is not None and seed.is_file() else None
        has_sample = bundle.sample is not None
        question = _question(bundle)
        if not has_sample and seed is not None:
            bundle = replace(bundle, sample=file_member(seed))
        return cls(data, bundle, has_sample, parted, seed, question)

    @cached_property
    def sample(self) -> pd.DataFrame | None:
        """The form of a submission, as texts."""
        return None if self.bundle.sample is None else _texts(self.bundle.sample)

    @cached_property
    def keys(self) -> Keys:
        """Which columns of a submission say which row is which."""
        if self.sample is not None:
            return keys_of(self.sample, self.bundle)
        return Keys(self.question.asked.id if self.question is not None else None)

    @property
    def targets(self) -> list[str]:
        """The columns of a submission that are predicted; empty where there is no form."""
        known = {self.keys.id, *self.keys.repeated}
        return [] if self.sample is None else [c for c in map(str, self.sample) if c not in known]

    @cached_property
    def predicted(self) -> list[str]:
        """The columns that are predicted, as far as the baseline understood the task."""
        if self.question is None:
            return self.targets
        from solvers.baseline.foreign_predictions import asked

        return asked(self.question)

    @property
    def _answers(self) -> Mapping[str, str]:
        """Columns of train, and what the submission calls them."""
        if self.question is not None:
            return {} if self.question.asked.classes else self.question.asked.answers
        return {name: name for name in self.targets}

    @cached_property
    def largest(self) -> int:
        """How many bytes a submission, or predictions, may have to be looked at."""
        if self.bundle.sample is None or self.sample is None:
            return LARGEST_ANSWER
        n_rows = 0 if self.parted is None else self.parted.contest.n_rows
        share = max(1.0, n_rows / max(1, len(self.sample)))
        return min(LARGEST_ANSWER, max(SMALL, int(8 * share * self.bundle.sample.size)))

    @cached_property
    def labels(self) -> dict[str, frozenset[str]]:
        """For each target whose column of train is known, the values it has there."""
        train = self.bundle.train
        if train is None or train.size > LARGEST_READ:
            return {}
        table = _texts(train)
        if table is None:
            return {}
        return {
            shown: frozenset(value for value in table[name] if value)
            for name, shown in self._answers.items()
            if name in table.columns
        }

    @cached_property
    def test(self) -> pd.DataFrame | None:
        """The test table, as texts."""
        return None if self.bundle.test is None else _texts(self.bundle.test)

    def description(self, most: int) -> str:
        """Return the start of the text that explains the task, if there is one."""
        if self.bundle.description is None:
            return ""
        with self.bundle.description.open() as file:
            return file.read(4 * most).decode("utf-8", "replace")[:most]


def _question(bundle: Bundle) -> "Question | None":
    """Ask the baseline what it understands. Where it fails, the model may still do better."""
    from solvers.baseline.files import read_files, understand

    members = [member for member in (bundle.train, bundle.test) if member is not None]
    if len(members) < 2 or max(member.size for member in members) > LARGEST_READ:
        return None
    try:
        return understand(read_files(bundle))[0]
    except Exception:  # of whatever kind: it may be just why the agent is asked
        return None


def _texts(member: Member) -> pd.DataFrame | None:
    """Read a table; one that breaks its format is for the model to make sense of."""
    try:
        table = read_table(member, missing=())
    except BundleError:
        return None
    return table.where(table.notna(), "")  # some formats have a null of their own
