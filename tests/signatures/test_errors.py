import pickle

import pytest

import signatures
from signatures import (
    AmbiguousTaskError,
    BundleError,
    KnownTaskError,
    MissingDependencyError,
    RunFolderError,
    SignatureError,
    SubmissionError,
    TaskRejectedError,
    UnknownTaskError,
)
from signatures.columns import Near, compare

FAILURES = ("Age: 1 row below 0 years.", "Cabin: 2 rows.", "Spa: 3 rows", "VIP: 4 rows.")

EXAMPLES = [
    (UnknownTaskError("train.csv", "nothing fits"), LookupError),
    (UnknownTaskError("x", "no", Near("fish", compare(["a", "b c"], ["B_C", "d"]))), LookupError),
    (AmbiguousTaskError("train.csv", ["a", "b"]), LookupError),
    (SignatureError("fish.toml", "it is empty"), ValueError),
    (BundleError("train.csv", "is empty", "Copy it again"), ValueError),
    (TaskRejectedError("fish", FAILURES), ValueError),
    (MissingDependencyError("xgboost"), ImportError),
    (MissingDependencyError("a2a", extra="agent"), ImportError),
    (SubmissionError(FAILURES[:1]), ValueError),
    (RunFolderError("runs/s0", "is not empty", "Choose another"), OSError),
]


@pytest.mark.parametrize(("error", "builtin"), EXAMPLES)
def test_error_is_a_known_task_error_and_the_builtin_that_fits(error, builtin):
    assert isinstance(error, KnownTaskError)
    assert isinstance(error, builtin)


@pytest.mark.parametrize("error", [error for error, _ in EXAMPLES])
def test_error_survives_pickling_with_its_fields_and_notes(error):
    error.add_note("seen by a worker")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
    assert copy.__notes__


def test_declined_data_lists_every_failure():
    lines = str(TaskRejectedError("fish", FAILURES)).splitlines()
    assert lines[0] == "'fish' declined this data:"
    assert lines[1] == "- Age: 1 row below 0 years."
    assert len(lines) == len(FAILURES) + 2
    assert lines[-1] == "Fix the file, or the contract if the task is yours, and run again."


def test_one_failure_is_told_in_one_line():
    text = str(TaskRejectedError("fish", FAILURES[:1]))
    assert text == (
        "'fish' declined this data: Age: 1 row below 0 years. "
        "Fix the file, or the contract if the task is yours, and run again."
    )


def test_a_very_long_list_of_failures_is_cut_and_counted():
    text = str(TaskRejectedError("fish", [f"column {n} is bad" for n in range(50)]))
    assert "- and 10 more." in text


def test_missing_library_says_what_to_install():
    assert 'pip install "xgboost"' in str(MissingDependencyError("xgboost"))
    assert "known-task-solvers[agent]" in str(MissingDependencyError("a2a", "agent"))
    assert MissingDependencyError("xgboost").name == "xgboost"


def test_run_folder_says_what_to_do():
    error = RunFolderError("runs/s0", "is not empty", "Choose another")
    assert str(error) == "'runs/s0' is not empty. Choose another."
    assert (error.path, error.problem, error.next) == ("runs/s0", "is not empty", "Choose another")


def test_control_characters_in_names_do_not_reach_the_terminal():
    assert "\x1b" not in str(BundleError("\x1b[31mtrain.csv", "is empty"))


def test_every_public_name_is_there():
    assert all(hasattr(signatures, name) for name in signatures.__all__)
