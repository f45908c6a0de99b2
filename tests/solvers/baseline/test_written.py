"""What files write: words that mean a missing value, or not, and columns that are spelled twice."""

import pandas as pd
import pytest

from signatures import find
from solvers.baseline.asked import Wanted
from solvers.baseline.files import best_constant, read_files, understand

N = 60


def write(folder, train, test, sample=None):
    """Write tables given as columns of words."""
    folder.mkdir()
    for name, table in (("train", train), ("test", test), ("sample_submission", sample)):
        if table is not None:
            pd.DataFrame(table).to_csv(folder / f"{name}.csv", index=False)
    return read_files(find(folder))


def read(tmp_path, answers, shown=None, **sample):
    """Give what is understood of `answers` to one column, of which the sample shows some."""
    train = {"id": range(N), "u": [i * i % 17 for i in range(N)], "y": answers}
    test = {"id": range(N, 2 * N), "u": [i * i % 13 for i in range(N)]}
    ids = {"id": range(N, 2 * N)}
    sample = {**ids, **sample} if sample else None if shown is None else {**ids, "y": shown}
    return write(tmp_path / "d", train, test, sample)


def repeated(*words):
    return [words[i % len(words)] for i in range(N)]


RARE = ["low", "high"] * 29 + ["low", "NA"]


@pytest.mark.parametrize("word", ["NA", "null", "nan", "NaN", "N/A", "None"])
def test_a_word_for_missing_that_is_frequent_among_words_is_a_class(tmp_path, word):
    question, rows = understand(read(tmp_path, repeated("low", word, "high")))
    assert set(question.targets[0].labels) == {"low", word, "high"}
    assert len(rows.train_rows) == N


def test_a_rare_one_is_a_missing_answer(tmp_path):
    question, rows = understand(read(tmp_path, RARE))
    assert set(question.targets[0].labels) == {"low", "high"}
    assert len(rows.train_rows) == N - 1


def test_a_rare_one_that_the_sample_writes_is_a_class(tmp_path):
    question, _ = understand(read(tmp_path, RARE, ["NA"] * N))
    assert set(question.targets[0].labels) == {"low", "high", "NA"}


def test_one_that_a_column_of_the_sample_is_called_after_is_a_class(tmp_path):
    shares = {name: [0.3] * N for name in ("y_low", "y_NA", "y_high")}
    question, rows = understand(read(tmp_path, RARE, **shares))
    assert question.asked.classes["NA"] == "y_NA"
    assert len(rows.train_rows) == N


def test_among_numbers_it_is_missing_unless_the_sample_holds_it_beside_them(tmp_path):
    numbers = repeated("0", "1", "NA", "2")
    for folder, shown, labels in (
        ("no sample", None, set()),
        ("a placeholder", ["NA"] * N, set()),
        ("beside", repeated("NA", "1", "2"), {"0", "1", "2", "NA"}),
    ):
        (tmp_path / folder).mkdir()
        question, _ = understand(read(tmp_path / folder, numbers, shown))
        assert set(question.targets[0].labels) >= labels
        assert ("NA" in question.targets[0].labels) == bool(labels)


def test_nothing_at_all_is_never_a_class(tmp_path):
    question, rows = understand(read(tmp_path, repeated("low", "", "high")))
    assert set(question.targets[0].labels) == {"low", "high"}
    assert len(rows.train_rows) == 2 * N / 3


def test_the_best_constant_may_be_such_a_class(tmp_path):
    files = write(
        tmp_path / "d",
        {"id": range(10), "y": ["null"] * 6 + ["cat"] * 4}, None, {"id": [10, 11], "y": ["cat"] * 2}
    )  # fmt: skip
    frame, _ = best_constant(files)
    assert frame["y"].tolist() == ["null"] * 2


@pytest.mark.parametrize(
    ("in_train", "in_test", "in_sample"),
    [
        (("id", "y"), "id", ("Id", "Y")),
        (("passenger id", "the target"), "passenger id", ("PassengerId", "the_target")),
        (("ID", "y"), "id", ("id", "y")),
    ],
)
def test_a_name_spelled_in_two_ways_is_one_column(tmp_path, in_train, in_test, in_sample):
    id_, target = in_train
    train = {id_: range(N), "u": range(N), target: [i / 7 for i in range(N)]}
    test = {in_test: range(N, 2 * N), "u": range(N)}
    question, rows = understand(
        write(tmp_path / "d", train, test, dict.fromkeys(in_sample, range(N, 2 * N)))
    )
    assert question.asked.columns == in_sample
    assert question.asked.id == in_sample[0]
    assert question.targets[0].name == in_sample[1]
    assert list(rows.used) == ["u"]


def test_a_name_that_is_said_may_be_spelled_as_the_files_of_train_and_test_do(tmp_path):
    train = {"key": range(N), "u": range(N), "y": [i / 7 for i in range(N)], "z": range(N)}
    test = {"key": range(N, 2 * N), "u": range(N)}
    sample = {"Key": range(N, 2 * N), "Y": range(N)}
    files = write(tmp_path / "d", train, test, sample)
    question, _ = understand(files, Wanted("key", ("y",)))
    assert (question.asked.id, dict(question.asked.answers)) == ("Key", {"Y": "Y"})


def test_names_that_two_columns_could_claim_stay(tmp_path):
    train = {"id": range(N), "U": range(N), "u": range(N), "y": [i / 7 for i in range(N)]}
    test = {"id": range(N, 2 * N), "U": range(N), "u": range(N)}
    _, rows = understand(write(tmp_path / "d", train, test))
    assert list(rows.used) == ["U", "u"]
