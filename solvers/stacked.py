"""Base models and their blend, fitted to checked rows, and rows predicted by them later.

The one place that orders these steps: features, folds, fit, stack. `solvers.solve` writes down what
comes out; `solvers.solver.StackedSolver` keeps it, for rows to come.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from signatures import Member, Metric
from solvers.calls import Calls
from solvers.checkpoints import Checkpoints
from solvers.features import Prepared, prepare
from solvers.fits import FitJob, FitResult, predict_again, run_fit
from solvers.folds import Cut, fold_index, look_at_cut
from solvers.intake import Dataset
from solvers.log import Log
from solvers.models import Model
from solvers.out_of_fold import BaseModels, Predictions, assemble, out_of_fold
from solvers.profiles import Profile
from solvers.recipe import Recipe
from solvers.scores import RunningScores
from solvers.seeds import fold_seed
from solvers.stack import Blended, blend
from solvers.target import FoldIndex
from solvers.workers import Workers


@dataclass(frozen=True)
class Problem:
    """Checked rows, and how they are to be solved.

    Attributes
    ----------
    metric : Metric
        What the submission is judged by.
    profile : Profile
        How much work to do.
    code : str
        Digest of the solver's code, which may lie outside this package.
    side : sequence of Member
        The files that lie beside the tables, for a solver that reads them.
    """

    data: Dataset
    recipe: Recipe
    metric: Metric
    profile: Profile
    code: str
    side: Sequence[Member] = ()


@dataclass(frozen=True)
class Stacked:
    """Base models and their blend, fitted to a problem."""

    problem: Problem
    ready: Prepared
    folds: list[FoldIndex]
    cut: Cut
    models: list[Model]
    base: BaseModels
    blended: Blended

    def predict(self, data: Dataset, workers: Workers) -> list[Predictions]:
        """Predict rows that came later, which are the test rows of `data`.

        They are described together with the train rows there. What fits have learned predicts
        them; a fit that kept nothing is done again. The blend is the one that was chosen.
        """
        X_new = _with_categories_of(self.ready.X, prepare(data, self.problem.recipe).X_test)
        results = [*self._learned(X_new), *self._fitted_again(X_new, workers)]
        targets = self.problem.data.targets
        by_target = [
            [assemble(results, model, number, self.folds) for model in self.models]
            for number in range(len(targets))
        ]
        return self.blended.of_new(by_target, targets)

    def _learned(self, X_new: pd.DataFrame) -> Iterator[FitResult]:
        for result in self.base.results:
            if result.learned is not None:
                yield replace(result, test=predict_again(result.fit, result.learned, X_new))

    def _fitted_again(self, X_new: pd.DataFrame, workers: Workers) -> Iterator[FitResult]:
        X, ys, folds = self.ready.X, self.problem.data.fitted, self.folds
        fits = (result.fit for result in self.base.results if result.learned is None)
        again = (FitJob(f, X, X_new, ys[f.target_number], folds[f.repeat]) for f in fits)
        for result, _ in Calls(workers, run_fit).run(again):
            yield result


def fit_stacked(
    problem: Problem,
    *,
    seed: int,
    log: Log,
    workers: Workers,
    checkpoints: Checkpoints | None = None,
    keep: bool = False,
) -> Stacked:
    """Describe rows, cut folds, fit base models out of fold, and blend them.

    Parameters
    ----------
    keep : bool
        Whether to keep what fits have learned, for `Stacked.predict`.
    """
    data, recipe, profile = problem.data, problem.recipe, problem.profile
    with log.stage("features") as details:
        ready = prepare(data, recipe, problem.side)
        details["filled"] = dict(ready.filled)
        details["note"] = f"{ready.X.shape[1]} features"
        if ready.filled:
            details["note"] += f"; the rules filled {sum(ready.filled.values())} values"
        if ready.without:
            details["note"] += "; the tables alone, without the files beside them"
            log.event(logging.WARNING, "side files unused", reason=ready.without)
    with log.stage("folds") as details:
        folds, cut = cut_into_folds(data, ready, recipe, profile, seed)
        details["note"] = cut.reason
    with log.stage("fit") as details:
        models = [model.rehearsal(profile.work) for model in recipe.models]
        base = out_of_fold(
            models, ready.X, ready.X_test, data.fitted, data.targets,
            folds=folds, seed=seed, ordered=cut.kind == "time", workers=workers,
            checkpoints=checkpoints, watcher=RunningScores(log, problem.metric, data.ys, folds),
            keep=keep,
        )  # fmt: skip
        details["note"] = _about(base, workers.jobs)
    with log.stage("stack") as details:
        blended = blend(base, data.ys, data.targets, folds, problem.metric)
        details["reason"] = blended.choice.reason
        details["note"] = f"the {blended.choice.used} is used"
    return Stacked(problem, ready, folds, cut, models, base, blended)


def _with_categories_of(X: pd.DataFrame, X_new: pd.DataFrame) -> pd.DataFrame:
    """Give columns and codes the order that the models know; a new category counts as missing."""
    known = {
        str(name): X_new[name].cat.set_categories(X[name].cat.categories)
        for name in X.columns
        if isinstance(X[name].dtype, pd.CategoricalDtype)
    }
    return X_new[list(X.columns)].assign(**known)


def _about(base: BaseModels, jobs: int) -> str:
    """Say in a sentence what the fits were."""
    kept = sum(result.kept for result in base.results)
    where = "this process" if jobs == 1 else f"{jobs} processes"
    before = f", {kept} of them in an earlier sitting" if kept else ""
    return f"{len(base.results)} fits in {where}{before}"


def cut_into_folds(
    data: Dataset, ready: Prepared, recipe: Recipe, profile: Profile, seed: int
) -> tuple[list[FoldIndex], Cut]:
    """Cut the train rows once per fold seed, in the way the test was cut.

    Returns
    -------
    folds : list of ndarray of shape (n_rows,)
        One per fold seed: the number of the fold that holds each row out.
    cut : Cut
        How the test was cut, and how that was seen.
    """
    if recipe.periods is not None:
        periods = recipe.periods(ready.rows[data.is_train], profile.folds)
        index = periods.to_numpy(dtype=np.int16)
        reason = (
            f"Later rows are held out, {np.count_nonzero(index >= 0)} of {len(index)}: the test "
            "comes later than the train."
        )
        return [index] * profile.fold_seeds, Cut("time", 0, 0, reason)
    groups = test_groups = None
    if recipe.groups is not None:
        of_row = recipe.groups(ready.rows)
        groups, test_groups = of_row[data.is_train], of_row[~data.is_train]
    cut = look_at_cut(groups, test_groups)
    folds = [
        fold_index(
            data.ys[0],
            data.targets[0],
            groups=groups if cut.kind == "group" else None,
            n_folds=profile.folds,
            seed=fold_seed(seed, repeat),
        )
        for repeat in range(profile.fold_seeds)
    ]
    return folds, cut
