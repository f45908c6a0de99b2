"""What makes a submission unfit: told by our own code."""

import csv

import pytest

from purple_agent.llm.checks import check_submission
from purple_agent.llm.task import Task
from signatures import SubmissionError
from tests.purple_agent.scripted import N_TRAIN, garden

IDS = [str(number) for number in range(80, 140)]


def table(path, columns, rows):
    with path.open("w") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def numbers(change=None, row=7):
    """Return the rows of a fit submission, with one value changed."""
    rows = [[id_, f"{int(id_) % 4}.5"] for id_ in IDS]
    if change is not None:
        rows[row][1] = change
    return rows


@pytest.fixture
def task(tmp_path):
    return Task.of(garden(tmp_path / "garden"), None, None)


def test_fit_submission_passes_in_any_order(tmp_path, task):
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()[::-1]), task)


@pytest.mark.parametrize(
    ("columns", "rows", "reason"),
    [
        (["id", "yield"], numbers(), "expected the columns"),
        (["bed_id", "yield"], numbers()[1:], "are not in it"),
        (["bed_id", "yield"], numbers() + numbers()[:1], "too often"),
        (["bed_id", "yield"], numbers("many"), "expected numbers"),
        (["bed_id", "yield"], numbers("True"), "expected numbers"),
        (["bed_id", "yield"], numbers("nan"), "expected numbers"),
        (["bed_id", "yield"], numbers("-inf"), "expected finite numbers"),
        (["bed_id", "yield"], numbers(""), "empty"),
        (["bed_id", "yield"], [[id_, "7.5"] for id_ in IDS], "say the same"),
        (["bed_id", "yield"], [[id_, "0"] for id_ in IDS], "sample submission"),
        (["bed_id", "yield"], [[id_, "0.0"] for id_ in IDS[::-1]], "say"),
    ],
)
def test_unfit_submission_is_refused_with_the_reason(tmp_path, task, columns, rows, reason):
    with pytest.raises(SubmissionError, match=reason):
        check_submission(table(tmp_path / "s.csv", columns, rows), task)


def test_copy_of_a_varied_sample_is_refused_in_any_notation(tmp_path):
    data = garden(tmp_path / "garden")
    table(data / "sample_submission.csv", ["bed_id", "yield"], [[i, int(i) % 2] for i in IDS])
    copy = [[i, f"{int(i) % 2}.0"] for i in IDS[::-1]]
    with pytest.raises(SubmissionError, match="in other words"):
        check_submission(
            table(tmp_path / "s.csv", ["bed_id", "yield"], copy), Task.of(data, None, None)
        )


@pytest.mark.parametrize(
    ("labels", "value", "reason"),
    [
        (["False", "True"], "0.7", "expected True or False"),
        (["red", "green"], "blue", "expected labels of the training table"),
    ],
)
def test_labels_are_those_of_the_training_table(tmp_path, labels, value, reason):
    data = garden(tmp_path / "garden")
    train = [[n, 1, 2, labels[n % 2]] for n in range(N_TRAIN)]
    table(data / "train.csv", ["bed_id", "worms", "compost", "yield"], train)
    table(data / "sample_submission.csv", ["bed_id", "yield"], [[i, labels[0]] for i in IDS])
    task = Task.of(data, None, None)
    rows = [[i, labels[int(i) % 2]] for i in IDS]
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], rows), task)
    rows[5][1] = value
    with pytest.raises(SubmissionError, match=reason):
        check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], rows), task)


def test_without_a_sample_the_ids_are_those_of_the_test_table(tmp_path):
    data = garden(tmp_path / "garden")
    (data / "sample_submission.csv").unlink()
    task = Task.of(data, None, None)
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()), task)
    with pytest.raises(SubmissionError, match="not in it"):
        check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()[2:]), task)


def test_broken_tables_of_the_task_do_not_stop_the_checks(tmp_path):
    data = garden(tmp_path / "garden")
    for name in ("train.csv", "sample_submission.csv", "test.csv"):
        with (data / name).open("a") as file:
            file.write("one,field,too,many,here\n")
    task = Task.of(data, None, None)
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()), task)
    assert task.labels == {}


def test_data_whose_names_do_not_tell_can_still_be_answered(tmp_path):
    data = garden(tmp_path / "garden")
    (data / "Train.csv").write_text("a\n1\n")
    task = Task.of(data, None, None)
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()), task)


