"""Texts as one row of numbers, and the n-grams in it: all further counting is arithmetic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

Unit = Literal["char", "word"]
Numbers = npt.NDArray[np.int32 | np.int64]

_WORD = re.compile(r"\w+|[^\w\s]")  # a mark is a word too: authors differ in them


@dataclass(frozen=True)
class View:
    """Which n-grams of which column are looked at.

    Attributes
    ----------
    of : {"char", "word"}
        What the n-grams are made of.
    least, most : int
        Length of an n-gram.
    lower : bool
        Whether capitals count as small letters.
    column : str, optional
        The column of text; by default the first.
    """

    of: Unit
    least: int
    most: int
    lower: bool = False
    column: str | None = None

    def __str__(self) -> str:
        """Name the view in a few letters."""
        return f"{self.column or 'text'} {self.of} {self.least}-{self.most}"

    def tokens(self, texts: "Texts") -> "Tokens":
        """Cut its column of text."""
        return texts.tokens(self.column, self.of, lower=self.lower)

    def counts(self, texts: "Texts") -> sparse.csr_matrix:
        """Count its n-grams, a row for each text."""
        return self.tokens(texts).counts(self.least, self.most)


class Texts:
    """Columns of text that many views look at: what two of them need is cut once.

    Parameters
    ----------
    columns : DataFrame
        Columns of text, a row for each text.
    """

    def __init__(self, columns: pd.DataFrame) -> None:
        self.columns = columns
        self._tokens: dict[tuple[str | None, Unit, bool], Tokens] = {}

    def tokens(self, column: str | None, of: Unit, *, lower: bool) -> "Tokens":
        """Cut a column, by default the first, into characters, or into words and marks."""
        key = (column, of, lower)
        if key not in self._tokens:
            cut = self.columns.iloc[:, 0] if column is None else self.columns[column]
            self._tokens[key] = Tokens.of(cut.tolist(), of, lower=lower)
        return self._tokens[key]


@dataclass(frozen=True)
class Tokens:
    """Texts one after another, without what separates them.

    Attributes
    ----------
    numbers : ndarray of shape (n_tokens,)
        Each different character or word has a number, from 0, in the order of appearance.
    text : ndarray of shape (n_tokens,)
        The text that a token is in.
    place : ndarray of shape (n_tokens,)
        Its place there, from 0.
    n_texts, n_values : int
        How many texts there are, and how many different tokens.
    """

    numbers: Numbers = field(repr=False)
    text: Numbers = field(repr=False)
    place: Numbers = field(repr=False)
    n_texts: int
    n_values: int
    _grams: list[Numbers] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def of(cls, texts: Sequence[str], unit: Unit, *, lower: bool) -> "Tokens":
        """Cut texts into characters, or into words and marks."""
        if lower:
            texts = [text.lower() for text in texts]
        if unit == "char":
            lengths = [len(text) for text in texts]
            points = "".join(texts).encode("utf-32-le", "surrogatepass")
            codes, different = pd.factorize(np.frombuffer(points, dtype="<u4").astype(np.int64))
        else:
            words = [_WORD.findall(text) for text in texts]
            lengths = [len(found) for found in words]
            flat = np.array([word for found in words for word in found], dtype=object)
            codes, different = pd.factorize(flat)
        n = np.array(lengths, dtype=np.int64)
        # Half the memory of what would be usual: there are millions of tokens, not billions.
        text = np.repeat(np.arange(len(n), dtype=np.int32), n)
        place = np.arange(len(text), dtype=np.int32) - np.repeat(
            (np.cumsum(n) - n).astype(np.int32), n
        )
        return cls(codes.astype(np.int32), text, place, len(n), max(1, len(different)))

    def grams(self, most: int) -> list[Numbers]:
        """Give for each length up to `most` the number of the n-gram that ends at each token.

        Where a text is younger than the n-gram is long, its beginning counts as a part of it. What
        was once numbered is kept for whoever asks next.
        """
        if not self._grams:
            self._grams.append(self.numbers)
        while len(self._grams) < most:
            longer = self.contexts(self._grams[-1]).astype(np.int64) * self.n_values + self.numbers
            self._grams.append(pd.factorize(longer)[0].astype(np.int32))
        return self._grams[:most]

    def contexts(self, grams: Numbers) -> Numbers:
        """Give the n-gram before each token, counted from 1; 0 at a text's beginning."""
        before = np.zeros_like(grams)
        before[1:] = grams[:-1] + 1
        before[self.place == 0] = 0
        return before

    def counts(self, least: int, most: int) -> sparse.csr_matrix:
        """Count n-grams of these lengths: a row for each text, n-grams in order of appearance."""
        parts = []
        for length, grams in enumerate(self.grams(most), start=1):
            if length < least:
                continue
            whole = self.place >= length - 1  # what begins before the text is no n-gram of it
            codes, different = pd.factorize(grams[whole])
            cells = (np.ones(len(codes)), (self.text[whole], codes))
            parts.append(sparse.csr_matrix(cells, shape=(self.n_texts, len(different))))
        return sparse.csr_matrix(sparse.hstack(parts, format="csr"))
