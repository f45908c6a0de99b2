"""The running score of each base model while its fits end."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from signatures import Metric
from solvers.fits import FitResult
from solvers.folds import FoldIndex
from solvers.log import FitEnd, Watcher
from solvers.metrics import score
from solvers.target import Array


class RunningScores:
    """Tells a watcher of each fit, with its model's mean score over the folds that have ended."""

    def __init__(
        self, watcher: Watcher, metric: Metric, ys: Sequence[Array], folds: Sequence[FoldIndex]
    ) -> None:
        self._watcher = watcher
        self._metric = metric
        self._ys = ys
        self._folds = folds
        self._scores: dict[str, list[float]] = defaultdict(list)
        self._done = 0

    def __call__(self, result: FitResult, total: int) -> None:
        """Score the fold that has just been predicted."""
        fit = result.fit
        valid = self._folds[fit.repeat] == fit.fold
        y = self._ys[fit.target_number][valid]
        scores = self._scores[fit.model.name]
        scores.append(score(self._metric, [fit.target], [y], [result.valid]))
        self._done += 1
        self._watcher.fit_ends(
            FitEnd(
                model=fit.model.name,
                done=self._done,
                total=total,
                cpu_seconds=result.cpu_seconds,
                score=float(np.mean(scores)),
            )
        )
