"""Grading, held against scikit-learn on raw frames, against cases worked out by hand, and against
what pandas and scikit-learn together refuse."""

import json
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

from signatures import REGISTRY, BundleError, Metric, Registry, Signature, UnknownTaskError
from signatures.frozen import FrozenMap
from solvers import Grade, grade
from solvers.grading.medals import medal_places

HIGHER = {"accuracy", "auc"}


def task(slug, metric, target, *, id="id", labels=(), medals=(), aligned="id"):
    return Signature(
        slug=slug,
        title=slug,
        source="made up",
        solver="nowhere:SOLVER",
        key=target,
        columns=(id, "feature", *target),
        id=id,
        target=target,
        metric=Metric(metric, metric in HIGHER),
        labels=labels,
        medals=FrozenMap(dict(medals)),
        aligned=aligned,
    )


LINES = {"gold": 0.9, "silver": 0.8, "bronze": 0.75, "median": 0.75, "source": "somebody"}
FATE = task("fate", "accuracy", ("Moved",), labels=("False", "True"), medals=LINES)
TYPES = task("types", "accuracy", ("Type",), labels=("Extrovert", "Introvert"))
MOODS = task("moods", "accuracy", ("Mood",), labels=("0", "1", "2", "3", "4"))
RAIN = task("rain", "auc", ("rain",), labels=("0", "1"))
ENZYMES = task("enzymes", "auc", ("EC1", "EC2"), labels=("0", "1"))
AUTHORS = task("authors", "log_loss", ("author",), labels=("EAP", "HPL", "MWS"))
CRYSTALS = task("crystals", "rmsle", ("energy", "gap"), aligned="order")
BIKES = task("bikes", "rmsle", ("count",), id="datetime")
HOUSES = task("houses", "rmse_log", ("SalePrice",), id="Id")
WEIGHTS = task("weights", "rmse", ("grams",))

# For each kind of task the answers and a valid submission.
TABLES = {
    FATE: ("id,Moved\na1,True\na2,False\na3,True\na4,False\n",
           "id,Moved\na1,True\na2,False\na3,False\na4,False\n"),
    TYPES: ("id,Type\n1,Extrovert\n2,Introvert\n3,Extrovert\n",
            "id,Type\n1,Extrovert\n2,Introvert\n3,Introvert\n"),
    MOODS: ("id,Mood\n1,0\n2,4\n3,2\n", "id,Mood\n1,0\n2,4\n3,3\n"),
    RAIN: ("id,rain\n1,0\n2,1\n3,1\n4,0\n", "id,rain\n1,0.1\n2,0.9\n3,0.3\n4,0.4\n"),
    ENZYMES: ("id,EC1,EC2\n1,0,1\n2,1,0\n3,1,1\n4,0,0\n",
              "id,EC1,EC2\n1,0.1,0.9\n2,0.9,0.2\n3,0.3,0.8\n4,0.4,0.1\n"),
    AUTHORS: ("id,EAP,HPL,MWS\na,1,0,0\nb,0,0,1\n",
              "id,EAP,HPL,MWS\na,0.5,0.25,0.25\nb,0.1,0.1,0.8\n"),
    CRYSTALS: ("id,energy,gap\n1,0,1\n2,0.1,2\n3,0.2,3\n",
               "id,energy,gap\n1,0,1.5\n2,0.2,2\n3,0.2,3\n"),
    BIKES: ("datetime,count\n2011-01-18 12:00:00,3\n2011-01-18 13:00:00,0\n",
            "datetime,count\n2011-01-18 12:00:00,1\n2011-01-18 13:00:00,1\n"),
    HOUSES: ("Id,SalePrice\n5,100000\n7,200000\n", "Id,SalePrice\n5,200000\n7,200000\n"),
    WEIGHTS: ("id,grams\n1,1\n2,3\n", "id,grams\n1,2\n2,1\n"),
}  # fmt: skip
TASKS = pytest.mark.parametrize("signature", TABLES, ids=lambda signature: signature.slug)


@pytest.fixture
def graded(tmp_path):
    """Write a submission and answers, the usual ones if no others are given, and grade."""

    def run(
        signature, submission=None, answers=None, *, board=None, name="submission.csv", like=None
    ):
        usual_answers, usual = TABLES[like or signature]
        (tmp_path / "answers.csv").write_text(answers or usual_answers, encoding="utf-8")
        content = usual if submission is None else submission
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
        if board is not None:
            (tmp_path / "leaderboard.csv").write_text(board, encoding="utf-8")
        return grade(
            tmp_path / name,
            answers=tmp_path / "answers.csv",
            task=signature,
            leaderboard=None if board is None else tmp_path / "leaderboard.csv",
        )

    return run


