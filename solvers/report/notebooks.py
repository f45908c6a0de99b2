"""What the notebooks show: figures and sources, readable on a light page and on a dark one.

Needs IPython, which every notebook has.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHEET = "padding: 0.5em; background: #f6f6f6"
_TEXT = "color: #222; font: 13px monospace; white-space: pre; overflow-x: auto"


def draw_as_here() -> None:
    """Draw figures in this package's style from now on, sharp on any screen."""
    import matplotlib.pyplot as plt
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    set_matplotlib_formats("retina")  # type: ignore[no-untyped-call]
    plt.style.use("solvers.report.notebook")


def show(figure: "Figure") -> None:
    """Show a figure of one pair of axes, with words for those who do not see it."""
    import matplotlib.pyplot as plt
    from IPython.display import display

    (ax,) = figure.axes
    alt = f"{ax.get_title('left')}. Across: {ax.get_xlabel()}. Up: {ax.get_ylabel() or 'by name'}."
    display(figure, metadata={"image/png": {"alt": alt}})  # type: ignore[no-untyped-call]
    plt.close(figure)


def source(*what: Callable[..., object] | Path) -> Any:
    """Show functions as their module has them, or files."""
    from IPython.display import HTML
    from pygments import highlight  # type: ignore[import-untyped]
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
    from pygments.lexers import get_lexer_for_filename  # type: ignore[import-untyped]

    name = next((one.name for one in what if isinstance(one, Path)), "functions.py")
    texts = [one.read_text() if isinstance(one, Path) else inspect.getsource(one) for one in what]
    look = HtmlFormatter(noclasses=True, cssstyles=_SHEET, prestyles=_TEXT)
    page = highlight("\n\n".join(texts), get_lexer_for_filename(name), look)
    return HTML(page)  # type: ignore[no-untyped-call]
