"""Linear models of words and characters: the vectoriser is fitted inside the fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge

from solvers.models.base import Fitted, Quick, as_numbers, columns, constant, is_text
from solvers.models.dense import standardised
from solvers.target import Array, Target

# What scikit-learn says where no n-gram is left for the vocabulary.
_NONE_LEFT = ("empty vocabulary", "no terms remain")


@dataclass(frozen=True)
class NGrams:
    """A view of texts: how often each n-gram occurs, weighed down where many texts have it [1]_.

    Attributes
    ----------
    of : {"word", "char", "char_wb"}
        What the n-grams are made of; ``char_wb`` keeps within words.
    least, most : int
        Length of an n-gram.
    min_texts : int
        An n-gram in fewer texts than this is left out.
    max_features : int
        The most frequent n-grams that are kept.

    References
    ----------
    .. [1] Spaerck Jones (1972), A statistical interpretation of term specificity and its
       application in retrieval, Journal of Documentation 28.
    """

    of: Literal["word", "char", "char_wb"] = "word"
    least: int = 1
    most: int = 2
    min_texts: int = 2
    max_features: int = 200_000

    def __call__(
        self, texts: Sequence[str], new: Sequence[str]
    ) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Learn the vocabulary from `texts` alone; turn both into sparse rows of length 1."""
        vectoriser = self._vectoriser()
        try:
            return vectoriser.fit_transform(texts), vectoriser.transform(new)
        except ValueError as error:
            if not any(told in str(error) for told in _NONE_LEFT):
                raise
            return sparse.csr_matrix((len(texts), 0)), sparse.csr_matrix((len(new), 0))

    def _vectoriser(self) -> Any:
        words = r"(?u)\b\w+\b" if self.of == "word" else None
        return TfidfVectorizer(
            analyzer=self.of, ngram_range=(self.least, self.most), min_df=self.min_texts,
            max_df=1.0, max_features=self.max_features, lowercase=True, strip_accents=None,
            token_pattern=words, stop_words=None, norm="l2", use_idf=True, smooth_idf=True,
            sublinear_tf=True, dtype=np.float64,
        )  # fmt: skip


@dataclass(frozen=True)
class TextLinear(Quick):
    """Logistic or ridge regression on n-grams, of each column of text apart.

    Attributes
    ----------
    views : tuple of NGrams
        Each is taken of each column of text.
    C : float
        How freely weights may grow: the inverse of the ridge penalty.
    numbers : float
        What features that are no text weigh, once standardised; by default they are left out.
    """

    views: tuple[NGrams, ...] = (NGrams(),)
    C: float = 4.0
    name: str = "words"
    numbers: float = 0.0
    reads_text: ClassVar[bool] = True

    def fit_predict(
        self, X: pd.DataFrame, y: Array, X_new: pd.DataFrame, *, target: Target, seed: int
    ) -> Fitted:
        """See `Model`; a class that is absent from the fit has no chance."""
        points, new = self._vectors(X, X_new)
        if points.shape[1] == 0:  # no n-gram is in enough texts
            return Fitted(constant(y, len(X_new), target))
        if target.kind == "regression":
            ridge = Ridge(alpha=1 / self.C, solver="sparse_cg", tol=1e-6, fit_intercept=True)
            return Fitted(columns(ridge.fit(points, y).predict(new)))
        model = LogisticRegression(
            C=self.C, solver="lbfgs", tol=1e-5, max_iter=1000, fit_intercept=True, class_weight=None
        )
        model.fit(points, y.astype(np.intp))
        predictions = np.zeros((len(X_new), len(target.labels)))
        predictions[:, model.classes_] = model.predict_proba(new)
        return Fitted(predictions[:, 1:] if target.kind == "binary" else predictions)

    def _vectors(self, X: pd.DataFrame, X_new: pd.DataFrame) -> tuple[Any, Any]:
        texts = [name for name in X.columns if is_text(X[name])]
        pairs = [
            view(X[name].tolist(), X_new[name].tolist()) for name in texts for view in self.views
        ]
        if self.numbers:
            rest, rest_new = (as_numbers(table.drop(columns=texts))[0] for table in (X, X_new))
            scaled, scaled_new = standardised(rest, rest_new)
            weigh = sparse.csr_matrix
            pairs.append((weigh(scaled * self.numbers), weigh(scaled_new * self.numbers)))
        old, new = (sparse.hstack(side, format="csr") for side in zip(*pairs, strict=True))
        return old, new
