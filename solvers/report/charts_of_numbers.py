"""Charts of a target that is a number: residuals."""

from typing import TYPE_CHECKING

import numpy as np

from solvers.report.drawing import STEPS, Picture, colour, picture, plot, sheet
from solvers.report.grids import paint
from solvers.report.wording import TIMES, number
from solvers.target import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CELLS = (36, 28)


def density(predicted: Array, residual: Array, unit: str, n: str, key: str) -> Picture:
    """Draw residuals against predictions as counts in cells: any number of rows fits."""
    spans = [_span(predicted), _span(residual)]
    counts, x, y = np.histogram2d(predicted, residual, _CELLS, range=spans)
    figure = sheet(3.75)
    axes = plot(figure, left=0.75, bottom=0.5, top=0.45)
    highest = max(float(counts.max()), 1.0)
    full = [(int(i), int(j)) for i, j in np.argwhere(counts > 0)]
    steps = {cell: _log_step(float(counts[cell]), highest) for cell in full}
    boxes = {(i, j): (x[i], y[j], x[i + 1] - x[i], y[j + 1] - y[j]) for i, j in full}
    paint(axes, steps, boxes)
    axes.axhline(0, color=colour("ink"), lw=0.8)
    axes.set(xlim=spans[0], ylim=spans[1], xlabel=f"predicted{unit}", ylabel=f"residual{unit}")
    axes.locator_params(nbins=5)
    _scale(figure, highest)
    outside = len(predicted) - int(counts.sum())
    slope = _correlation(predicted, residual)
    finding = (
        f"{n}. The correlation of residual and prediction is {slope:.3f}; the fullest of "
        f"{_CELLS[0]} {TIMES} {_CELLS[1]} cells holds {int(highest):,}."
    )
    caption = (
        f"Residual = true - predicted, used blend, out of fold. {outside:,} predictions lie "
        f"outside the axes. {n}."
    )
    return picture(figure, key, "Residuals against predictions", finding, caption)


def _span(values: Array) -> tuple[float, float]:
    """Cover all but the outermost 0.25 % at each end, and never nothing."""
    low, high = (float(value) for value in np.quantile(values, [0.0025, 0.9975]))
    if high > low:
        return low, high
    return low - max(abs(low), 1.0) / 2, low + max(abs(low), 1.0) / 2


def _correlation(a: Array, b: Array) -> float:
    if not a.std() or not b.std():
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _log_step(count: float, highest: float) -> int:
    """Give the colour of a count: equal ratios are equal steps; the palest is too pale here."""
    level = np.log(count) / np.log(highest) if highest > 1 else 1.0
    return 1 + int(min(level * (STEPS - 1), STEPS - 2))


def _scale(figure: "Figure", highest: float) -> None:
    """Explain the colours above the axes."""
    axes = figure.add_axes((0.75 / 3.9, 1 - 0.27 / 3.75, 2.2 / 3.9, 0.11 / 3.75))
    boxes = {(0, at): (float(at), 0.0, 1.0, 1.0) for at in range(1, STEPS)}
    paint(axes, {(0, at): at for at in range(1, STEPS)}, boxes)
    axes.set(xlim=(1, STEPS), ylim=(0, 1))
    axes.set_axis_off()
    figure.text(0.7 / 3.9, 1 - 0.21 / 3.75, "1", ha="right", va="center")
    most = f"{int(highest):,} per cell"
    figure.text(3.02 / 3.9, 1 - 0.21 / 3.75, most, ha="left", va="center", fontsize=8.5)


def residuals(residual: Array, unit: str, n: str, key: str) -> Picture:
    """Draw how residuals are spread."""
    span = _span(residual)
    figure = sheet(3.75)
    axes = plot(figure, left=0.75, bottom=0.5, top=0.45)
    counts, edges = np.histogram(residual, 40, range=span)
    middles, width = (edges[:-1] + edges[1:]) / 2, (edges[1] - edges[0]) * 0.9
    axes.bar(middles, counts, width, color=colour("accent-soft"))
    median = float(np.median(residual))
    axes.axvline(0, color=colour("ink"), lw=0.8)
    axes.axvline(median, color=colour("accent"), lw=1.8, ls=(0, (4, 2)))
    axes.set(xlim=span, xlabel=f"residual{unit}", ylabel="count")
    axes.locator_params(nbins=5)
    said = f"median {number(median)}"
    figure.text(0.75 / 3.9, 1 - 0.21 / 3.75, f"┆ {said}", color=colour("accent"), va="center")
    low, high = (float(value) for value in np.quantile(residual, [0.05, 0.95]))
    middle = f"nine tenths lie between {number(low)} and {number(high)}"
    outside = len(residual) - int(counts.sum())
    finding = f"{n}. Residuals: {said}; {middle}."
    caption = (
        f"Residual = true - predicted, used blend, out of fold: {middle}. {outside:,} lie outside "
        f"the axis. {n}."
    )
    return picture(figure, key, "Spread of the residuals", finding, caption)
