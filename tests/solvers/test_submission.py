import dataclasses

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY, Metric, SubmissionError, find
from solvers.baseline.asked import read_asked
from solvers.foreign_submission import check_file, keys_of
from solvers.intake import Tables
from solvers.sample_keys import Keys, keys_in
from solvers.submission import Form, build, check, read_form
from solvers.target import Target

SIGNATURE = REGISTRY["spaceship-titanic"]
IDS = tuple(f"00{n}_01" for n in range(10, 22))
FORM = Form("PassengerId", IDS, ("PassengerId", "Transported"), {"Transported": ("False", "True")})


def sample(labels=("False",), ids=IDS, columns=("PassengerId", "Transported")):
    values = [labels[n % len(labels)] for n in range(len(ids))]
    return pd.DataFrame(dict(zip(columns, [list(ids), values], strict=True)), dtype=object)


def good():
    return pd.DataFrame({"PassengerId": IDS, "Transported": ["True", "False"] * 6})


def test_form_follows_the_sample_columns():
    turned = sample()[["Transported", "PassengerId"]]
    form, failures = read_form(SIGNATURE, IDS, turned)
    assert form.columns == ("Transported", "PassengerId")
    assert failures == []


def test_rows_follow_the_test_file_where_the_sample_differs():
    form, failures = read_form(SIGNATURE, IDS, sample(ids=IDS[::-1]))
    assert form.ids == IDS
    assert failures == []


def test_form_without_a_sample_comes_from_the_signature():
    form, failures = read_form(SIGNATURE, IDS, None)
    assert form == FORM
    assert failures == []


@pytest.mark.parametrize(
    ("labels", "spelling"),
    [
        (("False",), ("False", "True")),
        (("false", "true"), ("false", "true")),
        (("TRUE",), ("FALSE", "TRUE")),
        (("0", "1"), ("0", "1")),
    ],
)
def test_labels_are_spelled_as_in_the_sample(labels, spelling):
    form, failures = read_form(SIGNATURE, IDS, sample(labels))
    assert set(form.spelling.values()) == {spelling}
    assert failures == []


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        (sample(("0.5",)), "expected the labels False, True; found '0.5'"),
        (sample(ids=IDS[:-1]), "1 id ('0021_01') of the test "),
        (sample(ids=(*IDS, "9999_01")), "1 id ('9999_01') are not in the test"),
        (sample(ids=(*IDS[:-1], IDS[0])), "1 id ('0010_01') too often"),
        (
            sample(columns=("PassengerId", "Survived")),
            "expected the columns PassengerId, Transported",
        ),
    ],
)
def test_a_sample_that_does_not_fit_is_explained(spoiled, words):
    _, failures = read_form(SIGNATURE, IDS, spoiled)
    assert words in " ".join(failures)


def test_build_writes_labels_and_numbers():
    probabilities = [[0.1], [0.9]]
    target = Target("Transported", ("False", "True"))
    form = Form(
        "PassengerId", IDS[:2], ("PassengerId", "Transported"), {"Transported": ("no", "yes")}
    )
    frame = build(form, [target], [np.array(probabilities)])
    assert frame.to_dict("list") == {"PassengerId": list(IDS[:2]), "Transported": ["no", "yes"]}
    numbers = Form("PassengerId", IDS[:2], ("PassengerId", "Transported"))
    assert build(numbers, [target], [np.array(probabilities)])["Transported"].tolist() == [0.1, 0.9]


AUTHORS = dataclasses.replace(
    SIGNATURE, id="id", target=("author",), labels=("EAP", "HPL", "MWS"),
    metric=Metric("log_loss", higher_is_better=False),
)  # fmt: skip


def test_probabilities_of_several_classes_have_a_column_each():
    wanted = pd.DataFrame({"id": ["a", "b"], "EAP": "0.4", "HPL": "0.3", "MWS": "0.3"})
    form, failures = read_form(AUTHORS, ["a", "b"], wanted)
    assert failures == []
    rows = np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]])
    frame = build(form, [Target("author", AUTHORS.labels)], [rows])
    assert frame.to_dict("list") == {
        "id": ["a", "b"], "EAP": [0.5, 0.0], "HPL": [0.25, 0.5], "MWS": [0.25, 0.5],
    }  # fmt: skip
    check(frame, form)


