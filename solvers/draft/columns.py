"""What a contract says of a column, as far as its values tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

import numpy as np
import pandas as pd

from solvers.baseline.kinds import Kind, date_format, plain_numbers
from solvers.contract import FLAGS
from solvers.draft.literals import LONG, text

Group = Literal["numbers", "loose", "flags", "categories", "codes", "dates", "texts", "names"]

EXACT = 2**53  # whole numbers below it are what they seem
LISTED = 100  # words that a contract lists as categories, where each is there
OFTEN = 10  # times on average; others are codes
_DIGITS = {"%Y": r"\d{4}", "%b": "[A-Za-z]+", "%B": "[A-Za-z]+"}


@dataclass(frozen=True)
class Column:
    """One column of the contract.

    Attributes
    ----------
    group : str
        The group of features that it goes to; ``"names"`` where it only names rows.
    dtype : str
        As the contract writes it.
    checks : tuple of str
        Arguments of its field, as source, but for what is said of `seen`.
    seen : tuple of str
        The categories.
    form : str
        How a date is written.
    beyond : str
        A number that the contract declines; empty where it takes any.
    """

    name: str
    group: Group
    dtype: str
    checks: tuple[str, ...]
    seen: tuple[str, ...] = ()
    form: str = ""
    beyond: str = ""


def describe(name: str, kind: Kind, values: pd.Series, *, is_id: bool) -> Column:
    """Describe a column of a kind by its values in train and test: text, or None."""
    known = values.dropna()
    checks = ("unique=True",) if is_id else ("nullable=True",) if len(known) < len(values) else ()
    if kind == "date":
        form = str(date_format(known))
        return Column(name, "dates", "str", (*checks, *_pattern(known, form)), form=form)
    if kind == "text":
        return Column(name, "texts", "str", checks)
    if is_id:
        return _name(name, known, checks)
    if kind == "number":
        return _number(name, known, checks)
    seen = tuple(sorted(known.unique()))
    if [FLAGS.get(word.strip().lower()) for word in seen] in ([False, True], [True, False]):
        return Column(name, "flags", "pd.BooleanDtype", checks)
    often = kind == "code" and len(seen) <= LISTED and len(known) >= OFTEN * len(seen)
    if (kind == "category" or often) and all(len(text(word)) <= LONG for word in seen):
        return Column(name, "categories", "str", checks, seen)
    return Column(name, "codes", "str", checks)


def _pattern(known: pd.Series, form: str) -> Sequence[str]:
    """Say how each date looks, if all look alike."""
    pattern = re.sub("%.", lambda part: _DIGITS.get(part[0], r"\d{1,2}"), form.replace(".", r"\."))
    if not known.str.fullmatch(pattern).all():
        return ()
    shown = pd.Timestamp("2001-02-03 04:05:06").strftime(form)
    return f'str_matches=r"^{pattern}$"', f"description={text(f'a date such as {shown}')}"


def _name(name: str, known: pd.Series, checks: tuple[str, ...]) -> Column:
    read = plain_numbers(known)
    if np.isnan(read).any() or not _whole(read):
        return Column(name, "names", "str", checks)
    return Column(name, "names", "int", (*checks, *(["ge=0"] if read.min() >= 0 else [])))


def _whole(read: np.typing.NDArray[np.float64]) -> bool:
    return bool((read % 1 == 0).all() and (np.abs(read) < EXACT).all())


def _number(name: str, known: pd.Series, checks: tuple[str, ...]) -> Column:
    read = plain_numbers(known)
    if np.isnan(read).any():
        return Column(name, "loose", "str", checks)
    low, high = outward(read)
    dtype = "int" if _whole(read) and not checks else "float"
    beyond = str(2 * abs(int(float(high))) + 1)  # among large numbers 1 more is no more
    return Column(name, "numbers", dtype, (*checks, f"ge={low}", f"le={high}"), beyond=beyond)


def outward(read: np.typing.NDArray[np.float64]) -> tuple[str, str]:
    """Round the least and the greatest number outward, to two digits of the larger.

    Examples
    --------
    >>> outward(np.array([1872.0, 2010.0]))
    ('1800', '2100')
    >>> outward(np.array([-0.05, 0.1234]))
    ('-0.05', '0.13')
    """
    ends = [Decimal(repr(float(end))) for end in (read.min(), read.max())]
    place = max(end.adjusted() for end in ends if end or not any(ends)) - 1
    step = Decimal(1).scaleb(max(place, 0) if _whole(read) else place)
    return (
        plain((ends[0] / step).to_integral_value(ROUND_FLOOR) * step),
        plain((ends[1] / step).to_integral_value(ROUND_CEILING) * step),
    )


def plain(number: Decimal) -> str:
    """Write it without needless digits; a very large or small one with an exponent.

    Examples
    --------
    >>> plain(Decimal("12.0")), plain(Decimal("-2.4e22"))
    ('12', '-2.4e22')
    """
    if number == number.to_integral_value() and abs(number) < EXACT:
        return str(int(number))
    return repr(float(number)).replace("e+", "e")
