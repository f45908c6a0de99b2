"""Phrases of made-up reviews and their relatives, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY
from solvers.folds import look_at_cut
from solvers.tasks import movie_review_sentiment as solver
from solvers.tasks.movie_review_sentiment.phrases import MOST_WORDS, relatives

SENTENCES = [
    (1, 1, "A warm film of little plot"),
    (2, 1, "A warm film"),
    (3, 1, "A"),
    (4, 1, "warm film"),
    (5, 1, "warm"),
    (6, 1, "film"),
    (7, 1, "of little plot"),
    (8, 1, "of"),
    (9, 1, "little plot"),
    (10, 2, "Little plot , a film"),  # "a film" is all that no sentence before had
    (11, 2, "a film"),
    (12, 2, " "),
]


def rows(*phrases):
    return pd.DataFrame(phrases or SENTENCES, columns=["PhraseId", "SentenceId", "Phrase"])


def links(*phrases):
    told = relatives(rows(*phrases)).astype(int)
    return {name: told[name].tolist() for name in told}


def test_a_phrase_is_part_of_the_last_one_around_it():
    assert links()["whole"] == [-1, 0, 1, 1, 3, 3, 0, 6, 6, -1, 9, -1]


def test_parts_are_found_under_other_sentences_in_whatever_letters():
    found = links((1, 1, "plot"), (2, 1, "Thin"), (3, 2, "thin plot"))
    assert (found["left"][2], found["right"][2]) == (1, 0)


def test_halves_are_two_parts_or_a_part_and_what_is_left():
    found = links()
    assert list(zip(found["left"], found["right"], strict=True)) == [
        (1, 6), (2, 3), (-1, -1), (4, 5), (-1, -1), (-1, -1), (7, 8), (-1, -1), (-1, -1),
        (-1, 10), (2, 5), (-1, -1),
    ]  # fmt: skip


def test_relatives_do_not_depend_on_the_order_of_rows():
    mixed = rows().sample(frac=1, random_state=0)
    pd.testing.assert_frame_equal(relatives(mixed), relatives(rows()).loc[mixed.index])


def test_a_phrase_longer_than_any_sentence_is_not_cut_at_each_word():
    long = " ".join(["so"] * (MOST_WORDS + 1))
    found = links((1, 1, "so"), (2, 2, long[: -len(" so")]), (3, 3, long))
    assert found["left"][2] == -1


@pytest.mark.parametrize("odd", ["", " \t", "\0", "שלום עולם", "😀 <br/>", "None", "NA"])
def test_any_phrase_has_a_row_of_features(odd):
    told = solver.parse(rows((1, 1, "a film"), (2, 1, odd), (3, 1, "film")))
    table = pd.concat([group(told, told) for group in solver.SOLVER.features], axis=1)
    assert len(table) == 3
    assert table["whole"].tolist()[0] == -1


def test_a_missing_phrase_is_a_blank_one():
    told = solver.parse(rows((1, 1, None), (2, 1, "film")))
    assert solver.words(told, told)["text"].tolist() == ["<  >", "< film >"]


def test_a_word_is_marked_by_the_size_of_its_phrase_and_by_a_negation_before_it():
    table = rows((1, 1, "Fun"), (2, 1, "Not a fun film ; a Small One"))
    told = solver.words(table, table)
    assert told["by_size"].tolist()[0] == "fun_s"
    assert set(told["by_size"][1].split()) > {"fun_l", "small_l"}
    negated = "not a_not fun_not film_not x a small one"
    assert told["by_negation"].tolist() == ["fun", negated]


def test_size_counts_words_of_a_phrase_and_of_its_relatives():
    told = solver.size(solver.parse(rows()), rows())
    assert told.loc[1].tolist() == [3, 6, 1, 2, 1]
    assert told.loc[3].tolist()[:2] == [2, 3]
    assert told.loc[3, "is_left"] == 0
    assert told.loc[0, ["words_of_whole", "is_left"]].isna().all()
    assert told.loc[11, "words"] == 0


def test_a_phrase_may_be_a_word_that_means_missing_elsewhere():
    assert REGISTRY["movie-review-sentiment-analysis-kernels-only"].missing == ()


def test_folds_are_of_rows_where_the_test_shares_sentences_and_of_sentences_elsewhere():
    train, test, _ = solver.reviews(300, 100, 0)
    assert look_at_cut(solver.sentences(train), solver.sentences(test)).kind == "row"
    late = rows().assign(SentenceId=lambda table: table["SentenceId"] + 10_000)
    assert look_at_cut(solver.sentences(train), solver.sentences(late)).kind == "group"


def test_example_has_all_five_steps_and_each_phrase_once():
    train, test, _ = solver.reviews(200, 50, 0)
    assert set(train["Sentiment"]) == set(range(5))
    assert not pd.concat([train, test])["Phrase"].duplicated().any()
    assert np.isin(test["SentenceId"], train["SentenceId"]).mean() > 0.5
