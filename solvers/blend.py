"""All base models in, one answer out: both blends, every score, and which blend is used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from signatures import Metric
from solvers.folds import FoldIndex
from solvers.out_of_fold import BaseModels, Predictions
from solvers.scores import AVERAGE, STACK, Choice, Score, choose, over_seeds
from solvers.stack import average, stack
from solvers.target import Array, Target


@dataclass(frozen=True)
class Blended:
    """Both blends, one `Predictions` per target; scores of base models and blends; the choice."""

    predictions: Mapping[str, tuple[Predictions, ...]]
    scores: Mapping[str, Score]
    choice: Choice

    @property
    def final(self) -> tuple[Predictions, ...]:
        """The blend that is used."""
        return self.predictions[self.choice.used]


def blend(
    base: BaseModels,
    ys: Sequence[Array],
    targets: Sequence[Target],
    folds: Sequence[FoldIndex],
    metric: Metric,
) -> Blended:
    """Average and stack the base models, score everything out of fold, and choose a blend."""
    by_target = list(zip(*base.predictions.values(), strict=True))
    blends = {
        AVERAGE: tuple(average(models) for models in by_target),
        STACK: tuple(
            stack(models, y, folds, target)
            for models, y, target in zip(by_target, ys, targets, strict=True)
        ),
    }
    scores = {
        name: over_seeds(metric, targets, ys, predictions)
        for name, predictions in {**base.predictions, **blends}.items()
    }
    choice = choose(metric, targets, ys, blends[AVERAGE], blends[STACK], folds)
    return Blended(blends, scores, choice)