# ---------------------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("signature", "by_hand"),
    [
        (FATE, 3 / 4),
        (TYPES, 2 / 3),
        (MOODS, 2 / 3),
        # Of the 2 x 2 pairs of rain and none, only 0.3 against 0.4 is in the wrong order.
        (RAIN, 3 / 4),
        # EC1 as above; in EC2 each of 0.9 and 0.8 is above 0.2 and 0.1.
        (ENZYMES, (3 / 4 + 1) / 2),
        (AUTHORS, -(np.log(0.5) + np.log(0.8)) / 2),
        # Energy: only ln(1.2 / 1.1) is off, over three rows. Gap: only ln(2.5 / 2).
        (CRYSTALS, (np.log(1.2 / 1.1) + np.log(1.25)) / np.sqrt(3) / 2),
        # Both rows are off by a factor of two in count + 1: 4 for 2, and 1 for 2.
        (BIKES, np.log(2)),
        # One of two prices is doubled: ln 2 once, not ln(200001 / 100001).
        (HOUSES, np.log(2) / np.sqrt(2)),
        # Off by 1 and by 2.
        (WEIGHTS, np.sqrt(5 / 2)),
    ],
    ids=lambda value: getattr(value, "slug", ""),
)
def test_score_agrees_with_a_case_worked_out_by_hand(graded, signature, by_hand):
    assert graded(signature).score == round(float(by_hand), 5)


def by_scikit_learn(signature, answers, submission):
    """Score raw frames directly: rows by id, columns by name."""
    if signature is AUTHORS:
        merged = answers.merge(submission, on=signature.id)
        return sk.log_loss(merged["author"], merged[["EAP", "HPL", "MWS"]].to_numpy())
    merged = answers.merge(submission, on=signature.id, suffixes=("_true", ""))
    y = [merged[f"{name}_true"] for name in signature.target]
    said = merged[[*signature.target]]
    function = {
        "accuracy": sk.accuracy_score,
        "auc": sk.roc_auc_score,
        "rmsle": sk.root_mean_squared_log_error,
        "rmse": sk.root_mean_squared_error,
        "rmse_log": lambda a, b: sk.root_mean_squared_error(np.log(a), np.log(b)),
    }[signature.metric.name]
    return np.mean([function(a, said[name]) for a, name in zip(y, said, strict=True)])


def random_tables(signature, n_rows=200):
    """Make answers, one label column where there are labels, and a submission in the same order."""
    random = np.random.default_rng(5)
    ids = random.permutation(n_rows) + 1000
    answers = pd.DataFrame({signature.id: ids})
    submission = answers.copy()
    for name in signature.target:
        if signature.labels:
            answers[name] = random.choice(signature.labels, n_rows)
        else:
            answers[name] = random.random(n_rows) * 100 + 0.01
        submission[name] = random.random(n_rows)
        if signature.metric.name == "accuracy":
            submission[name] = random.choice(signature.labels, n_rows)
    if signature is AUTHORS:
        shares = pd.DataFrame(random.dirichlet([1, 1, 1], n_rows), columns=signature.labels)
        submission = pd.concat([answers[[signature.id]], shares], axis=1)
    return answers, submission


@TASKS
def test_score_agrees_with_scikit_learn_on_random_rows(tmp_path, signature):
    answers, submission = random_tables(signature)
    answers.to_csv(tmp_path / "answers.csv", index=False)
    submission.to_csv(tmp_path / "s.csv", index=False)
    found = grade(tmp_path / "s.csv", answers=tmp_path / "answers.csv", task=signature)
    raw = [pd.read_csv(tmp_path / name) for name in ("answers.csv", "s.csv")]
    assert found.failures == ()
    assert found.score == round(float(by_scikit_learn(signature, *raw)), 5)


@TASKS
def test_rows_are_laid_together_by_id_unless_the_grader_goes_by_order(tmp_path, signature):
    answers, submission = random_tables(signature)
    answers.to_csv(tmp_path / "answers.csv", index=False)
    submission.to_csv(tmp_path / "s.csv", index=False)
    submission.iloc[::-1].to_csv(tmp_path / "reversed.csv", index=False)
    straight, turned = (
        grade(tmp_path / name, answers=tmp_path / "answers.csv", task=signature)
        for name in ("s.csv", "reversed.csv")
    )
    if signature.aligned == "order":
        assert turned.score is None
        assert "keep the test file's order" in turned.failures[0]
    else:
        assert turned.score == straight.score is not None


def test_answers_of_classes_may_be_one_column_or_one_for_each(graded):
    one_hot = graded(AUTHORS)
    label = graded(AUTHORS, answers="id,author\na,EAP\nb,MWS\n")
    assert one_hot.score == label.score is not None


