"""Tokens, language models and other readers of text, on strings worked out by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers.models import Fitted, LightGBM
from solvers.models.averaged import Averaged
from solvers.models.language import LanguageModels, discounts
from solvers.models.linear import Logistic
from solvers.models.readers import ReadFirst
from solvers.models.text_scores import NaiveBayes, TextRidge, ridge, side_by_side, weighted
from solvers.models.tokens import Texts, Tokens, View
from solvers.target import Target

TWO, THREE = Target("t", ("a", "b")), Target("t", ("a", "b", "c"))
TREES = ["ash", "oak", "elm", "fir", "yew", "box"]
READERS = (
    LanguageModels(View("char", 1, 3)),
    LanguageModels(View("word", 1, 2), told=(1, 2), smoothing="witten_bell"),
    NaiveBayes(View("word", 1, 2), added=(0.1, 1.0)),
    TextRidge((View("word", 1, 1), View("char", 1, 2, lower=True)), min_texts=2),
)


def column(texts):
    return pd.Series(texts).astype(pd.StringDtype("python"))


def made_up(target, n=120, seed=0):
    """Texts of words that their class prefers."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % len(target.labels)
    texts = []
    for k in y:
        weights = np.ones(6)
        weights[2 * k : 2 * k + 2] = 8
        words = random.choice(TREES, 9, p=weights / weights.sum())
        texts.append(" ".join(words))
    X = pd.DataFrame({"text": column(texts), "number": random.normal(size=n)})
    return X, y.astype(float)


def test_words_and_marks_are_tokens():
    tokens = Tokens.of(["Oh, no!", "no"], "word", lower=True)
    assert tokens.numbers.tolist() == [0, 1, 2, 3, 2]
    assert tokens.text.tolist() == [0, 0, 0, 0, 1]
    assert tokens.place.tolist() == [0, 1, 2, 3, 0]


def test_ngrams_are_counted_within_texts():
    counts = Tokens.of(["abab", "ba", ""], "char", lower=False).counts(1, 2)
    # a, b, ab, ba
    assert counts.toarray().tolist() == [[2, 2, 2, 1], [1, 1, 0, 1], [0, 0, 0, 0]]


def test_the_beginning_of_a_text_is_a_context():
    first, second = Tokens.of(["ab", "ba", "bb"], "char", lower=False).grams(2)
    assert first.tolist() == [0, 1, 1, 0, 1, 1]
    assert second[2] == second[4]  # both begin with b
    assert second[5] != second[4]  # a b after b is another thing


def scores_of(model, texts, asked):
    """What a model that saw `texts`, all of one class, tells of another."""
    known = np.arange(len(texts) + 1) < len(texts)
    reading = model.read(Texts(pd.DataFrame({"text": column([*texts, asked])})), known)
    classes = np.zeros(len(texts) + 1, dtype=np.intp)
    return reading.scores(classes, known, ~known, 1)[:, 0, 0]


def test_witten_and_bell_by_hand():
    told = scores_of(LanguageModels(View("char", 1, 2), (1, 2), "witten_bell"), ["aab"], "ab")
    # Two kinds in three: p(a) = (2 + 2 / 3) / 5, p(b) = (1 + 2 / 3) / 5.
    a, b = (2 + 2 / 3) / 5, (1 + 2 / 3) / 5
    assert told[0] == pytest.approx(np.log(a) + np.log(b))
    # At the beginning stood a, once; after a stood a and b, once each.
    assert told[1] == pytest.approx(np.log((1 + a) / 2) + np.log((1 + 2 * b) / 4))


@pytest.mark.parametrize("smoothing", ["kneser_ney", "witten_bell"])
def test_chances_of_all_that_may_come_next_sum_to_one(smoothing):
    model = LanguageModels(View("char", 1, 3), smoothing=smoothing)
    texts = ["abcab", "bcaab", "abca"]
    # Every text has the letters a to d, so that all models know of as many.
    begun = scores_of(model, texts, "ab")[0]
    whole = [scores_of(model, [*texts, ""], f"ab{last}")[0] for last in "abc"]
    unknown = 1 - sum(np.exp(np.array(whole) - begun))
    assert 0 < unknown < 0.2


def test_discounts_are_worked_out_and_within_bounds():
    share = 10 / 18
    expected = [0, 1 - 2 * share * 4 / 10, 2 - 3 * share * 2 / 4, 3 - 4 * share * 1 / 2]
    assert discounts(np.repeat([1.0, 2, 3, 4], [10, 4, 2, 1])) == pytest.approx(expected)
    wild = discounts(np.repeat([1.0, 2, 3], [1, 2, 3]))[1:] / np.arange(1, 4)
    assert ((wild >= 0.1) & (wild <= 0.98)).all()


def test_rare_ngrams_weigh_more_and_unknown_texts_do_not_count():
    counts = Tokens.of(["a b", "a c", "a b", "c"], "word", lower=False).counts(1, 1)
    rows = weighted(counts, np.array([True, True, True, False]), 2).toarray()
    assert rows.shape == (4, 2)  # c is in one known text only
    assert rows[0, 1] > rows[0, 0]
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert rows[3].tolist() == [0, 0]


def test_ridge_is_that_of_the_normal_equations():
    random = np.random.default_rng(0)
    counts = Tokens.of(["abc", "bcd", "cda", "dd"], "char", lower=False).counts(1, 1)
    y = random.normal(size=(4, 2))
    exact = np.linalg.solve(counts.T @ counts + 0.5 * np.eye(4), counts.T @ y)
    assert ridge(counts, y, alpha=0.5, steps=20) == pytest.approx(exact)


