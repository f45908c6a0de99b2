"""How the page writes numbers, names and times: in one way throughout."""

import math
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

from solvers.record_types import Score

TIMES = "\N{MULTIPLICATION SIGN}"
_GLUE = "\N{NO-BREAK SPACE}"


def decimals(scores: Iterable[Score]) -> int:
    """Count the decimals that are worth printing: two figures of the largest standard error.

    Without an error, four figures of the largest score.

    >>> decimals([Score(mean=0.81447, sem=0.00088, per_seed=[])])
    5
    >>> decimals([Score(mean=0.788, sem=None, per_seed=[])])
    4
    """
    scores = list(scores)
    error = max((score.sem or 0.0 for score in scores), default=0.0)
    size = max((abs(score.mean) for score in scores), default=0.0)
    largest, figures = (error, 2) if error > 0 else (size, 4)
    if not (0 < largest < math.inf):
        return 4
    return min(9, max(0, figures - 1 - math.floor(math.log10(largest))))


def score_text(score: Score, places: int) -> str:
    """Write a score with its standard error, where there is one.

    >>> score_text(Score(mean=0.814470, sem=0.00088, per_seed=[]), 5)
    '0.81447 ± 0.00088'
    """
    error = "" if score.sem is None else f" ± {score.sem:,.{places}f}"
    return f"{score.mean:,.{places}f}{error}"


def number(value: float, figures: int = 3) -> str:
    """Write a measured number to a few figures, never as a power of ten below a billion.

    >>> number(1234567.0), number(0.01234), number(-12.3456)
    ('1,234,567', '0.0123', '-12.3')
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    exponent = math.floor(math.log10(abs(value)))
    if not -6 <= exponent <= 9:
        return f"{value:.{figures - 1}e}"
    return f"{value:,.{max(0, figures - 1 - exponent)}f}"


def percent(share: float) -> str:
    """Write a share in percent, small ones to one more figure; its space breaks no line.

    >>> [percent(share).replace(_GLUE, " ") for share in (0.5, 0.0312, 0.00004, 0.0, 1.0)]
    ['50 %', '3.1 %', '<0.1 %', '0 %', '100 %']
    """
    if 0 < share < 0.001:
        return f"<0.1{_GLUE}%"
    return f"{100 * share:.{1 if 0 < share < 0.1 else 0}f}{_GLUE}%"


def glued(sentence: str) -> str:
    """Keep "n =" and its number on one line."""
    return sentence.replace("n = ", f"n{_GLUE}={_GLUE}")


def seconds(value: float) -> str:
    """Write a time span.

    >>> seconds(0.004), seconds(28.23), seconds(125), seconds(3725)
    ('<0.1 s', '28.2 s', '2 min 05 s', '1 h 02 min')
    """
    if value < 0.1:
        return "<0.1 s"
    if value < 59.95:
        return f"{value:.1f} s"
    whole = round(value)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02d} min"


def megabytes(value: float) -> str:
    """Write an amount of memory; `value` counts 10^6 bytes.

    >>> megabytes(603.6), megabytes(1234.5)
    ('604 MB', '1.23 GB')
    """
    return f"{value:.0f} MB" if value < 1000 else f"{value / 1000:.2f} GB"


def moment(time: datetime) -> str:
    """Write a time in UTC, as every locale reads it."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def shortened(name: str, limit: int = 24) -> str:
    """Cut a long name in its middle, and let nothing in it break a line of a figure.

    >>> shortened("destination_55_cancri_e_and_more", 16)
    'destinat…nd_more'
    """
    plain = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in name)
    if len(plain) <= limit:
        return plain
    return f"{plain[: limit // 2]}…{plain[len(plain) - (limit - limit // 2 - 1) :]}"


# Control and format characters, lone surrogates, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def joined(parts: list[str]) -> str:
    """Join words as a sentence does.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([*([", ".join(parts[:-1])] if parts[:-1] else []), *parts[-1:]])