def without_id(tmp_path, sample):
    """Write the garden task with another sample; the test table keeps its id unless told."""
    data = garden(tmp_path / "garden")
    (data / "sample_submission.csv").write_text(sample)
    return data


@pytest.fixture
def repeating(tmp_path):
    """A sample with the id in its last column, and a column of test before it."""
    rows = "".join(f"0,{int(id_) % 7},{id_}\n" for id_ in IDS)
    data = without_id(tmp_path, f"yield,worms,bed_id\n{rows}")
    return Task.of(data, None, None)


def test_id_may_be_any_column_and_others_repeat_the_test(tmp_path, repeating):
    assert repeating.keys.id == "bed_id"
    assert repeating.keys.repeated == ("worms",)
    assert repeating.targets == repeating.predicted == ["yield"]
    columns = ["yield", "worms", "bed_id"]
    rows = [[f"{int(id_) % 4}.5", f"{int(id_) % 7}.0", id_] for id_ in IDS]
    check_submission(table(tmp_path / "s.csv", columns, rows[::-1]), repeating)
    for changed, reason in (
        (["1.5", rows[3][1], "80"], "too often"),
        (["1.5", "5", rows[3][2]], "worms: expected the values that the sample has"),
        (["many", *rows[3][1:]], "yield: expected numbers"),
    ):
        wrong = [*rows[:3], changed, *rows[4:]]
        with pytest.raises(SubmissionError, match=reason):
            check_submission(table(tmp_path / "s.csv", columns, wrong), repeating)


def test_rows_without_an_id_are_known_by_their_order(tmp_path):
    data = without_id(tmp_path, "yield\n" + "0\n" * len(IDS))
    for name in ("train.csv", "test.csv"):
        lines = (data / name).read_text().splitlines()
        (data / name).write_text("".join(line.split(",", 1)[1] + "\n" for line in lines))
    task = Task.of(data, None, None)
    assert (task.keys.id, task.targets, task.predicted) == (None, ["yield"], ["yield"])
    rows = [[f"{int(id_) % 4}.5"] for id_ in IDS]
    check_submission(table(tmp_path / "s.csv", ["yield"], rows), task)
    for wrong, reason in (
        (rows[1:], "it has 59 rows, and the sample 60"),
        ([["0.0"]] * len(IDS), "say the same"),
        ([["much"], *rows[1:]], "expected numbers"),
    ):
        with pytest.raises(SubmissionError, match=reason):
            check_submission(table(tmp_path / "s.csv", ["yield"], wrong), task)
    (data / "sample_submission.csv").unlink()
    task = Task.of(data, None, None)
    check_submission(table(tmp_path / "s.csv", ["yield"], rows), task)
    numbered = [[n, *row] for n, row in enumerate(rows)]
    check_submission(table(tmp_path / "s.csv", ["id", "yield"], numbered), task)
    with pytest.raises(SubmissionError, match="it has 59 rows, and the test table 60"):
        check_submission(table(tmp_path / "s.csv", ["yield"], rows[1:]), task)


def test_class_has_a_column_in_predictions_as_in_the_sample(tmp_path):
    sample = "bed_id,red,green\n" + "".join(f"{id_},0.5,0.5\n" for id_ in IDS)
    data = without_id(tmp_path, sample)
    train = [[n, n % 7, n % 3, ["red", "green"][n % 2]] for n in range(N_TRAIN)]
    table(data / "train.csv", ["bed_id", "worms", "compost", "yield"], train)
    task = Task.of(data, None, None)
    assert (task.keys.id, task.predicted) == ("bed_id", ["red", "green"])


def test_empty_sample_takes_its_kind_from_the_training_table(tmp_path):
    data = without_id(tmp_path, "bed_id,yield\n" + "".join(f"{id_},\n" for id_ in IDS))
    task = Task.of(data, None, None)
    check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers()), task)
    with pytest.raises(SubmissionError, match="expected numbers"):
        check_submission(table(tmp_path / "s.csv", ["bed_id", "yield"], numbers("many")), task)


def test_baseline_that_fails_at_the_question_leaves_the_first_column(tmp_path, monkeypatch):
    def fail(*tables):
        raise KeyError

    monkeypatch.setattr("solvers.baseline.files.ask", fail)
    task = Task.of(garden(tmp_path / "garden"), None, None)
    assert (task.keys.id, task.predicted) == ("bed_id", ["yield"])
