"""What a text in a column of answers or of a submission stands for: pandas' view, written out.

A grader lets pandas guess a column's type, and the guess decides what is valid. Here the same
rules are applied to texts, so that no version of pandas can change a verdict.
"""

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal

# The texts that `pandas.read_csv` takes for missing by default.
MISSING = frozenset(
    {
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
    }
)  # fmt: skip
TRUTH = {"false": 0.0, "true": 1.0}

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_INFINITE = re.compile(r"\s*[+-]?inf(inity)?\s*", re.ASCII | re.IGNORECASE)


def is_number(text: str) -> bool:
    """Tell whether `text` is a decimal number, blanks around it allowed, or infinite.

    Examples
    --------
    >>> is_number(" 1e-3"), is_number("inf"), is_number("1_000"), is_number("0.5 %")
    (True, True, False, False)
    """
    return bool(_NUMBER.fullmatch(text) or _INFINITE.fullmatch(text))


def as_numbers(texts: Sequence[str]) -> list[float] | None:
    """Read a column as numbers, or return None if it is text.

    Examples
    --------
    >>> as_numbers(["True", "false"]), as_numbers(["1", "0.5"])
    ([1.0, 0.0], [1.0, 0.5])
    >>> as_numbers(["True", "1"]), as_numbers(["True", "false "])
    (None, None)
    """
    if all(text.lower() in TRUTH for text in texts):
        return [TRUTH[text.lower()] for text in texts]
    if all(map(is_number, texts)):
        return [float(text) for text in texts]
    return None


def as_labels(texts: Sequence[str]) -> list[float] | list[str]:
    """Read a column as labels: numbers if all are, so that ``1``, ``1.0`` and ``True`` are one."""
    numbers = as_numbers(texts)
    return list(texts) if numbers is None else numbers


def id_keys(texts: Sequence[str]) -> list[Hashable]:
    """Read a column of ids, exactly: ``7``, ``007`` and ``7.0`` are one if all are numbers."""
    if all(map(_NUMBER.fullmatch, texts)):
        return [Decimal(text.strip()) for text in texts]
    return list(texts)