def test_a_class_that_no_answer_has_is_no_problem(graded):
    assert graded(AUTHORS, answers="id,author\na,EAP\nb,EAP\n").score == round(
        -(np.log(0.5) + np.log(0.1)) / 2, 5
    )


def test_hard_and_right_probabilities_are_a_log_loss_of_zero(graded):
    found = graded(AUTHORS, "id,EAP,HPL,MWS\na,1,0,0\nb,0,0,1\n")
    assert found.score == 0.0
    assert str(found.score) == "0.0"  # and no negative zero


def test_one_hard_and_wrong_probability_costs_36(graded):
    # Clipped at the distance from 1 to the next number, 2.2e-16; the other row is right.
    found = graded(AUTHORS, "id,EAP,HPL,MWS\na,0,1,0\nb,0,0,1\n")
    assert found.score == round(-np.log(np.finfo(float).eps) / 2, 5)


@pytest.mark.parametrize(("off", "valid"), [(1e-6, True), (1.09e-5, True), (1.2e-5, False)])
def test_sums_may_miss_one_by_what_numpy_calls_close(graded, off, valid):
    text = f"id,EAP,HPL,MWS\na,0.5,0.25,0.25\nb,0.1,0.1,{0.8 + off!r}\n"
    sums = pd.DataFrame({"b": [0.1, 0.1, 0.8 + off]}).sum()
    assert np.isclose(sums, 1, atol=1e-6).all() == valid  # as the graders ask
    assert graded(AUTHORS, text).valid == valid


def test_scores_are_rounded_to_five_decimals_before_they_meet_a_line(graded):
    # Two of three are 0.666666..., which is below the line and rounds to it.
    signature = task("thirds", "accuracy", ("Type",), labels=TYPES.labels,
                     medals={"gold": 0.66667, "median": 0.66667, "source": "x"})  # fmt: skip
    found = graded(signature, like=TYPES)
    assert (found.score, found.medal) == (0.66667, "gold")
    assert not found.competition_report()["above_median"]  # reached and not passed


# ---------------------------------------------------------------------------- invalid submissions

MISSING = "id,Moved\na1,True\na2,False\na3,True\n"
INVALID = {
    "missing id": (FATE, MISSING, "1 id ('a4') of the answers missing"),
    "missing id is also counted": (FATE, MISSING, "expected 4 rows, found 3"),
    "extra id": (FATE, TABLES[FATE][1] + "a9,True\n", "1 id ('a9') not in the answers"),
    "duplicate": (FATE, TABLES[FATE][1] + "a4,True\n", "1 id ('a4') too often"),
    "other id": (FATE, TABLES[FATE][1].replace("a3", "A3"), "('A3') not in the answers"),
    "header only": (FATE, "id,Moved\n", "expected 4 rows, found a header only"),
    "missing value": (FATE, TABLES[FATE][1].replace("a2,False", "a2,"),
                      "1 value missing, in 1 id ('a2')"),
    "NaN": (FATE, TABLES[FATE][1].replace("a2,False", "a2,NaN"), "1 value missing"),
    "None": (TYPES, TABLES[TYPES][1].replace("3,Introvert", "3,None"), "1 value missing"),
    "probability for a label": (FATE, "id,Moved\na1,0.9\na2,0.2\na3,0.4\na4,0.1\n",
                                "found 4 numbers such as '0.9'"),
    "one probability for a label": (MOODS, "id,Mood\n1,0\n2,4\n3,2.5\n", "1 number such as '2.5'"),
    "blank after true": (FATE, TABLES[FATE][1].replace("a1,True", "a1,true "), "found 'true '"),
    "words for truth": (FATE, "id,Moved\na1,yes\na2,no\na3,no\na4,no\n", "found 'no', 'yes'"),
    "truth and a number": (FATE, TABLES[FATE][1].replace("a1,True", "a1,1"), "found '1'"),
    "number for a word": (TYPES, "id,Type\n1,0\n2,1\n3,1\n", "found numbers such as '0'"),
    "truth for a word": (TYPES, "id,Type\n1,True\n2,False\n3,True\n", "expected labels"),
    "word for a number": (MOODS, "id,Mood\n1,good\n2,4\n3,2\n", "found 'good'"),
    "infinite label": (MOODS, "id,Mood\n1,inf\n2,4\n3,2\n", "such as 'inf'"),
    "wrong column": (FATE, TABLES[FATE][1].replace("Moved", "moved"), "1 column missing ('Moved')"),
    "no id": (FATE, TABLES[FATE][1].replace("id,", "ID,"), "1 column missing ('id')"),
    "semicolons": (FATE, TABLES[FATE][1].replace(",", ";"), "separated by ';', expected commas"),
    "too few fields": (FATE, TABLES[FATE][1] + "a5\n", "has 1 field in line 6"),
    "word for a probability": (RAIN, TABLES[RAIN][1].replace("0.9", "high"),
                               "found 'high' in 1 id ('2')"),
    "above one": (RAIN, TABLES[RAIN][1].replace("0.9", "1.2"), "from 0 to 1, found '1.2'"),
    "below zero": (RAIN, TABLES[RAIN][1].replace("0.9", "-0.2"), "from 0 to 1, found '-0.2'"),
    "one missing of two targets": (ENZYMES, "id,EC1\n1,0\n2,0\n3,1\n4,1\n", "('EC2')"),
    "infinite rank": (ENZYMES, TABLES[ENZYMES][1].replace("0.9,0.2", "inf,0.2"), "finite numbers"),
    "rows not summing to one": (AUTHORS, TABLES[AUTHORS][1].replace("0.8", "0.7"),
                                "1 id ('b') with probabilities that do not sum to one"),
    "negative probability": (AUTHORS, TABLES[AUTHORS][1].replace("0.1,0.1,0.8", "-0.1,0.3,0.8"),
                             "EAP: expected probabilities from 0 to 1, found '-0.1' in 1 id ('b')"),
    "class missing": (AUTHORS, "id,EAP,HPL\na,0.5,0.5\nb,0.5,0.5\n", "('MWS')"),
    "class too many": (AUTHORS, "id,EAP,HPL,MWS,X\na,1,0,0,0\nb,0,0,1,0\n", "too many ('X')"),
    "id not first": (AUTHORS, "EAP,id,HPL,MWS\n1,a,0,0\n0,b,0,1\n", "first column is 'EAP'"),
    "wrong order": (CRYSTALS, "id,energy,gap\n2,0,1\n1,0,1\n3,0,1\n", "row 1 has the id '2'"),
    "below a logarithm": (CRYSTALS, TABLES[CRYSTALS][1].replace("2,0.2,2", "2,-0.2,2"),
                          "energy: expected numbers of 0 or more"),
    "price of zero": (HOUSES, "Id,SalePrice\n5,0\n7,200000\n", "above 0"),
}  # fmt: skip


