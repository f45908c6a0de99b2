"""The stages of a run over time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solvers.record_types import Stage
from solvers.report.drawing import Picture, colour, name_margin, name_rows, picture, plot, sheet
from solvers.report.wording import joined, seconds, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stages(found: Sequence[Stage]) -> Picture:
    """Draw when each stage of the last sitting began and how long it took."""
    names = [shortened(stage.stage) for stage in found]
    first = min(stage.started for stage in found)
    begun = [(stage.started - first).total_seconds() for stage in found]
    end = max(at + stage.seconds for at, stage in zip(begun, found, strict=True)) or 1.0
    figure = sheet(0.62 + 0.25 * len(names))
    axes = plot(figure, left=name_margin(names), bottom=0.5)
    for row, (at, stage) in enumerate(zip(begun, found, strict=True)):
        # A stage that is short on this scale is still seen.
        axes.barh(row, max(stage.seconds, end / 200), 0.66, at, color=colour("accent"))
        _write_seconds(axes, row, at, stage.seconds, end)
    name_rows(axes, names)
    axes.set_xlim(0, end * 1.02)
    axes.set_xlabel("seconds since the first stage began")
    longest = sorted(found, key=lambda stage: -stage.seconds)[:3]
    each = [f"{stage.stage} {seconds(stage.seconds)}" for stage in longest]
    finding = f"n = {len(found)} stages in {seconds(end)}. The longest: {joined(each)}."
    caption = (
        "Stages of the last sitting; between them, libraries are imported and worker processes "
        f"started. n = {len(found)} stages."
    )
    return picture(figure, "stages-chart", "When each stage ran", finding, caption)


def _write_seconds(axes: "Axes", row: int, begun: float, length: float, end: float) -> None:
    """Write the time into a long bar, else beside it, where there is room."""
    long, late = length > 0.25 * end, begun + length > 0.72 * end
    left = not (long or late)
    axes.annotate(
        seconds(length),
        (begun if late and not long else begun + length, row),
        xytext=(6 if left else -5, 0),
        textcoords="offset points",
        ha="left" if left else "right",
        va="center",
        fontsize=8.5,
        color=colour("surface" if long else "ink"),
    )
