"""Charts of targets with classes: calibration, ROC, mistakes, margins."""

from collections.abc import Sequence

import numpy as np

from solvers.report.drawing import (
    DASHES,
    MARKERS,
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
from solvers.report.statistics import Calibration, Pair, Roc, confused, confusion
from solvers.report.wording import joined, percent, shortened
from solvers.target import Array

FEW = 30  # predictions in a bin below which its share is mostly chance
GRID_CLASSES = 12
PAIRS = 15


def calibration(bins: Calibration, *, what: str, came_true: str, n: str, key: str) -> Picture:
    """Draw predicted against observed shares, and how many predictions each bin holds."""
    figure = sheet(3.75)
    axes = plot(figure, left=0.62, bottom=1.35)
    axes.plot([0, 1], [0, 1], color=colour("muted"), lw=1, ls=(0, (4, 3)))
    kept = bins.counts > 0
    axes.plot(bins.predicted[kept], bins.observed[kept], color=colour("accent"), lw=1.5)
    for enough in (True, False):
        here = kept & ((bins.counts >= FEW) == enough)
        face = colour("accent" if enough else "surface")
        points = axes.plot(bins.predicted[here], bins.observed[here], "o", ms=5.5)[0]
        points.set(color=colour("accent"), markerfacecolor=face)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel=f"share {shortened(came_true, 22)}")
    axes.tick_params(labelbottom=False)
    below = plot(figure, left=0.62, bottom=0.5, top=2.5)
    below.bar(bins.edges[:-1], bins.counts, 0.094, align="edge", color=colour("accent-soft"))
    below.set(xlim=(-0.02, 1.02), xlabel=shortened(what, 44), ylabel="count")
    below.locator_params(axis="y", nbins=3, integer=True)
    below.yaxis.set_major_formatter(_thousands)
    finding = (
        f"{n}. Predicted and observed shares differ by {percent(bins.gap)} on average. "
        f"Counts per bin from 0 to 1: {', '.join(f'{count:,}' for count in bins.counts)}."
    )
    caption = (
        f"Mean prediction of a bin against the share that came true; dashed: perfect. On average "
        f"they differ by {percent(bins.gap)}. Below: predictions per bin; bins with fewer than "
        f"{FEW} are hollow. {n}."
    )
    return picture(figure, key, "Calibration of the used blend", finding, caption)


def _thousands(value: float, position: float) -> str:
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"


def roc_curves(curves: dict[str, Roc], label: str, n: str, key: str) -> Picture:
    """Draw the mean curve of each model, its area in the legend."""
    figure = sheet(3.75)
    axes = plot(figure, left=0.62, bottom=0.5)
    axes.plot([0, 1], [0, 1], color=colour("muted"), lw=1, ls=(0, (4, 3)))
    for at, (model, curve) in enumerate(curves.items()):
        axes.plot(
            np.append(0.0, curve.false_positives),
            np.append(0.0, curve.true_positives),
            color=series(at),
            ls=DASHES[at % len(DASHES)],
            marker=MARKERS[at % len(MARKERS)],
            markevery=(4 + 4 * at, 22),
            lw=1.5,
            ms=4.5,
            label=f"{shortened(model, 14)}  {curve.area_text()}",
        )
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set(xlabel="false positive rate", ylabel="true positive rate")
    axes.legend(loc="lower right", title="area under the curve", title_fontsize=8.5)
    areas = [f"{model} {curve.area_text()}" for model, curve in curves.items()]
    finding = f"{n}. Area under the ROC curve for {label}: {joined(areas)}."
    errors = any(len(curve.areas) > 1 for curve in curves.values())
    over = "Mean curve over fold seeds; ± is the standard error over fold seeds. " if errors else ""
    caption = f"Positive is {label!r}. {over}Curves that lie on each other are equally good. {n}."
    return picture(figure, key, "ROC of base models and used blend", finding, caption)


