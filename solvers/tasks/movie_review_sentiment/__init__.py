"""Movie review sentiment: how phrases of reviews were felt, in five steps from negative up.

What is known: a parser cut each sentence in two, and each part again, down to words [1]_. A table
holds every such phrase once, and the test was cut from it by rows, so the parts of a phrase, and
what it is part of, have labels as often as not. Each phrase's parts are found again, under
whatever sentence they stand (`phrases`). All but four of 139,528 phrases of two words and more got
both of theirs; 15 % were cut by what is in the table, as no part of theirs is in their sentence.

A phrase is read as n-grams of words and letters, its edges being signs of their own; as words of a
short, middling or long phrase, since most short ones are neutral; and as words that were negated
or not (`words`). Ridge regression scores it, and its relatives, in folds within each fit, and
boosting weighs the scores, labels of relatives, and sizes (`ReadAmongRelatives`). Folds are of rows
where the test shares its sentences with the train, and of sentences where it does not, as in
Kaggle's own test; then no relative has a label, and scores are lower.

Accuracy on one fold of five, of a fold seed that settings were not judged by: .685, log loss .767.
On the fold that they were judged by: .682 after 180 rounds and .681 after 240, .767. Either has an
error of .003 by its rows. Paired on the latter, scores and length of the phrases alone have .678:
relatives gain .003 +- .002, and .013 +- .001 of log loss, of which their labels as columns of their
own are .003 +- .001. A ridge of plain words has .637 by itself, with edges .649, else with sizes
.645, negations .640 or five letters .646; with all of them and three letters .660. Naive Bayes, a
language model, words that are one sentence's own, logistic regression of the same columns and
larger trees gained nothing that could be seen; eight folds in a fit for four gained .001 of log
loss. All these are of one fold: differences of .002 may be noise. The ceiling seems near: better
readers took .008 off the log loss, and accuracy did not move.

References
----------
.. [1] Socher et al. (2013), Recursive deep models for semantic compositionality over a sentiment
   treebank, EMNLP.
"""

import pandas as pd
import pandera.pandas as pa

from solvers.models import LightGBM
from solvers.models.families import Links
from solvers.models.relatives import ReadAmongRelatives
from solvers.models.text_scores import TextRidge
from solvers.models.tokens import View
from solvers.solver import StackedSolver
from solvers.tasks.movie_review_sentiment.phrases import relatives, spelled
from solvers.tasks.movie_review_sentiment.reviews import reviews
from solvers.tasks.movie_review_sentiment.words import EDGES, by_negation, by_size

TEXT = pd.StringDtype("python")


class Phrase(pa.DataFrameModel):
    """One phrase, as train and test hold it."""

    PhraseId: int = pa.Field(unique=True)
    SentenceId: int
    Phrase: str = pa.Field(nullable=True)

    class Config:
        """Text becomes pandas' own text dtype."""

        coerce = True


def parse(rows: pd.DataFrame) -> pd.DataFrame:
    """Find each phrase's relatives; a phrase that is missing is a blank one."""
    rows = rows.assign(Phrase=rows["Phrase"].fillna(""))
    return rows.join(relatives(rows))


def sentences(rows: pd.DataFrame) -> pd.Series:
    """The sentence a phrase is from: folds keep it together where the test's are other ones."""
    return rows["SentenceId"]


def words(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """The phrase in small letters, thrice: with its edges, with its size, and with negations."""
    text = rows["Phrase"].map(spelled)
    told = {"text": text.map(EDGES.format), "by_size": text.map(by_size)}
    return pd.DataFrame({**told, "by_negation": text.map(by_negation)}).astype(TEXT)


def tree(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Who is whose relative: numbers of rows, for what follows them inside each fit."""
    return rows[list(LINKS.columns)]


def size(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How many words there are, in a phrase and in its relatives, and whether it comes first."""
    n_words = rows["Phrase"].str.count(r"\S+").astype("float64")
    of_number = n_words.set_axis(rows["phrase"])
    left_of_whole = rows["whole"].map(rows.set_index("phrase")["left"])
    return pd.DataFrame(
        {
            "words": n_words,
            "words_of_whole": rows["whole"].map(of_number),
            "words_of_left": rows["left"].map(of_number),
            "words_of_right": rows["right"].map(of_number),
            "is_left": left_of_whole.eq(rows["phrase"]).where(rows["whole"] >= 0).astype("float64"),
        }
    )


LINKS = Links("phrase", "whole", "left", "right")
WORDS = View("word", 1, 3)
MARKED = (View("word", 1, 2, column="by_size"), View("word", 1, 2, column="by_negation"))
READERS = (
    TextRidge((WORDS,), min_texts=2, alpha=3.0),
    TextRidge((WORDS, *MARKED, View("char", 5, 5)), alpha=7.0, steps=10),
)

SOLVER = StackedSolver(
    contract=Phrase,
    parse=parse,
    features=(words, tree, size),
    groups=sentences,
    models=(
        ReadAmongRelatives(
            LightGBM(
                rounds=200,
                learning_rate=0.05,
                num_leaves=15,
                min_data_in_leaf=50,
                feature_fraction=0.3,
                bagging_fraction=0.7,
                lambda_l2=5.0,
            ),
            READERS,
            folds=4,
            links=LINKS,
        ),
    ),
    example=reviews,
)
