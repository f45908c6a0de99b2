"""Another answer held against the baseline's, on training rows that were kept from its maker.

A fold of the baseline's is held back, chosen by the run's seed. There the baseline's predictions
are its out-of-fold ones: by models that were fitted on the other folds, as the other answer's are.
Of few rows more folds are held back, up to half of them. The baseline learned from some rows then
that the other had not: that makes it harder to beat, and never easier.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd

import signatures
from signatures import Metric
from solvers.baseline.files import read_files, understand
from solvers.baseline.foreign_predictions import ROW, asked, linked, read_predictions
from solvers.baseline.question import Question
from solvers.metrics import score
from solvers.prediction_columns import FOLD, SEED, of_model
from solvers.run_folder import OOF
from solvers.run_record import read_record
from solvers.sample_keys import letters
from solvers.scores import can_be_scored
from solvers.submission import Form
from solvers.tables import read_table
from solvers.target import Array, FoldIndex, Target

ENOUGH = 40  # rows to be held back, where half of the folds have as many
DRAWS = 200  # of rows, to tell how much of a gain is noise


@dataclass(frozen=True)
class Comparison:
    """Two answers on the same rows.

    Attributes
    ----------
    score, baseline : float
        Of the other answer and of the baseline's.
    error : float
        Standard error of their difference, over draws of rows with replacement.
    higher_is_better : bool
        Of the scores.
    """

    score: float
    baseline: float
    error: float
    higher_is_better: bool

    @property
    def gain(self) -> float:
        """By how much the other answer is better; below zero where it is worse."""
        difference = self.score - self.baseline
        return difference if self.higher_is_better else -difference


class Contest:
    """The rows that are held back.

    Parameters
    ----------
    train : DataFrame
        The training table as it is written.
    rows : ndarray of shape (n_rows,)
        Places in it of the rows that are held back, in ascending order.
    ys, own : sequence of ndarray
        For each target, what is right there and what the baseline predicted.
    seed : int
        Of the draws.

    Attributes
    ----------
    metric : Metric
        What both are scored by.
    predicted : list of str
        The columns of a submission that are predicted, in its order.
    """

    def __init__(
        self,
        question: Question,
        form: Form,
        train: pd.DataFrame,
        rows: npt.NDArray[np.intp],
        ys: Sequence[Array],
        own: Sequence[Array],
        seed: int,
    ) -> None:
        self._question, self._form, self._train, self._rows = question, form, train, rows
        self._ys, self._own, self._seed = ys, own, seed
        self.metric: Metric = question.metric
        self.predicted = asked(question)

    @classmethod
    def of(cls, run: Path, data: Path) -> Self | None:
        """Read it from a finished run of the baseline.

        Returns
        -------
        Contest or None
            None where a constant answered, or no score can be counted on the rows.

        Raises
        ------
        KnownTaskError
            If the run or the data cannot be read.
        """
        record = read_record(run)
        if record.route != "baseline" or record.scores is None:
            return None
        bundle = signatures.find(data)
        question, found = understand(read_files(bundle))
        oof = pd.read_parquet(run / OOF)
        first = oof[oof[SEED] == 0].reset_index(drop=True)
        held = _held_back(first[FOLD].to_numpy(), record.seed)
        held = held[np.argsort(found.train_rows[held])]
        ys = [y[held] for y in found.data.ys]
        if not can_be_scored(question.metric, ys):
            return None
        own = _own(first.loc[held], record.scores.used, question.targets)
        assert bundle.train is not None
        train = read_table(bundle.train, missing=())
        return cls(question, found.data.form, train, found.train_rows[held], ys, own, record.seed)

    @property
    def n_rows(self) -> int:
        """How many rows are held back."""
        return len(self._rows)

    @property
    def hidden(self) -> frozenset[str]:
        """The columns of train that test lacks; what is to be predicted is among them."""
        known = {letters(str(name)) for name in self._question.asked.test}
        return frozenset(name for name in map(str, self._train) if letters(name) not in known)

    @property
    def classes(self) -> frozenset[str]:
        """The names of all classes; none where numbers are asked for."""
        return frozenset(label for target in self._question.targets for label in target.labels)

    @property
    def shown(self) -> pd.DataFrame:
        """The training table without the rows that are held back."""
        return self._train.drop(index=self._train.index[self._rows])

    @property
    def held_back(self) -> pd.DataFrame:
        """Those rows, with the columns of test, numbered from 0 in the order of the table."""
        columns = [name for name in self._train if str(name) not in self.hidden]
        table = self._train.iloc[self._rows][columns].reset_index(drop=True)
        return table.set_axis(pd.RangeIndex(len(table), name=ROW)).reset_index()

    def check(self, path: Path) -> None:
        """Refuse predictions that cannot be compared.

        Raises
        ------
        SubmissionError
            If a row or a column is missing, or an answer is not what a submission may hold.
        """
        self._read(path)

    def compare(self, path: Path) -> Comparison:
        """Score a csv file of predictions: `ROW`, and a submission's answers.

        Raises
        ------
        SubmissionError
            As `check` does.
        """
        theirs, everywhere = self._read(path), np.arange(self.n_rows)
        return Comparison(
            score=self._score(theirs, everywhere),
            baseline=self._score(self._own, everywhere),
            error=self._error(theirs),
            higher_is_better=self.metric.higher_is_better,
        )

    def _read(self, path: Path) -> list[Array]:
        return read_predictions(path, self._question, self._form, self.n_rows)

    def _score(self, predictions: Sequence[Array], rows: npt.NDArray[np.intp]) -> float:
        ys, some = [y[rows] for y in self._ys], [p[rows] for p in predictions]
        return score(self.metric, self._question.targets, ys, some)

    def _error(self, theirs: Sequence[Array]) -> float:
        """Tell how much the difference varies with the rows that happen to be held back."""
        random = np.random.default_rng(self._seed)
        drawn = [random.integers(self.n_rows, size=self.n_rows) for _ in range(DRAWS)]
        gains = [
            self._score(theirs, rows) - self._score(self._own, rows)
            for rows in drawn
            if can_be_scored(self.metric, [y[rows] for y in self._ys])
        ]
        return float(np.std(gains, ddof=1)) if len(gains) > 1 else float("inf")


def _held_back(fold_of_row: FoldIndex, seed: int) -> npt.NDArray[np.intp]:
    """Choose folds until there are enough rows, and no more than half of the folds."""
    folds = np.random.default_rng(seed).permutation(np.unique(fold_of_row))
    for number in range(1, len(folds) // 2 + 1):
        held = np.flatnonzero(np.isin(fold_of_row, folds[:number]))
        if len(held) >= ENOUGH:
            break
    return held


def _own(oof: pd.DataFrame, used: str, targets: Sequence[Target]) -> list[Array]:
    """Return the baseline's predictions, as they were made."""
    return [
        linked(target, oof[of_model(used, target, len(targets))].to_numpy(dtype=np.float64))
        for target in targets
    ]