def margins(
    values: Array,
    *,
    axis: str,
    key: str,
    decided: bool,
    near: tuple[float, float] = (0.45, 0.55),
    said: str = "less than 0.05 from the threshold of 0.5",
) -> Picture:
    """Draw how test rows are spread from 0 to 1, and mark those that lie close to another label."""
    figure = sheet(3.75)
    axes = plot(figure, left=0.62, bottom=0.5, top=0.4)
    edges = np.linspace(0, 1, 41)
    counts = np.histogram(values, edges)[0]
    middles = (edges[:-1] + edges[1:]) / 2
    close = (middles > near[0]) & (middles < near[1])
    for bars, role in ((~close, "accent-soft"), (close, "accent")):
        axes.bar(middles[bars], counts[bars], 0.0225, color=colour(role))
    axes.set(xlabel=shortened(axis, 44), ylabel="test rows", xlim=(0, 1))
    axes.locator_params(axis="y", integer=True)
    axes.yaxis.set_major_formatter(_thousands)
    n_close = int(((values >= near[0]) & (values < near[1])).sum())
    share = f"{n_close:,} of {len(values):,} rows ({percent(n_close / len(values))})"
    figure.text(0.62 / 3.9, 1 - 0.12 / 3.75, f"■ {share}", color=colour("accent"), va="top")
    why = "" if decided else " The metric takes probabilities, so no label is decided here."
    finding = f"n = {len(values):,} test rows. Highlighted: {n_close:,} rows, {said}."
    caption = (
        f"Test predictions of the used blend. Highlighted: {said}.{why} n = {len(values):,} rows."
    )
    return picture(figure, key, "Margins of the test rows", finding, caption)


def mistakes(truth: Array, taken: Array, labels: Sequence[str], n: str, key: str) -> Picture:
    """Draw the confusion matrix, or of many classes the pairs that are confused most."""
    pairs = confused(truth, taken, len(labels))
    right = float(np.mean(truth == taken))
    worst = [
        f"{labels[pair.true]!r} taken for {labels[pair.taken]!r} {pair.count:,} times"
        for pair in pairs[:1]
    ]
    finding = ". ".join([f"{n}. {percent(right)} are right", *worst]) + "."
    if len(labels) <= GRID_CLASSES:
        return _matrix(truth, taken, labels, key, finding, n)
    return _pairs(pairs[:PAIRS], len(pairs), labels, key, finding, n)


def _matrix(
    truth: Array, taken: Array, labels: Sequence[str], key: str, finding: str, n: str
) -> Picture:
    counts = confusion(truth, taken, len(labels))
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    cells = {(i, j): float(share[i, j]) for i, j in np.ndindex(*share.shape)}
    words = {cell: f"{100 * value:.0f}" for cell, value in cells.items() if counts[cell]}
    figure = grid(labels, labels, cells, words, across="predicted", down="true")
    caption = (
        "Percent of each true class (row) by predicted class (column), for the used blend; empty: "
        f"none. {n}."
    )
    return picture(figure, key, "Confusion matrix", finding, caption)


def _pairs(
    pairs: Sequence[Pair], n_pairs: int, labels: Sequence[str], key: str, finding: str, n: str
) -> Picture:
    names = [
        f"{shortened(labels[pair.true], 10)} → {shortened(labels[pair.taken], 10)}"
        for pair in pairs
    ]
    figure = sheet(0.65 + 0.22 * max(len(names), 1))
    axes = plot(figure, left=name_margin(names), bottom=0.5)
    axes.barh(range(len(names)), [100 * pair.share for pair in pairs], 0.7, color=colour("accent"))
    name_rows(axes, names)
    axes.set_xlabel("% of the true class")
    caption = (
        f"True → predicted: the {len(pairs)} most frequent of {n_pairs:,} kinds of "
        f"mistake among {len(labels)} classes, for the used blend. {n}."
    )
    return picture(figure, key, "Most confused classes", finding, caption)