@pytest.mark.parametrize(("signature", "text", "sentence"), INVALID.values(), ids=INVALID)
def test_invalid_submission_is_told_in_words(graded, signature, text, sentence):
    found = graded(signature, text)
    assert found.score is None
    assert not found.valid
    assert found.submission_exists
    assert any(sentence in failure for failure in found.failures), found.failures
    report = found.competition_report()
    assert report["valid_submission"] is False
    assert report["any_medal"] is report["above_median"] is False


@TASKS
def test_the_valid_submission_that_these_were_made_from_is_valid(graded, signature):
    found = graded(signature)
    assert found.failures == ()
    assert found.valid


def test_everything_wrong_is_told_at_once(graded):
    found = graded(ENZYMES, "id,EC1,EC2\n1,,0.2\n1,0.2,x\n3,0.1,0.1\n9,0.1,0.1\n")
    told = "\n".join(found.failures)
    for part in ("2 ids ('2', '4')", "1 id ('1') too often", "('9')", "EC1: 1 value", "found 'x'"):
        assert part in told
    assert len(found.failures) == 5


EVERYTHING = {
    "labels": (FATE, "id,Moved\na1,\na2,maybe\na3,True\na9,True\n",
               ["('a4')", "('a9')", "1 value missing, in 1 id ('a1')", "found 'maybe'"]),
    "one column": (RAIN, "id,rain\n1,\n2,high\n3,1.5\n4,-1\n9,0.5\n",
                   ["1 value missing", "found 'high'", "found '1.5' in 2 ids ('3', '4')"]),
    "a column is missing": (ENZYMES, "id,EC1,EC3\n1,,0.2\n2,x,0.2\n3,0.1,1\n9,0.1,0.1\n",
                            ["('EC2')", "('4')", "('9')", "EC1: 1 value", "found 'x'"]),
    "the ids are missing": (ENZYMES, "EC1,EC2\n,0.2\n0.1,x\n",
                            ["('id')", "1 value missing, in 1 id ('row 1')", "found 'x'"]),
    "a class is missing": (AUTHORS, "EAP,id,HPL,X\n2,a,0,0\n0,z,,0\n",
                           ["('MWS')", "('X')", "first column is 'EAP'", "('b')", "('z')",
                            "EAP: expected probabilities", "HPL: 1 value missing"]),
    "classes": (AUTHORS, "id,EAP,HPL,MWS\na,0.5,0.2,0.2\nb,,0.5,0.5\n",
                ["EAP: 1 value missing", "1 id ('a') with probabilities that do not sum"]),
    "commas": (FATE, "id;Moved;x\na1;maybe;0\na2;True;0\n",
               ["separated by ';'", "found 'maybe'", "('a3', 'a4')"]),
    "only a header": (AUTHORS, "id,EAP,HPL,X\n", ["('MWS')", "('X')", "a header only"]),
}  # fmt: skip


