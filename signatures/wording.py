"""Small pieces of sentences that the errors share."""

from collections.abc import Collection, Iterable
from itertools import islice

EXAMPLES = 3  # an error names this many of a kind, then counts the rest


def quoted(names: Collection[str]) -> str:
    """Return at most three of `names` in quotes, and how many more there are.

    Names are shown as Python would, so that a control character in a file name cannot reach the
    terminal.
    """
    return some([repr(name) for name in islice(names, EXAMPLES)], len(names))


def some(shown: list[str], total: int) -> str:
    """Join what is shown and count what is not."""
    text = ", ".join(shown)
    rest = total - len(shown)
    return f"{text} and {rest:,} more" if rest > 0 else text


def counted(number: int, noun: str) -> str:
    """Return "1 column" or "3 columns"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def sentences(parts: Iterable[str]) -> str:
    """Join `parts`, each ending in a full stop."""
    stripped = (part.strip() for part in parts)
    return " ".join(part if part[-1] in ".!?" else f"{part}." for part in stripped if part)
