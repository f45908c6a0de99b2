"""What makes a submission, or out-of-fold predictions, unfit: told by our own code."""

import csv

import pytest

from purple_agent.llm.checks import check_out_of_fold, check_submission
from purple_agent.llm.task import Task
from signatures import SubmissionError
from tests.purple_agent.scripted import N_TRAIN, folds, garden

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
    return Task.of(garden(tmp_path / "garden"), None, folds(tmp_path / "folds.csv"))


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


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[n, n % 3] for n in range(N_TRAIN - 1)], "not in it"),
        ([[n, n % 3] for n in [*range(N_TRAIN), 3]], "too often"),
        ([[n, ""] for n in range(N_TRAIN)], "empty"),
        ([[n, "nan"] for n in range(N_TRAIN)], "expected numbers"),
    ],
)
def test_out_of_fold_predictions_cover_each_row_once_with_a_number(tmp_path, task, rows, reason):
    fit = [[n, n % 3] for n in range(N_TRAIN)]
    check_out_of_fold(table(tmp_path / "oof.csv", ["row", "yield"], fit), task)
    with pytest.raises(SubmissionError, match=reason):
        check_out_of_fold(table(tmp_path / "oof.csv", ["row", "yield"], rows), task)


def test_out_of_fold_predictions_have_the_columns_of_the_submission(tmp_path, task):
    with pytest.raises(SubmissionError, match="expected the columns row, yield"):
        check_out_of_fold(table(tmp_path / "oof.csv", ["row", "p"], [[0, 1]]), task)