@pytest.mark.parametrize(("signature", "text", "sentences"), EVERYTHING.values(), ids=EVERYTHING)
def test_no_check_ends_the_others(graded, signature, text, sentences):
    told = "\n".join(graded(signature, text).failures)
    for sentence in sentences:
        assert sentence in told


def test_what_is_called_otherwise_is_looked_into_all_the_same(graded):
    found = graded(FATE, "id,Moved\na1,maybe\n", name="submission.txt")
    told = "\n".join(found.failures)
    assert not found.submission_exists
    for sentence in ("does not end in .csv", "found 'maybe'", "3 ids ('a2', 'a3', 'a4')"):
        assert sentence in told
    assert len(graded(FATE, b"\x00\x01", name="submission.npy").failures) == 1


# What pandas makes of a column decides whether scikit-learn compares it with the answers at all.
COLUMNS = {
    "as the sample writes them": "True False False True",
    "lower case": "true false false true",
    "cases mixed": "True false FALSE tRUE",
    "zero and one": "1 0 0 1",
    "whole numbers with a point": "1.0 0.0 0.0 1.0",
    "a number that is no label": "2 0 0 1",
    "numbers and words": "True 0 0 True",
    "fractions": "0.9 0.1 0.2 0.8",
    "one fraction": "1 0 0.5 1",
    "other words": "Yes No No Yes",
    "letters": "T F F T",
    "a blank behind": "true_ false false true",
    "a blank before": "_True False False True",
    "blanks around numbers": "1_ _0 0 1",
    "a gap": "NA False False True",
    "infinite": "inf 0 0 1",
    "digits with an underscore": "1__0 0 0 1",
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("signature", [FATE, TYPES, MOODS], ids=lambda s: s.slug)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_labels_are_valid_where_pandas_and_scikit_learn_can_compare_them(
    graded, tmp_path, signature, column
):
    said = [word.replace("__", "~").replace("_", " ").replace("~", "_") for word in column.split()]
    name = signature.target[0]
    truth = [signature.labels[index] for index in (1, 0, 0, 1)]
    submission = f"id,{name}\n" + "".join(f"{n},{word}\n" for n, word in enumerate(said))
    answers = f"id,{name}\n" + "".join(f"{n},{word}\n" for n, word in enumerate(truth))
    found = graded(signature, submission, answers)
    raw = [pd.read_csv(tmp_path / f"{file}.csv")[name] for file in ("answers", "submission")]
    try:
        expected = sk.accuracy_score(raw[0].to_numpy(), raw[1].to_numpy())
    except (ValueError, TypeError):
        expected = None
    if found.score is None and expected == 0.0:
        # Old versions call text and numbers different everywhere where new ones refuse to compare.
        assert "expected labels" in found.failures[0]
    else:
        assert found.score == expected, found.failures


def test_a_label_of_no_class_is_wrong_and_noted(graded):
    found = graded(TYPES, "id,Type\n1,Extrovert \n2,Introvert\n3,introvert\n")
    assert found.score == 0.33333
    assert "2 rows of no label of this task ('Extrovert ', 'introvert')" in found.notes[0]


def test_true_and_false_are_numbers_where_numbers_are_wanted(graded):
    assert graded(RAIN, "id,rain\n1,False\n2,True\n3,True\n4,False\n").score == 1.0


def test_several_targets_may_be_ranked_by_any_numbers(graded):
    assert graded(ENZYMES, TABLES[ENZYMES][1].replace("0.9", "7")).score == graded(ENZYMES).score


def test_other_columns_are_not_read_and_said_so(graded):
    found = graded(RAIN, "Date,rain,id\n,0.1,1\n,0.9,2\n,0.3,3\n,0.4,4\n")
    assert found.score == 0.75
    assert found.notes == ("not read: 1 column ('Date').",)


def test_the_same_answer_everywhere_is_noted(graded):
    found = graded(RAIN, "id,rain\n1,0\n2,0\n3,0\n4,0\n")
    assert (found.score, found.notes) == (
        0.5,
        ("all 4 rows say the same: nothing was learned.",),
    )


def test_ids_that_are_numbers_are_compared_as_numbers(graded):
    assert graded(RAIN, "id,rain\n1.0,0.1\n02,0.9\n3e0,0.3\n4,0.4\n").score == 0.75


def test_long_numbers_are_not_taken_for_their_neighbours(graded):
    answers = "id,rain\n9007199254740993,0\n9007199254740992,1\n"
    found = graded(RAIN, "id,rain\n9007199254740992,0.9\n9007199254740993,0.1\n", answers)
    assert found.score == 1.0


def test_ids_that_occur_twice_are_wanted_twice(graded):
    answers = 'id,rain\n"a, ""b""",0\n"a, ""b""",1\nc,1\n'
    found = graded(RAIN, 'id,rain\nc,0.9\n"a, ""b""",0.5\n"a, ""b""",0.5\n', answers)
    # Of the two pairs 0.5 against 0.5 is a tie and counts half.
    assert (found.score, found.notes) == (0.75, ())
    once = graded(RAIN, 'id,rain\nc,0.9\n"a, ""b""",0.5\n', answers)
    assert once.failures[0] == "submission: expected 3 rows, found 2."
    unequal = graded(RAIN, 'id,rain\n"a, ""b""",0.1\n"a, ""b""",0.5\nc,0.9\n', answers)
    assert unequal.score == 1.0
    assert "more than once, with different predictions" in unequal.notes[0]


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""], ids=["byte order mark", "none"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_bytes_around_the_table_do_not_matter(graded, start, line_end):
    data = start + TABLES[FATE][1].replace("\n", line_end).encode()
    assert graded(FATE, data).score == 0.75


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08\x00rest", "not text but a compressed file"),
        (b"\x00\x01\x02,\x03\n", "is not a text table"),
        ("id,Moved\n".encode("utf-16"), "is not UTF-8 text"),
        (b"id,Moved\na1,\xff\n", "is not UTF-8 text in line 2"),
        (b"id,id,Moved\na1,a1,True\n", "has columns of the same name: 'id'"),
        (b'id,Moved\na1,"True\n', "has broken quotes"),
    ],
)
def test_file_that_is_no_table_is_an_invalid_submission(graded, data, sentence):
    found = graded(FATE, data)
    assert found.submission_exists
    assert not found.valid
    assert sentence in found.failures[0]


