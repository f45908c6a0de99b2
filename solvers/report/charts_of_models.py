"""Charts that compare models: scores, likeness of predictions, importance of features."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.record_types import Scores
from solvers.report.drawing import (
    Picture,
    colour,
    name_margin,
    name_rows,
    picture,
    plot,
    series,
    sheet,
)
from solvers.report.grids import grid
from solvers.report.wording import decimals, joined, percent, score_text, shortened
from solvers.target import Array

_WEAK = 0.5  # the correlation at which the colour scale begins


def scores(found: Scores, n: str) -> Picture:
    """Draw every model's score: mean, standard error over fold seeds, and each fold seed."""
    names = list(found.models)
    labels = [f"{shortened(name)} (used)" if name == found.used else name for name in names]
    figure = sheet(0.62 + 0.33 * len(names))
    axes = plot(figure, left=name_margin([shortened(name, 32) for name in labels]), bottom=0.5)
    for row, (name, score) in enumerate(found.models.items()):
        shade = colour("accent" if name == found.used else "ink")
        seeds = score.per_seed if len(score.per_seed) > 1 else []
        axes.plot(seeds, [row] * len(seeds), "|", color=colour("muted"), ms=9, mew=1)
        if score.sem is not None:
            ends = [score.mean - score.sem, score.mean + score.sem]
            axes.plot(ends, [row, row], color=shade, lw=2)
        axes.plot(score.mean, row, "D" if name == found.used else "o", color=shade, ms=6)
    name_rows(axes, labels, 32)
    axes.get_yticklabels()[names.index(found.used)].set_fontweight("bold")
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.12)
    axes.set_xlabel(f"{found.metric} ({'higher' if found.higher_is_better else 'lower'} is better)")
    places = decimals(found.models.values())
    each = [f"{name} {score_text(score, places)}" for name, score in found.models.items()]
    finding = f"{n}. {found.metric}, out of fold: {joined(each)}. Used: {found.used}."
    return picture(figure, "scores-chart", "Scores out of fold", finding, _caption(found, n))


def _caption(found: Scores, n: str) -> str:
    seeds = len(found.models[found.used].per_seed)
    if seeds == 1:
        marks = "One fold seed, so there is no standard error to draw."
    else:
        marks = (
            f"Large mark: mean over {seeds} fold seeds. Bar: its standard error, over fold seeds "
            "only. Small ticks: single fold seeds."
        )
    return f"{marks} The axis does not start at 0. {n}."


def likeness(models: Sequence[str], matrix: Array, n: str, key: str) -> Picture:
    """Draw the correlation of base models' predictions, each pair once."""
    pairs = [(i, j) for i in range(len(models)) for j in range(i)]
    values = {(i, j): float(matrix[i, j]) for i, j in pairs}
    figure = grid(
        rows=models[1:],
        columns=models[:-1],
        cells={(i - 1, j): _level(value) for (i, j), value in values.items()},
        words={(i - 1, j): f"{value:.3f}" for (i, j), value in values.items()},
    )
    most = [f"{models[j]} and {models[i]} {values[i, j]:.3f}" for i, j in pairs[:10]]
    finding = f"{n}. Pearson correlation of out-of-fold predictions: {joined(most)}."
    caption = (
        "Pearson correlation of the base models' out-of-fold predictions; the colours run from "
        f"{_WEAK} or less to 1. {n}."
    )
    return picture(figure, key, "Correlation of predictions", finding, caption)


def _level(value: float) -> float:
    return (value - _WEAK) / (1 - _WEAK) if np.isfinite(value) else 0.0


@dataclass(frozen=True)
class Importance:
    """Shares of the whole for one target: ``(n_features, n_models)``, largest mean first."""

    features: list[str]
    models: list[str]
    mean: Array
    sd: Array
    n_features: int
    fits: int


def importance(found: Importance, key: str) -> Picture:
    """Draw the features that matter most, a bar for each model."""
    names = [shortened(name) for name in found.features]
    n_models = len(found.models)
    row, legend = 0.06 + max(0.18, 0.095 * n_models), 0.22 * (1 + (n_models - 1) // 3)
    figure = sheet(0.72 + legend + row * len(names))
    axes = plot(figure, left=name_margin(names), bottom=0.5, top=legend + 0.1)
    high = 0.84 / n_models
    for column, model in enumerate(found.models):
        rows = np.arange(len(names)) - 0.42 + high * (column + 0.5)
        mean, sd = 100 * found.mean[:, column], 100 * found.sd[:, column]
        axes.barh(rows, mean, high * 0.9, color=series(column), label=shortened(model, 14))
        axes.hlines(rows, np.maximum(mean - sd, 0), mean + sd, color=colour("ink"), lw=0.8)
    name_rows(axes, names)
    axes.set_xlim(left=0)
    axes.set_xlabel("share of the whole, %")
    look = {"handlelength": 1.0, "columnspacing": 1.2, "borderpad": 0.1}
    figure.legend(loc="upper left", ncols=3, **look)
    return picture(figure, key, "Feature importance", _finding(found), _importance_caption(found))


def _finding(found: Importance) -> str:
    means = found.mean.mean(axis=1).tolist()
    each = [f"{name} {percent(mean)}" for name, mean in zip(found.features, means, strict=True)]
    return f"n = {found.fits} fits per model. Largest mean share: {joined(each[:3])}."


def _importance_caption(found: Importance) -> str:
    cut = len(found.features) < found.n_features
    shown = f"The {len(found.features)} largest of {found.n_features:,}" if cut else "All"
    return (
        f"{shown} features, by the mean over models; bars in the order of the legend. Bar: mean "
        "share over a model's fits, by its library's own measure (what splits gained, or for "
        "CatBoost how far they move a prediction); line: standard deviation over fits. n = "
        f"{found.fits} fits per model. It says what a model used, not what causes what."
    )