@pytest.mark.parametrize("target", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_reader_tells_classes_and_says_the_same_again(reader, target):
    X, y = made_up(target)
    X_new, truth = made_up(target, seed=1)
    model = ReadFirst(Logistic(), (reader,), folds=3)
    first, again = (model.fit_predict(X, y, X_new, target=target, seed=4) for _ in range(2))
    assert first.predictions.tobytes() == again.predictions.tobytes()
    assert first.predictions.shape == (len(X_new), target.n_outputs)
    assert (target.class_index(first.predictions) == truth).mean() > 0.8


class Watched:
    """A reader that tells nothing, and keeps what it was given."""

    name = "watched"

    def __init__(self):
        self.calls = []

    def read(self, texts, known):
        return self

    def scores(self, classes, seen, wanted, n_classes):
        self.calls.append((seen, wanted))
        return np.zeros((1, int(wanted.sum()), n_classes))


def test_no_row_is_told_of_by_a_reader_who_saw_it():
    X, y = made_up(TWO)
    reader = Watched()
    n = 90
    told = ReadFirst(Logistic(), (reader,), folds=3).tell(X[["text"]], y[:n].astype(np.intp), 2, 0)
    assert told.shape == (len(X), 1)
    assert sum(wanted.astype(int) for _, wanted in reader.calls).tolist() == [1] * len(X)
    for seen, wanted in reader.calls:
        assert not (seen & wanted).any()
        assert not seen[n:].any()
        assert seen[:n].sum() == (60 if wanted[:n].any() else n)


def test_each_score_may_be_told_by_length_too():
    X, y = made_up(THREE)
    model = ReadFirst(Logistic(), READERS[:1], folds=2, by_length=True)
    told = model.tell(X[["text"]], y.astype(np.intp), 3, 0)
    plain, by_length = told.iloc[:, 0], told.iloc[:, 1]
    again = by_length * np.sqrt(X["text"].str.len().astype(float))
    assert again.to_numpy() == pytest.approx(plain.to_numpy())


def test_texts_are_cut_once_for_all_who_ask():
    texts = Texts(pd.DataFrame({"text": column(["Ab", "b"])}))
    tokens = View("char", 1, 1).tokens(texts)
    assert View("char", 2, 3).tokens(texts) is tokens
    assert tokens.grams(1)[0] is tokens.grams(2)[0]
    assert len(tokens.grams(1)) == 1
    assert View("char", 1, 1, lower=True).tokens(texts).n_values == 2
    assert tokens.n_values == 2


def test_a_view_may_name_its_column():
    texts = Texts(pd.DataFrame({"a": column(["x", "x"]), "b": column(["y y", "y"])}))
    assert View("word", 1, 1, column="b").counts(texts).toarray().tolist() == [[2], [1]]
    assert View("word", 1, 1).counts(texts).toarray().tolist() == [[1], [1]]


def test_a_rehearsal_hears_fewer_readers_on_fewer_folds():
    model = ReadFirst(Logistic(), READERS, folds=5)
    assert model.rehearsal(0.25).folds == 2
    assert model.rehearsal(0.25).readers == READERS[:2]
    assert model.rehearsal(1.0) == model
    assert len(model.rehearsal(0.01).readers) == 1
    assert model.reads_text


class Sure:
    """A model that gives every row the same probabilities."""

    name = "sure"

    def __init__(self, *probabilities, importance=None):
        self.probabilities = np.array(probabilities)
        self.importance = importance

    def fit_predict(self, X, y, X_new, *, target, seed):
        predictions = np.tile(self.probabilities, (len(X_new), 1))
        return Fitted(predictions, importance=self.importance)


def test_an_average_of_three_classes_is_one_of_logarithms():
    X, y = made_up(THREE)
    model = Averaged((Sure(0.5, 0.25, 0.25), Sure(0.125, 0.25, 0.625)))
    fitted = model.fit_predict(X, y, X[:1], target=THREE, seed=0)
    roots = np.sqrt([0.5 * 0.125, 0.25 * 0.25, 0.25 * 0.625])
    assert fitted.predictions[0] == pytest.approx(roots / roots.sum())
    assert fitted.importance is None


def test_an_average_of_two_classes_is_the_mean_and_so_is_the_importance():
    X, y = made_up(TWO)
    told = [np.array([1.0, 0.0]), None, np.array([0.5, 0.5])]
    models = [Sure(p, importance=shares) for p, shares in zip((0.2, 0.4, 0.9), told, strict=True)]
    fitted = Averaged(tuple(models)).fit_predict(X, y, X[:1], target=TWO, seed=0)
    assert fitted.predictions.tolist() == [[pytest.approx(0.5)]]
    assert fitted.importance.tolist() == [0.75, 0.25]


def test_an_average_is_rehearsed_model_by_model():
    model = Averaged((Logistic(), LightGBM(rounds=100)))
    assert model.rehearsal(0.25).models == (Logistic(), LightGBM(rounds=100).rehearsal(0.25))
    assert not model.reads_text
    assert Averaged((model, ReadFirst(Logistic(), READERS))).reads_text


def test_a_number_is_no_class():
    X, y = made_up(TWO)
    with pytest.raises(ValueError, match="readers tell classes"):
        ReadFirst(Logistic(), READERS).fit_predict(X, y, X, target=Target("t"), seed=0)


def test_side_by_side_is_what_scipy_does():
    random = np.random.default_rng(0)
    parts = [
        sparse.random(5, width, density=0.4, random_state=random, format="csr") for width in (3, 7)
    ]
    parts.insert(1, sparse.csr_matrix((5, 2)))
    expected = sparse.hstack(parts, format="csr")
    found = side_by_side(parts)
    assert parts == []
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