def test_submission_that_is_no_csv_file_does_not_exist_for_a_grader(graded, tmp_path):
    by_name = graded(FATE, name="submission.txt")
    (tmp_path / "folder.csv").mkdir()
    answers = tmp_path / "answers.csv"
    folder = grade(tmp_path / "folder.csv", answers=answers, task=FATE)
    nothing = grade(tmp_path / "nothing.csv", answers=answers, task=FATE)
    for found, sentence in [
        (by_name, "does not end in .csv"),
        (folder, "is a folder"),
        (nothing, "is not there"),
    ]:
        assert not found.submission_exists
        assert not found.valid
        assert sentence in found.failures[0]


# ---------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("signature", "answers", "problem"),
    [
        (FATE, "id,Gone\na1,True\n", "has no column 'Moved'; found 'id', 'Gone'"),
        (FATE, "id,Moved\n", "has a header and no rows"),
        (FATE, "id,Moved\na1,\n", "has 1 missing value in 'Moved'"),
        (FATE, "id,Moved\na1,maybe\n", "holds 'maybe' in 'Moved', expected 'False', 'True'"),
        (RAIN, "id,rain\n1,0\n2,0\n", "an AUC needs both classes"),
        (AUTHORS, "id,EAP,HPL,MWS\na,1,1,0\n", "do not name one class"),
        (BIKES, "datetime,count\nx,-1\n", "values below 0"),
        (HOUSES, "Id,SalePrice\n1,0\n", "without a logarithm"),
        (WEIGHTS, "id,grams\n1,heavy\n", "no finite numbers"),
    ],
)
def test_answers_that_cannot_be_used_are_named(graded, tmp_path, signature, answers, problem):
    with pytest.raises(BundleError) as error:
        graded(signature, answers=answers)
    assert problem in str(error.value)
    assert error.value.where == str(tmp_path / "answers.csv")


def test_answers_that_are_not_there_are_named(tmp_path):
    with pytest.raises(BundleError, match=r"'.*answers\.csv' cannot be read"):
        grade(tmp_path / "s.csv", answers=tmp_path / "answers.csv", task=FATE)


def test_answers_and_leaderboard_have_to_be_tables(tmp_path):
    table, other = tmp_path / "table.csv", tmp_path / "table.txt"
    for path in (table, other):
        path.write_text(TABLES[FATE][0], encoding="utf-8")
    with pytest.raises(BundleError, match="is not a table"):
        grade(table, answers=other, task=FATE)
    with pytest.raises(BundleError, match="is not a table"):
        grade(table, answers=table, task=FATE, leaderboard=other)


