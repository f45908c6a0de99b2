"""Readers that count n-grams: naive Bayes, and ridge regression of each class's indicator."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from solvers.models.readers import Classes, Marked
from solvers.models.tokens import Texts, View
from solvers.target import Array


@dataclass(frozen=True)
class NaiveBayes:
    """Scores a text by which n-grams are in it, each taken by itself.

    That an n-gram occurs tells more than how often it does [1]_.

    Attributes
    ----------
    view : View
        The n-grams.
    added : tuple of float
        What is added to the number of a class's texts with an n-gram; a score for each.

    References
    ----------
    .. [1] McCallum and Nigam (1998), A comparison of event models for naive Bayes text
       classification, AAAI workshop on learning for text categorization; binary counts in a
       multinomial model: Wang and Manning (2012), Baselines and bigrams, ACL.
    """

    view: View
    added: tuple[float, ...] = (0.3,)

    @property
    def name(self) -> str:
        """What it is made of."""
        return f"bayes {self.view}"

    def read(self, texts: Texts, known: Marked) -> "_Presence":
        """See `Reader`."""
        counts = self.view.counts(texts)
        counts.data[:] = 1.0
        return _Presence(counts, self.added)


class _Presence:
    """Which n-grams are in which text."""

    def __init__(self, there: sparse.csr_matrix, added: tuple[float, ...]) -> None:
        self.there = there
        self.added = added

    def scores(self, classes: Classes, seen: Marked, wanted: Marked, n_classes: int) -> Array:
        """See `Reading`."""
        of_class = _indicators(classes[seen], n_classes)
        counts = np.asarray(self.there[seen].T @ of_class)
        prior = np.log((of_class.sum(axis=0) + 1) / (len(of_class) + n_classes))
        new = self.there[wanted]
        logs = (np.log((counts + a) / (counts + a).sum(axis=0)) for a in self.added)
        return np.stack([new @ log + prior for log in logs])


@dataclass(frozen=True)
class TextRidge:
    """Scores a text by ridge regression of each class's indicator on weighted n-grams [1]_.

    Weights and their vocabulary come from the known texts alone, without their classes.

    Attributes
    ----------
    views : tuple of View
        The n-grams; a text has length 1 in each of them.
    min_texts : int
        An n-gram in fewer texts than this is left out.
    alpha : float
        The ridge.
    steps : int
        Of conjugate gradients; to stop early shrinks, too.

    References
    ----------
    .. [1] Rifkin and Klautau (2004), In defense of one-vs-all classification, Journal of Machine
       Learning Research 5.
    """

    views: tuple[View, ...]
    min_texts: int = 3
    alpha: float = 1.0
    steps: int = 15

    @property
    def name(self) -> str:
        """What it is made of."""
        return f"ridge {', '.join(map(str, self.views))}"

    def read(self, texts: Texts, known: Marked) -> "_Weighted":
        """See `Reader`."""
        parts = [weighted(view.counts(texts), known, self.min_texts) for view in self.views]
        return _Weighted(side_by_side(parts), self)


class _Weighted:
    """Rows of length one, an n-gram the heavier the rarer it is."""

    def __init__(self, rows: sparse.csr_matrix, model: TextRidge) -> None:
        self.rows = rows
        self.model = model

    def scores(self, classes: Classes, seen: Marked, wanted: Marked, n_classes: int) -> Array:
        """See `Reading`."""
        of_class = _indicators(classes[seen], n_classes)
        middle = of_class.mean(axis=0)
        weights = ridge(self.rows[seen], of_class - middle, self.model.alpha, self.model.steps)
        return np.asarray(self.rows[wanted] @ weights + middle)[None]


def weighted(counts: sparse.csr_matrix, known: Marked, min_texts: int) -> sparse.csr_matrix:
    """Weigh counts by their logarithm and by how few of the known texts have the n-gram [1]_.

    References
    ----------
    .. [1] Spaerck Jones (1972), A statistical interpretation of term specificity and its
       application in retrieval, Journal of Documentation 28.
    """
    of_known = counts[known]
    n_texts = np.bincount(of_known.indices, minlength=counts.shape[1])
    kept = n_texts >= min_texts
    rows = sparse.csr_matrix(counts[:, kept])
    rarity = np.log((1 + known.sum()) / (1 + n_texts[kept])) + 1
    rows.data = (1 + np.log(rows.data)) * rarity[rows.indices]
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    rows.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(rows.indptr))
    return rows


def side_by_side(parts: list[sparse.csr_matrix]) -> sparse.csr_matrix:
    """Do what `scipy.sparse.hstack` does in half the memory: it empties the list as it goes."""
    shape = (parts[0].shape[0], sum(part.shape[1] for part in parts))
    row_ends = np.stack([part.indptr for part in parts]).sum(axis=0, dtype=np.int64)
    data, indices = np.empty(row_ends[-1]), np.empty(row_ends[-1], dtype=np.int32)
    begins, first_column = row_ends[:-1].copy(), 0
    while parts:
        part = parts.pop(0)
        n_cells = np.diff(part.indptr)
        places = np.arange(part.nnz) + np.repeat(begins - part.indptr[:-1], n_cells)
        data[places], indices[places] = part.data, part.indices + first_column
        begins += n_cells
        first_column += part.shape[1]
    return sparse.csr_matrix((data, indices, row_ends), shape=shape)


def ridge(X: sparse.csr_matrix, y: Array, alpha: float, steps: int) -> Array:
    """Fit all columns of `y` at once by conjugate gradients of the normal equations [1]_.

    References
    ----------
    .. [1] Hestenes and Stiefel (1952), Methods of conjugate gradients for solving linear systems,
       Journal of Research of the National Bureau of Standards 49.
    """
    turned = X.T  # not copied: its product adds up in the same order, from less memory
    weights = np.zeros((X.shape[1], y.shape[1]))
    left = np.asarray(turned @ y)
    way = left.copy()
    size = (left * left).sum(axis=0)
    for _ in range(steps):
        image = turned @ (X @ way) + alpha * way
        step = size / np.maximum((way * image).sum(axis=0), np.finfo(np.float64).tiny)
        weights += step * way
        left -= step * image
        before, size = size, (left * left).sum(axis=0)
        way = left + size / np.maximum(before, np.finfo(np.float64).tiny) * way
    return weights


def _indicators(classes: Classes, n_classes: int) -> Array:
    return np.equal.outer(classes, np.arange(n_classes)).astype(np.float64)
