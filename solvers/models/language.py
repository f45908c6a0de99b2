"""A language model for each class, to tell which of them would have written a text."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solvers.models.readers import Classes, Marked
from solvers.models.tokens import Numbers, Texts, Tokens, View
from solvers.target import Array

Smoothing = Literal["kneser_ney", "witten_bell"]


@dataclass(frozen=True)
class LanguageModels:
    """Scores a text by its log probability under each class's n-gram language model.

    Each n-gram gives some of its chances to what was never seen after its context, and these are
    shared out as the next shorter n-gram says. How much, and what shorter ones count:

    - ``witten_bell`` [1]_: as often as something new came after that context;
    - ``kneser_ney``, modified [2]_: a discount for n-grams seen once, twice and oftener, taken from
      how many there are; shorter n-grams count the different tokens that come before them.

    Attributes
    ----------
    view : View
        The n-grams; the shortest have one token, whatever the view says.
    told : tuple of int
        Lengths whose scores are told; by default the longest. Kneser's and Ney's shorter n-grams
        are made to complete longer ones, and tell little by themselves.

    References
    ----------
    .. [1] Witten and Bell (1991), The zero-frequency problem: estimating the probabilities of novel
       events in adaptive text compression, IEEE Transactions on Information Theory 37(4).
    .. [2] Chen and Goodman (1999), An empirical study of smoothing techniques for language
       modeling, Computer Speech and Language 13.
    """

    view: View
    told: tuple[int, ...] = ()
    smoothing: Smoothing = "kneser_ney"

    @property
    def name(self) -> str:
        """Its smoothing and what it is made of."""
        return f"{self.smoothing} {self.view}"

    def read(self, texts: Texts, known: Marked) -> "_Ladder":
        """See `Reader`."""
        told = self.told or (self.view.most,)
        return _Ladder(self.view.tokens(texts), self.view.most, told, self.smoothing)


class _Ladder:
    """The n-grams of each length at each token, and how those of one length hang on the next's."""

    def __init__(
        self, tokens: Tokens, most: int, told: tuple[int, ...], smoothing: Smoothing
    ) -> None:
        self.tokens = tokens
        self.told = told
        self.smoothing = smoothing
        self.own = tokens.grams(most)
        first = np.zeros(len(tokens.numbers), dtype=np.int64)
        self.before = [first, *(tokens.contexts(grams) for grams in self.own[:-1])]
        self.context = [_of_each(o, b) for o, b in zip(self.own, self.before, strict=True)]
        # Of each longer n-gram, what it ends with, and whether that begins with the text.
        pairs = list(zip(self.own[1:], self.own[:-1], strict=True))
        self.ending = [_of_each(longer, shorter) for longer, shorter in pairs]
        self.first = [
            _of_each(longer, tokens.place < length) for length, longer in enumerate(self.own[1:])
        ]

    def scores(self, classes: Classes, seen: Marked, wanted: Marked, n_classes: int) -> Array:
        """See `Reading`."""
        text = self.tokens.text
        asked = np.flatnonzero(wanted[text])
        place = (np.cumsum(wanted) - 1)[text[asked]]
        scores = np.zeros((len(self.told), int(wanted.sum()), n_classes))
        for k in range(n_classes):
            mine = seen & (classes == k)
            logs = self._logs(mine[text], asked)
            for number, length in enumerate(self.told):
                scores[number, :, k] = np.bincount(place, logs[length], scores.shape[1])
            scores[:, :, k] += np.log((mine.sum() + 1) / (seen.sum() + n_classes))
        return scores

    def _logs(self, mine: Marked, asked: Numbers) -> dict[int, Array]:
        """Give the log probability of each token asked for, by each length that is told."""
        of_length: dict[int, Array] = {}
        p = np.full(len(asked), 1 / (self.tokens.n_values + 1))
        for length, count in enumerate(self._counts(mine), start=1):
            own, before = self.own[length - 1][asked], self.before[length - 1][asked]
            context = self.context[length - 1]
            whole = np.bincount(context, count)
            if self.smoothing == "witten_bell":
                given = np.bincount(context, count > 0)
                kept, all_ = count[own], whole[before] + given[before]
            else:
                taken = discounts(count)[np.minimum(count, 3).astype(np.intp)]
                given = np.bincount(context, taken)
                kept, all_ = (count - taken)[own], whole[before]
            p = np.where(all_ > 0, (kept + given[before] * p) / np.maximum(all_, 1), p)
            if length in self.told:
                of_length[length] = np.log(p)
        return of_length

    def _counts(self, mine: Marked) -> list[Array]:
        """Count the n-grams of each length in the tokens of one class."""
        counts = [
            np.bincount(own[mine], minlength=len(context)).astype(np.float64)
            for own, context in zip(self.own, self.context, strict=True)
        ]
        if self.smoothing == "witten_bell":
            return counts
        for place, (ending, first) in enumerate(zip(self.ending, self.first, strict=True)):
            # Nothing comes before a beginning, so what begins with it is counted as it occurs.
            longer = counts[place + 1]
            weights = np.where(first > 0, longer, longer > 0).astype(np.float64)
            counts[place] = np.bincount(ending, weights, len(counts[place])).astype(np.float64)
        return counts


def _of_each(grams: Numbers, values: Numbers | Marked) -> Numbers:
    """Lay what holds for all tokens with an n-gram out by the n-gram."""
    laid_out = np.zeros(int(grams.max(initial=-1)) + 1, dtype=np.int64)
    laid_out[grams] = values
    return laid_out


def discounts(counts: Array) -> Array:
    """Give what is taken from counts of 0, 1, 2 and more, by how many are 1, 2, 3 and 4."""
    n1, n2, n3, n4 = (int((counts == n).sum()) for n in (1, 2, 3, 4))
    share = n1 / max(1, n1 + 2 * n2)
    steps = ((1, n1, n2), (2, n2, n3), (3, n3, n4))
    taken = [n - (n + 1) * share * more / max(1, these) for n, these, more in steps]
    # Few n-grams make these wild; something is always given, and something kept.
    bounded = [min(max(t, 0.1 * n), 0.98 * n) for n, t in zip((1, 2, 3), taken, strict=True)]
    return np.array([0.0, *bounded])