def test_answers_may_be_json_lines(graded, tmp_path):
    graded(RAIN)
    rows = [{"id": 1, "rain": 0}, {"id": 2, "rain": 1}, {"id": 3, "rain": 1}, {"id": 4, "rain": 0}]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert grade(tmp_path / "submission.csv", answers=path, task=RAIN).score == 0.75


def write_signature(folder, slug, id, target, columns):
    listed, metric = json.dumps(columns), '{ name = "rmse", higher_is_better = false }'
    (folder / f"{slug}.toml").write_text(
        f'title = "t"\nsource = "s"\nsolver = "a.b:C"\nkey = ["{target}"]\ncolumns = {listed}\n'
        f'id = "{id}"\ntarget = ["{target}"]\nmetric = {metric}\n',
        encoding="utf-8",
    )


@pytest.fixture
def registry(tmp_path):
    folder = tmp_path / "signatures"
    folder.mkdir()
    write_signature(folder, "fish", "n", "weight", ["n", "fins", "weight"])
    write_signature(folder, "birds", "n", "weight", ["n", "wings", "weight"])
    write_signature(folder, "rocks", "n", "age", ["n", "age"])
    return Registry([folder])


@pytest.mark.parametrize(
    ("header", "row", "slug"), [("n,age", "1,2", "rocks"), ("n,wings,weight", "1,2,3", "birds")]
)
def test_task_is_told_from_the_answers(tmp_path, registry, header, row, slug):
    (tmp_path / "a.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    found = grade(tmp_path / "a.csv", answers=tmp_path / "a.csv", registry=registry)
    assert (found.task, found.score) == (slug, 0.0)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("n,weight", "fit several of them (birds, fish)"),
        ("a,b", "the id and the targets of none of birds, fish, rocks"),
    ],
)
def test_task_that_cannot_be_told_is_asked_for(tmp_path, registry, header, why):
    (tmp_path / "a.csv").write_text(f"{header}\n1,2\n", encoding="utf-8")
    with pytest.raises(UnknownTaskError) as error:
        grade(tmp_path / "a.csv", answers=tmp_path / "a.csv", registry=registry)
    assert why in str(error.value)
    assert "--task" in str(error.value)


def test_task_that_nobody_knows_is_refused_with_those_known(tmp_path, registry):
    (tmp_path / "a.csv").write_text("n,age\n1,2\n", encoding="utf-8")
    with pytest.raises(UnknownTaskError, match="'trees' is no known task: expected one of birds"):
        grade(tmp_path / "a.csv", answers=tmp_path / "a.csv", task="trees", registry=registry)


