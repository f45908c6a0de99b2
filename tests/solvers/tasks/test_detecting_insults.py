"""Comments decoded, undressed and counted on a few lines, worked out by hand; all are made up."""

import pandas as pd
import pytest

from signatures import REGISTRY, find
from solvers import solve
from solvers.models import is_text
from solvers.tasks import detecting_insults as solver
from solvers.tasks.detecting_insults.address import WITHIN, addressed
from solvers.tasks.detecting_insults.comments import comments, decoded
from solvers.tasks.detecting_insults.words import near_you, plain, stems


def parsed(*texts):
    return solver.parse(pd.DataFrame({"Comment": list(texts)}))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"a\nb"', "a\nb"),
        (r'"a\\nb\\\\nc"', "a\nb\nc"),
        (r'"caf\xe9 \u0111 \\xc3\\xa9"', "café đ é"),
        (r'"it\'s \"so\""', 'it\'s "so"'),
        (r'"a &amp; b"', "a & b"),
        (r'"\ud800 C:\games"', "  C:\\games"),
        ("no quotes", "no quotes"),
    ],
)
def test_escapes_are_decoded_however_often_they_were_escaped(written, meant):
    assert decoded(written) == meant


def test_disguises_are_taken_off():
    assert plain("M0R0N a$$ f o o l") == "moron ass fool"
    assert plain("soooooo @Ann www.x.y/z") == "soo someone address"
    assert plain("$5 and 10 a!") == "$5 and 10 a!"


def test_words_near_you():
    assert near_you("one two three four you five six seven eight") == (
        "two three four you five six seven"
    )
    assert near_you("nobody is here") == ""


def test_stems_are_beginnings_of_words():
    told = stems("the moronic class of losers, asses assume")
    assert {name: n for name, n in told.items() if n} == {"swear": 1, "fool": 1, "low": 1}


def test_what_someone_is_called_stands_soon_after_you():
    assert addressed("you are such a moron")["called"] == 1
    assert addressed("you're one little angry moron")["called_with_more"] == 1
    assert addressed("you know that he is a moron")["called"] == 0
    assert addressed("you" + " are" * WITHIN + " moron")["called"] == 0


def test_sentences_insult_command_and_speak_to_someone():
    told = addressed("Moron! he is one. shut up, you moron. thanks, you are right".lower())
    assert told["sentences"] == 4
    assert told["sentences_to_you"] == 1
    assert told["commands"] == 1
    assert (told["first_word_insults"], told["first_sentence_insults"]) == (1, 1)
    assert (told["last_word_insults"], told["last_sentence_insults"]) == (0, 0)


def test_shares_are_of_words_and_marks():
    told = addressed("i agree, they are fools")
    shares = {name: told[f"{name}_share"] for name in ("self", "polite", "others", "insult")}
    assert shares == pytest.approx(dict.fromkeys(shares, 1 / 7))


def test_a_comment_without_a_word_tells_nothing():
    assert set(addressed(" \n ").values()) == {0.0}


def test_lexicon_counts_everywhere_and_near_you():
    rows = parsed('"you moron"', '"they said that he was often and always a moron, you know"')
    told = solver.lexicon(rows, rows)
    assert told["fool"].tolist() == [1, 1]
    assert told["fool_near_you"].tolist() == [1, 1]
    assert solver.lexicon(parsed('"moron one two three you"'), None)["fool_near_you"].tolist() == [
        0
    ]


def test_tone_is_how_loud_and_to_whom():
    rows = parsed('"YOU are LOUD!!"')
    told = solver.tone(rows, rows).iloc[0]
    assert told[["loud_words", "exclamations", "you", "begins_with_you"]].tolist() == [2, 2, 1, 1]


def test_readers_get_three_columns_of_text():
    rows = parsed('"You\\\\nFOOL"')
    told = solver.words(rows, rows)
    assert all(is_text(told[name]) for name in told)
    assert told.loc[0].tolist() == ["You\nFOOL", "you\nfool", "you fool"]


def test_comments_that_occur_twice_get_equal_answers_and_dates_are_carried(tmp_path):
    names = ("train.csv", "test.csv", "sample_submission_null.csv")
    data = tmp_path / "data"
    data.mkdir()
    for name, table in zip(names, comments(120, 30, 3), strict=True):
        table.to_csv(data / name, index=False)
    assert find(data).sample is not None
    run = solve(data, out=tmp_path / "run", profile="quick", jobs=1, report=False)
    submission, test = (
        pd.read_csv(path, dtype=str, keep_default_na=False)
        for path in (run.submission, data / "test.csv")
    )
    assert list(submission.columns) == ["Insult", "Date", "Comment"]
    assert submission[["Date", "Comment"]].equals(test[["Date", "Comment"]])
    assert (submission["Date"] == "").any()
    answers = submission["Insult"].astype(float)
    assert answers.between(0, 1).all()
    assert test["Comment"].iloc[-1] == test["Comment"].iloc[-2]
    assert answers.iloc[-1] == answers.iloc[-2]


def test_a_comment_may_be_a_word_that_means_missing_elsewhere():
    assert REGISTRY["detecting-insults-in-social-commentary"].missing == ("",)
