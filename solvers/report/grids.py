"""Fields of coloured cells, on the page's colour scale."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from solvers.report.drawing import STEPS, WIDTH, colour, name_margin, plot, sheet
from solvers.report.wording import shortened
from solvers.target import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cell = tuple[int, int]  # row and column
_NAME = 14  # characters of a name beside a grid


def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[Cell, float],
    words: Mapping[Cell, str],
    *,
    across: str = "",
    down: str = "",
) -> "Figure":
    """Draw a table of cells: `cells` says how dark, from 0 to 1, and `words` what is in them."""
    left_names = [shortened(name, _NAME) for name in rows]
    top_names = [shortened(name, _NAME) for name in columns]
    left = name_margin(left_names) + (0.18 if down else 0)
    wide = (WIDTH - left - 0.1) / len(columns)
    slanted = wide < name_margin(top_names)
    top = 0.12 + (0.18 if across else 0) + (0.065 * max(map(len, top_names)) if slanted else 0.2)
    high = min(wide, 0.55)
    figure = sheet(top + high * len(rows) + 0.08)
    axes = plot(figure, left=left, bottom=0.08, top=top, right=0.1)
    boxes = {(row, column): (column, row, 1.0, 1.0) for row, column in cells}
    paint(axes, {cell: step(level) for cell, level in cells.items()}, boxes)
    small = 8.5 if wide > 0.42 else 7.5
    for (row, column), text in words.items():
        shade = colour("on-high" if step(cells[row, column]) >= STEPS // 2 else "on-low")
        place = (column + 0.5, row + 0.5)
        axes.text(*place, text, color=shade, fontsize=small, ha="center", va="center")
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks(np.arange(len(columns)) + 0.5, top_names, rotation=90 if slanted else 0)
    axes.set_yticks(np.arange(len(rows)) + 0.5, left_names)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set(xlabel=across, ylabel=down)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return figure


def step(level: float) -> int:
    """Give the step of the colour scale for a level from 0 to 1."""
    return int(np.clip(level * STEPS, 0, STEPS - 1))


def paint(
    axes: "Axes",
    steps: Mapping[Cell, int],
    boxes: Mapping[Cell, tuple[float, float, float, float]],
) -> None:
    """Fill boxes (left, bottom, width, height): one path a colour, however many cells there are."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    for number in range(STEPS):
        corners = [_corners(*boxes[cell]) for cell, at in steps.items() if at == number]
        if corners:
            codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
            path = Path(np.concatenate(corners), codes * len(corners))
            look = {"facecolor": colour(f"step-{number}"), "edgecolor": colour("surface")}
            axes.add_patch(PathPatch(path, lw=0.5, **look))


def _corners(left: float, bottom: float, width: float, height: float) -> Array:
    right, top = left + width, bottom + height
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])
