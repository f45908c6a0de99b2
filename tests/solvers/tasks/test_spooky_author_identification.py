"""Features of the spooky authors on a few made-up sentences, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY
from solvers.models import is_text
from solvers.tasks import spooky_author_identification as solver


def rows(*texts):
    return pd.DataFrame({"id": [f"id{n}" for n in range(len(texts))], "text": list(texts)})


def test_style_is_shares_of_all_characters():
    table = rows('Oh, no; said "é"?', "abcdefgh.")
    told = solver.style(table, table)
    assert told["log_characters"].tolist() == pytest.approx([np.log(17), np.log(9)])
    assert told["words"].tolist() == [4, 1]
    shares = told[["commas", "semicolons", "quotes", "questions", "letters_abroad"]]
    assert (shares * 17).loc[0].tolist() == pytest.approx([1, 1, 2, 1, 1])
    assert told.loc[1, ["stops", "long_words"]].tolist() == pytest.approx([1 / 9, 1 / 9])
    assert told.loc[0, ["capitals", "short_words", "blanks"]].tolist() == pytest.approx(
        [1 / 17, 1 / 17, 3 / 17]
    )


def test_readers_get_the_sentence_as_it_is():
    table = rows("A Bat.", "a bat")
    told = solver.words(table, table)
    assert is_text(told["text"])
    assert told["text"].tolist() == ["A Bat.", "a bat"]


def test_a_sentence_may_be_a_word_that_means_missing_elsewhere():
    assert REGISTRY["spooky-author-identification"].missing == ("",)


def test_example_has_all_three_and_no_answer_in_test():
    train, test, sample = solver.sentences(60, 10, 0)
    assert set(train["author"]) == {"EAP", "HPL", "MWS"}
    assert "author" not in test
    assert sample.drop(columns="id").sum(axis=1).tolist() == pytest.approx([1] * 10)
