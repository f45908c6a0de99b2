"""Another answer held against the baseline's: scored on the same rows, by the same folds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd

import signatures
from signatures import Metric, SubmissionError
from signatures.signature import MISSING
from solvers.baseline.files import read_files, understand
from solvers.baseline.question import Question
from solvers.intake import Dataset
from solvers.metrics import score
from solvers.run_folder import OOF
from solvers.run_record import read_record
from solvers.target import Array, Target

ROW, FOLD = "row", "fold"


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
        first = oof[oof["fold_seed"] == 0]
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
            If a row is missing, or an answer is not what a submission may hold.
        """
        table = pd.read_csv(oof, dtype=str, keep_default_na=False, na_values=list(MISSING))
        if ROW not in table:
            raise SubmissionError([f"{oof.name}: the column {ROW!r} is missing"])
        place = pd.to_numeric(table[ROW], errors="coerce")
        table = table.set_index(place).loc[~place.duplicated().to_numpy()]
        if missing := set(self._rows[ROW]) - set(table.index):
            raise SubmissionError([f"{oof.name}: {len(missing)} rows are missing"])
        table = table.loc[self._rows[ROW].tolist()]
        predictions = [self._read(table, target) for target in self._question.targets]
        return score(self.metric, self._question.targets, self._data.ys, predictions)

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
