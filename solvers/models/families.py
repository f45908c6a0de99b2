"""Texts that are made of each other: who is whose relative, found again in any choice of rows.

A text may be cut in two parts, which are texts of the table too, and a part may be part of several.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

Places = npt.NDArray[np.intp]
Pairs = tuple[Places, Places]
NONE = -1


@dataclass(frozen=True)
class Links:
    """Columns of X that name a text by its number, and its relatives by theirs; -1 for none.

    Attributes
    ----------
    number : str
        The text itself.
    whole : str
        The text that it is part of, where it was found.
    left, right : str
        The two texts that it is made of.
    """

    number: str = "number"
    whole: str = "whole"
    left: str = "left"
    right: str = "right"

    @property
    def columns(self) -> tuple[str, ...]:
        """All four."""
        return (self.number, self.whole, self.left, self.right)

    def family(self, rows: pd.DataFrame) -> "Family":
        """Find the row of each relative; one that is not among the rows is none."""
        numbers, *links = (rows[name].to_numpy(dtype=np.intp) for name in self.columns)
        row_of = np.full(max(numbers.max(), *(link.max() for link in links)) + 2, NONE)
        row_of[numbers] = np.arange(len(numbers))  # the last one stays: it is that of -1
        return Family(*(row_of[link] for link in links))


@dataclass(frozen=True)
class Family:
    """The row of each row's relative; -1 for none. Attributes are those of `Links`."""

    whole: Places = field(repr=False)
    left: Places = field(repr=False)
    right: Places = field(repr=False)

    @cached_property
    def near(self) -> Mapping[str, Places]:
        """The nearest four: the sibling is the other half of the whole."""
        mine = np.arange(len(self.whole))
        first, second = after(self.whole, self.left), after(self.whole, self.right)
        sibling = np.where(first == mine, second, np.where(second == mine, first, NONE))
        return {"whole": self.whole, "left": self.left, "right": self.right, "sibling": sibling}

    @cached_property
    def far(self) -> Mapping[str, Places]:
        """Two links away."""
        halves = {"left": self.left, "right": self.right}
        below = {f"{a} {b}": after(halves[a], halves[b]) for a in halves for b in halves}
        return {"whole whole": after(self.whole, self.whole), **below}

    @cached_property
    def top(self) -> Places:
        """The text that is part of no other, and that a text is part of."""
        top, above = np.full_like(self.whole, NONE), self.whole
        while (above >= 0).any():
            top, above = np.where(above >= 0, above, top), after(above, self.whole)
        return top

    @cached_property
    def wholes(self) -> sparse.csr_matrix:
        """All that a text is a half of."""
        mine = np.tile(np.arange(len(self.whole)), 2)
        return self._matrix(_there(np.concatenate([self.left, self.right]), mine))

    @cached_property
    def above(self) -> sparse.csr_matrix:
        """All texts around one, each around the one before."""
        parts, mine, above = [], np.arange(len(self.whole)), self.whole
        while len(mine):
            above, mine = _there(above, mine)
            parts.append((mine, above))
            above = self.whole[above]
        return self._matrix(_joined(parts))

    @cached_property
    def within(self) -> sparse.csr_matrix:
        """All that a text is made of, down to the smallest; what is in it twice counts twice."""
        parts, mine, part = [], np.arange(len(self.whole)), np.arange(len(self.whole))
        while len(mine):
            halves = np.concatenate([self.left[part], self.right[part]])
            part, mine = _there(halves, np.tile(mine, 2))
            parts.append((mine, part))
        return self._matrix(_joined(parts))

    def _matrix(self, pairs: Pairs) -> sparse.csr_matrix:
        n = len(self.whole)
        return sparse.csr_matrix((np.ones(len(pairs[0])), pairs), shape=(n, n))


def after(first: Places, then: Places) -> Places:
    """Follow one link and then another."""
    return np.where(first >= 0, then[first], NONE)


def _there(relative: Places, mine: Places) -> Pairs:
    """Leave out those without a relative."""
    return relative[relative >= 0], mine[relative >= 0]


def _joined(parts: list[Pairs]) -> Pairs:
    first, second = zip(*parts, strict=True)
    return np.concatenate(first), np.concatenate(second)