def test_a_sample_that_calls_classes_otherwise_points_to_the_baseline():
    named = pd.DataFrame({"id": ["a"], **{f"chance_{name}": ["0.3"] for name in AUTHORS.labels}})
    _, (failure,) = read_form(AUTHORS, ["a"], named)
    assert "chance_EAP" in failure
    assert "--fallback baseline" in failure
    _, (failure,) = read_form(AUTHORS, ["a"], named.drop(columns="chance_EAP"))
    assert "baseline" not in failure


def test_a_sample_may_repeat_columns_of_the_test():
    beside = {"Day": ["Mon", None], "Place": ["x", "y"]}
    wanted = pd.DataFrame({"EAP": "0.4", "Day": ["Mon", None], "id": ["a", "b"]})
    author = dataclasses.replace(AUTHORS, target=("EAP",), labels=("0", "1"))
    form, failures = read_form(author, ["a", "b"], wanted, beside)
    assert failures == []
    frame = build(form, [Target("EAP", ("0", "1"))], [np.array([[0.2], [0.7]])])
    assert frame["Day"].isna().tolist() == [False, True]
    assert frame[["EAP", "id"]].to_dict("list") == {"EAP": [0.2, 0.7], "id": ["a", "b"]}
    assert list(frame.columns) == ["EAP", "Day", "id"]
    check(frame, form)
    _, failures = read_form(author, ["a", "b"], wanted.rename(columns={"Day": "Time"}), beside)
    assert "expected the columns id, EAP" in failures[0]


def test_an_id_may_be_wanted_twice():
    form = Form("id", ("a", "b", "a"), ("id", "y"))
    check(pd.DataFrame({"id": ["a", "b", "a"], "y": [1.0, 2.0, 1.0]}), form)
    with pytest.raises(SubmissionError, match="too often"):
        check(pd.DataFrame({"id": ["a", "b", "b"], "y": [1.0, 2.0, 1.0]}), form)


def test_one_answer_for_a_real_test_set_is_refused_and_for_a_few_rows_is_not():
    ids = tuple(map(str, range(50)))
    frame = pd.DataFrame({"PassengerId": ids, "Transported": "True"})
    with pytest.raises(SubmissionError, match="all 50 rows say the same"):
        check(frame, dataclasses.replace(FORM, ids=ids))
    check(frame.iloc[:49], dataclasses.replace(FORM, ids=ids[:49]))


def test_a_good_submission_passes():
    check(good(), FORM)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda f: f.iloc[:-1], "not in it"),
        (lambda f: pd.concat([f, f.iloc[:1]]), "too often"),
        (lambda f: f.assign(PassengerId=["9999_99", *IDS[1:]]), "not in the test"),
        (lambda f: f.iloc[::-1], "not in the test file's order"),
        (lambda f: f.assign(Transported=[None, *["True"] * 11]), "1 values are missing"),
        (lambda f: f.assign(Transported=["true ", "False"] * 6), "found 'true '"),
        (lambda f: f.assign(Transported=[0.5, 0.2] * 6), "expected False, True"),
        (lambda f: f.assign(Transported=[float("inf")] * 12), "12 values are infinite"),
        (lambda f: f.rename(columns={"Transported": "transported"}), "expected the columns"),
        (lambda f: f[["Transported", "PassengerId"]], "expected the columns"),
    ],
)
def test_a_submission_that_would_not_be_graded_is_refused(spoil, words):
    with pytest.raises(SubmissionError, match=words):
        check(spoil(good()), FORM)


def files(folder, train="key,u,v,score", test="key,u,v", sample="", rows="1,2,3"):
    """Write a task: five rows each, whose values are told from the columns' names."""
    folder.mkdir()
    for name, columns in (("train", train), ("test", test)):
        lines = [",".join(f"{c}{n}" if c == "key" else str(n % 2) for c in columns.split(","))
                 for n in range(5)]  # fmt: skip
        (folder / f"{name}.csv").write_text("\n".join([columns, *lines]) + "\n")
    (folder / "sample_submission.csv").write_text(sample)
    return find(folder)


