"""Out-of-fold predictions of a run, and of large runs a part that is said to be one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from solvers.prediction_columns import SEED, of_data, of_model
from solvers.record_types import Predictand
from solvers.report.source import Table
from solvers.report.wording import TIMES
from solvers.target import Array, FoldIndex

_AT_ONCE = 5_000_000  # numbers that are looked at, for one target


@dataclass(frozen=True)
class Seen:
    """True values and predictions of one target, ``(n, n_outputs)`` per model, seed after seed.

    Attributes
    ----------
    n_rows, n_seeds : int
        Train rows, and how many times they were cut into folds; `truth` may hold fewer.
    """

    truth: Array
    predictions: dict[str, Array]
    n_rows: int
    n_seeds: int

    @property
    def n(self) -> str:
        """Say how many predictions of a model there are, and which, if these are not all."""
        rows, seen = f"{self.n_rows:,} rows", len(self.truth)
        if seen < self.n_rows:
            first = f"n = the first {seen:,} of {rows}, by id"
            return first if self.n_seeds == 1 else f"{first}, in the first fold seed"
        if self.n_seeds == 1:
            return f"n = {rows}"
        seeds = seen // self.n_rows
        part = f"{seeds} of {self.n_seeds}" if seeds < self.n_seeds else f"{seeds}"
        return f"n = {rows} {TIMES} {part} fold seeds"

    @property
    def seed_of(self) -> FoldIndex:
        """Give the number of the fold seed of each prediction."""
        return (np.arange(len(self.truth)) // self.n_rows).astype(np.int16)


class OutOfFold:
    """The table of out-of-fold predictions, read one target at a time.

    Attributes
    ----------
    n_rows, n_seeds : int
        Train rows, and how many times they were cut into folds.

    Raises
    ------
    RunFolderError
        If the table does not hold what a run writes.
    """

    def __init__(self, table: Table, n_targets: int, models: Collection[str]) -> None:
        self._table = table
        self._n_targets = n_targets
        self._models = models  # all that the table holds
        seeds = table.numbers([SEED])[:, 0]
        self.n_seeds = int(seeds.max()) + 1 if len(seeds) else 0
        self.n_rows = len(seeds) // max(self.n_seeds, 1)
        in_order = np.repeat(np.arange(self.n_seeds), self.n_rows)
        if not self.n_rows or not np.array_equal(seeds, in_order):
            table.refuse("does not hold each train row once for every fold seed, in order")

    def of(self, target: Predictand, models: Sequence[str]) -> Seen:
        """Read a target's true values and what some models predicted."""
        columns = {model: of_model(model, target, self._n_targets) for model in models}
        n_rows = self._n_rows_of(sum(map(len, columns.values())))
        name = of_data(target.name, self._models)
        if target.kind == "regression":
            truth = self._table.numbers([name], n_rows)[:, 0]
        else:
            truth = self._table.classes(name, target.labels, n_rows)
        # One model after another: of many classes, the pages of all at once take much memory.
        predictions = {name: self._table.numbers(own, n_rows) for name, own in columns.items()}
        return Seen(truth, predictions, self.n_rows, self.n_seeds)

    def _n_rows_of(self, width: int) -> int:
        """Whole fold seeds where that many fit, else the first rows of one."""
        fitting = max(1, _AT_ONCE // width)
        if fitting < self.n_rows:
            return fitting
        return min(self.n_seeds, fitting // self.n_rows) * self.n_rows
