"""Another answer held against the baseline's: scored on the same rows, by the same folds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd

import signatures
from signatures import Metric, SubmissionError
from solvers.baseline.files import read_files, understand
from solvers.baseline.question import Question
from solvers.intake import Dataset
from solvers.metrics import score
from solvers.prediction_columns import FOLD, SEED
from solvers.run_folder import OOF
from solvers.run_record import read_record
from solvers.target import Array, Target

ROW = "row"
PERFECT = 1e-9  # an error as small as this is none
NEARLY_ALL = 0.999  # of the rows
COPIED = (
    "the predictions are the labels themselves, and the baseline was far from that, so they do not "
    "count. Predict each fold by models that were fitted on the other folds only, and leave out "
    "what only repeats the label"
)


class Contest:
    """The rows and folds on which the baseline was scored.

    Attributes
    ----------
    metric : Metric
        What both are scored by.
    score : float
        Of the baseline, on the first fold seed.
    """

    def __init__(self, question: Question, data: Dataset, rows: pd.DataFrame, own: float) -> None:
        self._question, self._data, self._rows = question, data, rows
        self.score = own
        self.metric: Metric = question.metric

    @classmethod
    def of(cls, run: Path, data: Path) -> Self | None:
        """Read it from a finished run of the baseline; None where a constant answered.

        Raises
        ------
        KnownTaskError
            If the run or the data cannot be read.
        """
        record = read_record(run)
        if record.route != "baseline" or record.scores is None:
            return None
        question, found = understand(read_files(signatures.find(data)))
        oof = pd.read_parquet(run / OOF)
        first = oof[oof[SEED] == 0]
        rows = pd.DataFrame({ROW: found.train_rows, FOLD: first[FOLD].to_numpy()})
        used = record.scores.models[record.scores.used]
        return cls(question, found.data, rows, used.per_seed[0])

    def write_folds(self, path: Path) -> Path:
        """Write which fold holds each row of the train file out, rows counted from 0."""
        self._rows.sort_values(ROW).to_csv(path, index=False, lineterminator="\n")
        return path

    def score_of(self, oof: Path) -> float:
        """Score a csv file of out-of-fold predictions: `row`, and a submission's answers.

        Raises
        ------
        SubmissionError
            If a row or a column is missing, an answer is not what a submission may hold, or the
            answers are the labels themselves.
        """
        table = pd.read_csv(oof, dtype=str, keep_default_na=False)  # NA may be a class
        if absent := [name for name in (ROW, *asked(self._question)) if name not in table]:
            told = ", ".join(map(repr, absent[:5]))
            raise SubmissionError([f"{oof.name}: the column {told} is missing"])
        place = pd.to_numeric(table[ROW], errors="coerce")
        table = table.set_index(place).loc[~place.duplicated().to_numpy()]
        if missing := set(self._rows[ROW]) - set(table.index):
            raise SubmissionError([f"{oof.name}: {len(missing)} rows are missing"])
        table = table.loc[self._rows[ROW].tolist()]
        predictions = [self._read(table, target) for target in self._question.targets]
        targets, ys = self._question.targets, self._data.ys
        value = score(self.metric, targets, ys, predictions)
        if self._too_good(value, _told(targets, ys, predictions)):
            raise SubmissionError([f"{oof.name}: {COPIED}"])
        return value

    def _too_good(self, value: float, told: float) -> bool:
        """Tell whether labels were handed in, where the baseline was far from knowing them.

        Labels with some noise on them are not told from good predictions.
        """
        numbers = self.metric.name == "rmse"  # the other metrics know no unit
        spread = float(np.mean([np.std(y) for y in self._data.ys])) if numbers else 1.0
        own, error = (1 - s if self.metric.higher_is_better else s for s in (self.score, value))
        if own <= PERFECT * spread:
            return False
        return error <= PERFECT * spread or (told >= NEARLY_ALL and error < own / 10)

    def _read(self, table: pd.DataFrame, target: Target) -> Array:
        """Read one target's answers as `solvers.metrics.score` takes them."""
        if self._question.labels:
            return _certain(target, self._data.form.spelling[target.name], table[target.name])
        if self._question.asked.classes:
            shares = _numbers(table[list(target.labels)])
            whole = np.maximum(shares.sum(axis=1, keepdims=True), 1e-15)
            return np.asarray(shares[:, 1:] / whole if target.kind == "binary" else shares / whole)
        values = _numbers(table[[target.name]])
        if target.kind == "regression":
            return target.to_link(np.maximum(values, target.least))
        return values


def asked(question: Question) -> list[str]:
    """Return the columns of a submission that are predicted, in its order."""
    target, *_ = question.targets
    names = set(target.labels) if question.asked.classes else {t.name for t in question.targets}
    return [name for name in question.asked.columns if name in names]


def _told(targets: Sequence[Target], ys: Sequence[Array], predictions: Sequence[Array]) -> float:
    """Return the share of rows in which all answers are the labels themselves."""
    exact = np.ones(len(ys[0]), dtype=bool)
    for target, y, answers in zip(targets, ys, predictions, strict=True):
        labels = y[:, None]
        if target.kind == "multiclass":
            labels = np.eye(len(target.labels))[y.astype(np.intp)]
        close = np.isclose(target.from_link(answers), labels, rtol=PERFECT, atol=PERFECT)
        exact &= close.all(axis=1)
    return float(exact.mean())


def _numbers(answers: pd.DataFrame) -> Array:
    read: Array = np.column_stack([pd.to_numeric(answers[c], errors="coerce") for c in answers])
    if not np.isfinite(read).all():
        raise SubmissionError([f"{', '.join(map(str, answers))}: expected numbers, none missing"])
    return read


def _certain(target: Target, spelling: Sequence[str], words: pd.Series) -> Array:
    """Turn labels into certainties."""
    index = np.array([spelling.index(w) if w in spelling else -1 for w in words], dtype=np.intp)
    if (index < 0).any():
        raise SubmissionError([f"{target.name}: expected {', '.join(spelling)}; found other words"])
    certain: Array = np.eye(len(spelling))[index]
    return certain[:, 1:] if target.kind == "binary" else certain
