"""A task's rows and features, on which parameters are scored as a run scores its models."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import pandas as pd

from signatures import KnownTaskError, Match, Metric
from signatures.side_files import select
from solvers import record
from solvers.checkpoints import Checkpoints
from solvers.features import Prepared, prepare
from solvers.folds import Cut
from solvers.intake import Dataset, check, read
from solvers.log import Log
from solvers.models import Model
from solvers.out_of_fold import BaseModels, FitWatcher, out_of_fold
from solvers.profiles import Profile
from solvers.scores import Gain, Retries, RunningScores, Score, gain_over, over_seeds
from solvers.solver import StackedSolver
from solvers.stack import Blended, blend
from solvers.stacked import cut_into_folds
from solvers.target import FoldIndex
from solvers.workers import Workers


class SameFoldsError(KnownTaskError, ValueError):
    """A task whose folds are the same for every seed leaves none for a verdict."""

    fields = ("task",)

    def __init__(self, task: str) -> None:
        self.task = task
        super().__init__(
            f"{task!r} cannot be tuned: its folds follow the calendar and are the same for every "
            "seed, so none would be left on which to tell whether what was found is better."
        )


@dataclass(frozen=True)
class Comparison:
    """Two solvers' blends on the same folds: their scores, and what the second gains."""

    before: Score
    after: Score
    gain: Gain


@dataclass(frozen=True)
class Evaluation:
    """Checked rows, their features, and how models are fitted to them and scored."""

    data: Dataset
    ready: Prepared
    solver: StackedSolver
    metric: Metric
    profile: Profile
    log: Log
    workers: Workers

    @classmethod
    def of(
        cls, match: Match, solver: StackedSolver, *, profile: Profile, log: Log, workers: Workers
    ) -> "Evaluation":
        """Read, check and describe the rows, as a run does.

        Raises
        ------
        BundleError, TaskRejectedError
            If the data cannot be read, or break the contract.
        SameFoldsError
            If the folds are the same for every seed.
        """
        if solver.periods is not None:
            raise SameFoldsError(match.slug)
        with log.stage("read") as details:
            tables = read(match)
            details["note"] = f"{len(tables.train)} train rows, {len(tables.test)} test rows"
        with log.stage("check"):
            data = check(tables, match, solver, profile)
        with log.stage("features") as details:
            side = select(match.bundle.members, match.signature.side)
            ready = prepare(data, solver, side)
            details["note"] = f"{ready.X.shape[1]} features"
        return cls(data, ready, solver, match.signature.metric, profile, log, workers)

    def data_sha256(self) -> str:
        """Digest what models are given, whatever the order of rows in the files."""
        targets = {f"target {n}": y for n, y in enumerate(self.data.ys)}
        tables = (self.ready.X, self.ready.X_test, pd.DataFrame(targets))
        texts = [t.to_csv(index=False, float_format="%.9g", lineterminator="\n") for t in tables]
        return sha256("\0".join(texts).encode()).hexdigest()

    def score(self, model: Model, seed: int) -> float:
        """Score a model out of fold, on one cut into folds."""
        folds, cut = self._folds(1, seed)
        base = self._fit([model], folds, cut, seed, watcher=Retries(self.log))
        predictions = base.predictions[model.name]
        return over_seeds(self.metric, self.data.targets, self.data.ys, predictions, folds).mean

    def compare(
        self, before: StackedSolver, after: StackedSolver, seed: int, checkpoints: Checkpoints
    ) -> Comparison:
        """Compare what two solvers would hand in, on as many fold seeds as a run has."""
        folds, cut = self._folds(self.profile.fold_seeds, seed)
        ys, targets, metric = self.data.ys, self.data.targets, self.metric

        def blended(name: str, solver: StackedSolver) -> Blended:
            with self.log.stage(name) as details:
                base = self._fit(
                    solver.models, folds, cut, seed, checkpoints=checkpoints,
                    watcher=RunningScores(self.log, metric, ys, folds),
                )  # fmt: skip
                blends = blend(base, ys, targets, folds, metric)
                mean = blends.scores[blends.choice.used].mean
                details["note"] = f"{blends.choice.used} {mean:.5f}"
            return blends

        old, new = blended("in use", before), blended("found", after)
        return Comparison(
            old.scores[old.choice.used],
            new.scores[new.choice.used],
            gain_over(metric, targets, ys, new.final, old.final, folds),
        )

    def _folds(self, fold_seeds: int, seed: int) -> tuple[list[FoldIndex], Cut]:
        profile = replace(self.profile, fold_seeds=fold_seeds)
        return cut_into_folds(self.data, self.ready, self.solver, profile, seed)

    def _fit(
        self,
        models: Sequence[Model],
        folds: Sequence[FoldIndex],
        cut: Cut,
        seed: int,
        *,
        watcher: FitWatcher,
        checkpoints: Checkpoints | None = None,
    ) -> BaseModels:
        return out_of_fold(
            [model.rehearsal(self.profile.work) for model in models],
            self.ready.X, self.ready.X_test, self.data.fitted, self.data.targets,
            folds=folds, seed=seed, ordered=cut.kind == "time", workers=self.workers,
            checkpoints=checkpoints, watcher=watcher,
        )  # fmt: skip


def code_sha256(match: Match) -> str:
    """Digest the solver's code, which may lie outside this package."""
    return record.sha256_of_code(match.signature.solver)