REPEATED = "score,v,key\n" + "".join(f"0.5,{n % 2},key{n}\n" for n in range(5))
NO_ID = "score\n" + "0.5\n" * 5
OTHER_ID = "number,score\n" + "".join(f"{n},0.5\n" for n in range(5))


@pytest.mark.parametrize(
    ("sample", "keys"),
    [
        (REPEATED, Keys("key", ("v",))),
        (NO_ID, Keys(None)),
        ("score,other\n" + "0.5,1\n" * 5, Keys(None)),
        (OTHER_ID, Keys("number")),
        ("key,score\n" + "".join(f"key{n},0.5\n" for n in range(5)), Keys("key")),
        ("v,key,score\n0,key4,0.5\n1,key1,0.5\n", Keys("key", ("v",))),
    ],
)
def test_id_of_a_sample_is_found_wherever_it_is(tmp_path, sample, keys):
    """Whoever asks gets the same answer: what holds a file against a sample, and the baseline."""
    bundle = files(tmp_path / "data", sample=sample)
    table = pd.read_csv(bundle.path / bundle.sample.name, dtype=str)
    assert keys_of(table, bundle) == keys
    train, test = (pd.read_csv(bundle.path / f"{n}.csv", dtype=str) for n in ("train", "test"))
    if "other" in table:  # the baseline has to find what is asked for, too
        train["other"] = "1"
    asked = read_asked(Tables(train, test, table))
    assert asked.id == (keys.id if keys.id in test else None)
    assert set(asked.carried) == {*keys.repeated, *({keys.id} - {None, asked.id})}


def test_columns_that_stand_blank_in_test_are_no_keys():
    test = pd.DataFrame({"key": ["a", "b"], "y": ["", ""]})
    sample = pd.DataFrame({"key": ["a", "b"], "y": ["", ""], "z": ["0", "0"]})
    assert keys_in(sample, test, {"key", "y", "z"}) == Keys("key")


@pytest.mark.parametrize(
    ("sample", "good", "bad", "words"),
    [
        (REPEATED, REPEATED.replace("0.5", "0.25"), REPEATED.replace("key4", "key3"), "too often"),
        (NO_ID, NO_ID.replace("0.5", "0.25"), NO_ID[:-4], "it has 4 rows, and the sample 5"),
        (OTHER_ID, OTHER_ID.replace("0.5", "0.25"), OTHER_ID.replace("4,", "9,"), "not in it"),
    ],
    ids=["id elsewhere", "no id", "id of the sample's own"],
)
def test_file_is_held_against_the_sample_by_its_id(tmp_path, sample, good, bad, words):
    bundle = files(tmp_path / "data", sample=sample)
    (tmp_path / "s.csv").write_text(good)
    check_file(tmp_path / "s.csv", bundle)
    (tmp_path / "s.csv").write_text(bad)
    with pytest.raises(SubmissionError, match=words):
        check_file(tmp_path / "s.csv", bundle)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,y\n" + "," * 1_000_000 + "\n", "1,000,001 fields in line 2, and 2 in its header"),
        ("id,y\n1,2\n3\n", "1 field in line 3"),
        ('id,y\n1,"2\n', "broken quotes"),
        ("id;y\n1;2\n", "not separated by commas"),
        ("id,y\n1,\xff\n", "not UTF-8"),
        ("", "is empty"),
    ],
)
def test_what_is_no_whole_csv_file_is_refused(tmp_path, text, words):
    path = tmp_path / "answer"
    path.write_bytes(text.encode("latin-1"))
    bundle = find(tmp_path)
    with pytest.raises(SubmissionError, match=words):
        check_file(path, bundle)


@pytest.mark.parametrize("path", [None, "nowhere.csv", "."])
def test_what_is_no_file_is_refused(tmp_path, path):
    with pytest.raises(SubmissionError, match="no csv file that can be read"):
        check_file(path, find(files(tmp_path / "data", sample=NO_ID).path))
