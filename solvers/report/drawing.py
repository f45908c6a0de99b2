"""Figures: drawn by Matplotlib, turned into SVG that takes its colours from the page.

Matplotlib gets colours that stand for roles; in the SVG each is replaced by a CSS variable, so that
one picture serves light, dark and paper.
"""

import io
import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, cast

from solvers.report.wording import glued, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 3.9  # inches: on a phone as on a desk about the size that the page gives it
STEPS = 6  # of the colour scale
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 3)))
_ROLES = (
    "ink", "muted", "grid", "surface", "accent", "accent-soft",
    *(f"series-{number}" for number in range(5)),
    *(f"step-{number}" for number in range(STEPS)),
    "on-low", "on-high",
)  # fmt: skip
_STANDS_FOR = {role: f"#fe{number:02x}01" for number, role in enumerate(_ROLES)}
_TAG = re.compile(r"<[^>]+>")
_COLOUR = re.compile(r"#fe([0-9a-f]{2})01")


@dataclass(frozen=True)
class Picture:
    """A figure of the page, and the words that go with it; `svg` is markup, the rest is text."""

    key: str
    title: str
    svg: str
    caption: str


def colour(role: str) -> str:
    """Give the colour that stands for a CSS variable of the page."""
    return _STANDS_FOR[role]


def series(number: int) -> str:
    """Give the colour of a series; from the sixth on, markers and dashes alone tell them apart."""
    return colour(f"series-{number % 5}")


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in the page's style, whatever the user's own Matplotlib settings are."""
    # It warns of a home that it cannot write to, and works without one.
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        import matplotlib as mpl

        with mpl.rc_context(), warnings.catch_warnings():
            mpl.rcdefaults()
            mpl.rcParams.update(cast(Any, _style()))
            # The browser has the glyphs that the font used for measuring lacks.
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            yield
    finally:
        logger.setLevel(level)


def _style() -> dict[str, Any]:
    ink, muted = colour("ink"), colour("muted")
    return {
        "axes.axisbelow": True,
        "axes.edgecolor": muted,
        "axes.formatter.useoffset": False,
        "axes.grid": True,
        "axes.labelcolor": ink,
        "axes.labelsize": 9,
        "axes.linewidth": 0.7,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "font.size": 9,
        "grid.color": colour("grid"),
        "grid.linewidth": 0.6,
        "lines.solid_capstyle": "butt",
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "text.color": ink,
        "text.parse_math": False,  # "$" in a column's name is a dollar
        "xtick.color": muted,
        "xtick.labelcolor": ink,
        "xtick.labelsize": 8.5,
        "xtick.major.width": 0.7,
        "ytick.color": muted,
        "ytick.labelcolor": ink,
        "ytick.labelsize": 8.5,
        "ytick.major.width": 0.7,
    }


def sheet(height: float) -> "Figure":
    """Make an empty figure, so and so many inches high."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height))
    figure.patch.set_visible(False)
    return figure


def plot(
    figure: "Figure", *, left: float, bottom: float, top: float = 0.1, right: float = 0.12
) -> "Axes":
    """Add axes; the margins around them are given in inches, so that no layout need be solved."""
    width, height = figure.get_size_inches()
    box = (left / width, bottom / height, (width - left - right) / width)
    axes = figure.add_axes((*box, (height - bottom - top) / height))
    axes.patch.set_visible(False)
    return axes


def name_margin(names: Sequence[str]) -> float:
    """Give the inches that names beside an axis take."""
    return 0.2 + 0.07 * max(map(len, names), default=0)


def name_rows(axes: "Axes", names: Sequence[str], limit: int = 24) -> None:
    """Name the rows of a chart, the first on top."""
    axes.set_yticks(range(len(names)), [shortened(name, limit) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def picture(figure: "Figure", key: str, title: str, finding: str, caption: str) -> Picture:
    """Finish a figure: `finding` says in words, with numbers and n, what it shows."""
    raw = _svg(figure, key)
    head, body = raw[: raw.index(">")], raw[raw.index(">") + 1 :]
    box = re.search(r'viewBox="[^"]*"', head)
    svg = (
        f'<svg class="plot" role="img" aria-labelledby="{key}-name {key}-finding" '
        f'{box[0] if box else ""}><title id="{key}-name">{escape(title)}</title>'
        f'<desc id="{key}-finding">{escape(finding)}</desc>{body}'
    )
    return Picture(key, title, svg, glued(caption))


def _svg(figure: "Figure", key: str) -> str:
    """Draw, and keep what a page needs: no ids but those referred to, no needless digits."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.StringIO()
    # The salt makes ids the same in every process, and different from figure to figure.
    with mpl.rc_context({"svg.hashsalt": key}):
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", text, flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', text))
    text = re.sub(r">\s+<", "><", text)
    return _TAG.sub(lambda tag: _tag(tag[0], used), text).strip()


def _tag(tag: str, used: set[str]) -> str:
    """Clean one tag. Text between tags is never touched: it may look like anything."""
    tag = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", tag)
    tag = re.sub(r"(\.\d\d)\d+", r"\1", tag.replace("xlink:href", "href"))
    return _COLOUR.sub(lambda found: f"var(--{_ROLES[int(found[1], 16)]})", tag)