def test_a_known_task_is_graded_by_its_own_signature(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("PassengerId,Transported\n0001_01,True\n0002_01,False\n", encoding="utf-8")
    found = grade(path, answers=path)
    assert (found.task, found.score, found.medal) == ("spaceship-titanic", 1.0, "gold")
    assert found.lines.source == REGISTRY["spaceship-titanic"].medals["source"]


# ---------------------------------------------------------------------------- medals and ranks


@pytest.mark.parametrize(
    ("right", "medal", "above_median"),
    [(10, "gold", True), (9, "gold", True), (8, "silver", True), (7, None, False)],
)
def test_medal_is_the_best_line_that_is_reached(graded, right, medal, above_median):
    truth = ["True", "False"] * 5
    said = truth[:right] + ["True" if word == "False" else "False" for word in truth[right:]]
    rows = [f"a{n},{{}}\n" for n in range(10)]
    text, answers = (
        "id,Moved\n" + "".join(row.format(word) for row, word in zip(rows, words, strict=True))
        for words in (said, truth)
    )
    found = graded(FATE, text, answers)
    assert found.score == right / 10
    assert found.medal == medal
    assert found.competition_report()["above_median"] is above_median


def test_lower_is_better_where_the_metric_says_so(graded):
    medals = {"gold": 1.0, "silver": 1.6, "bronze": 2.0, "median": 1.5, "source": "x"}
    signature = task("grams", "rmse", ("grams",), medals=medals)
    found = graded(signature, like=WEIGHTS)
    assert found.score == 1.58114
    assert found.medal == "silver"
    assert found.competition_report()["is_lower_better"] is True
    assert found.competition_report()["above_median"] is False


def test_without_lines_and_leaderboard_there_is_neither_medal_nor_rank(graded):
    found = graded(RAIN)
    assert (found.medal, found.rank, found.n_teams) == (None, None, None)
    assert found.competition_report()["gold_threshold"] is None


@pytest.mark.parametrize(
    ("n_teams", "places"),
    [
        (1, (1, 1, 1)),
        (99, (9, 19, 39)),
        (100, (10, 20, 40)),
        (249, (10, 49, 99)),
        (250, (10, 50, 100)),
        (999, (11, 50, 100)),
        (1000, (12, 50, 100)),
        (5000, (20, 250, 500)),
    ],
)
def test_medals_end_at_the_places_of_kaggle(n_teams, places):
    assert medal_places(n_teams) == places


def board(scores, column="score"):
    return f"teamId,{column}\n" + "".join(f"{n},{score}\n" for n, score in enumerate(scores))


def test_rank_comes_after_teams_of_equal_score(graded):
    found = graded(FATE, board=board([0.9, 0.8, 0.75, 0.75, 0.7]))
    assert (found.score, found.rank, found.n_teams) == (0.75, 5, 5)
    lower = graded(WEIGHTS, board=board([0.5, 1.58114, 2.0]))
    assert (lower.score, lower.rank, lower.n_teams) == (1.58114, 3, 3)


def test_lines_of_a_leaderboard_replace_those_of_the_signature(graded, tmp_path):
    # Ten teams: gold is the first, silver the second, bronze the fourth.
    scores = [0.8, 0.75, 0.74, 0.73, 0.72, 0.7, 0.7, 0.7, 0.6, 0.5]
    found = graded(FATE, board="\ufeff" + board(scores, "Score"))
    report = found.competition_report()
    assert [report[f"{name}_threshold"] for name in ("gold", "silver", "bronze", "median")] == [
        0.8, 0.75, 0.73, pytest.approx(0.71),
    ]  # fmt: skip
    assert (found.medal, found.rank) == ("silver", 3)
    assert str(tmp_path / "leaderboard.csv") in found.lines.source
    assert "has 0.80000 and somebody 0.90000" in found.notes[0]
    assert len(found.notes) == 4


def test_lines_that_agree_are_not_remarked_on(graded):
    scores = [0.9, 0.8, 0.75, 0.75, *[0.75] * 4, 0.7, 0.7]
    assert graded(FATE, board=board(scores)).notes == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("team,points\n1,2\n", "has no column 'score'; found team, points"),
        ("team,score\n1,best\n", "scores that are no numbers: 'best'"),
        ("team,score\n", "scores that are no numbers: no rows"),
        ("team,score\n1,0.5\n2,0.9\n", "goes from 0.5 to 0.9, and higher is better"),
    ],
)
def test_leaderboard_that_cannot_be_used_is_named(graded, tmp_path, text, problem):
    with pytest.raises(BundleError) as error:
        graded(FATE, board=text)
    assert problem in str(error.value)
    assert error.value.where == str(tmp_path / "leaderboard.csv")


# ---------------------------------------------------------------------------- reports

REPORT_TYPES = {
    "competition_id": str,
    "score": float,
    "gold_threshold": float,
    "silver_threshold": float,
    "bronze_threshold": float,
    "median_threshold": float,
    "any_medal": bool,
    "gold_medal": bool,
    "silver_medal": bool,
    "bronze_medal": bool,
    "above_median": bool,
    "submission_exists": bool,
    "valid_submission": bool,
    "is_lower_better": bool,
    "created_at": str,
    "submission_path": str,
}


def test_competition_report_has_the_keys_and_types_of_mle_bench(graded, tmp_path):
    report = json.loads(json.dumps(graded(FATE).competition_report()))
    assert {name: type(value) for name, value in report.items()} == REPORT_TYPES
    assert list(report) == list(REPORT_TYPES)
    assert report["submission_path"] == str(tmp_path / "submission.csv")
    assert datetime.fromisoformat(report["created_at"]).utcoffset() == timedelta(0)
    assert (report["bronze_medal"], report["silver_medal"], report["any_medal"]) == (
        True,
        False,
        True,
    )


def test_grading_report_holds_one_competition_and_counts_it(graded):
    report = graded(FATE).grading_report()
    assert [one["competition_id"] for one in report["competition_reports"]] == ["fate"]
    counts = {name: value for name, value in report.items() if name.startswith("total_")}
    assert counts == {
        "total_runs": 1,
        "total_runs_with_submissions": 1,
        "total_valid_submissions": 1,
        "total_medals": 1,
        "total_gold_medals": 0,
        "total_silver_medals": 0,
        "total_bronze_medals": 1,
        "total_above_median": 0,
    }


def test_what_is_our_own_comes_after_what_is_mle_benchs(graded):
    facts = graded(FATE).to_dict()
    own = list(facts)[len(REPORT_TYPES) :]
    assert own == ["metric", "medal", "lines_source", "rank", "n_teams", "failures", "notes"]


def test_a_grade_is_frozen_and_told_the_same_twice(graded):
    first, second = graded(FATE), graded(FATE)
    assert isinstance(first, Grade)
    with pytest.raises(AttributeError):
        first.score = 1.0
    assert first.to_dict() | {"created_at": ""} == second.to_dict() | {"created_at": ""}
