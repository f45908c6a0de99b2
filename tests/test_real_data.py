"""The product on real competition data, at the quick profile; scores are out of fold."""

import shutil
import tarfile

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY, UnknownTaskError, find, match, read_header
from solvers import solve, verify
from solvers.tables import read_table

TASK = "spaceship-titanic"


@pytest.fixture(scope="module")
def data(known_tasks_data):
    folder = known_tasks_data / TASK
    if not folder.is_dir():
        pytest.fail(f"{folder} is not there")
    return folder


@pytest.fixture(scope="module")
def solution(data, tmp_path_factory):
    return solve(data, out=tmp_path_factory.mktemp("real") / "run", profile="quick")


def test_each_dataset_is_recognised_as_itself_or_as_unknown(known_tasks_data):
    for folder in sorted(path for path in known_tasks_data.iterdir() if path.is_dir()):
        if folder.name in REGISTRY:
            assert match(folder).slug == folder.name
        else:
            with pytest.raises(UnknownTaskError):
                match(folder)


@pytest.mark.parametrize("slug", REGISTRY)
def test_a_key_column_of_another_name_is_no_task_and_names_the_nearest(
    known_tasks_data, slug, tmp_path
):
    columns = read_header(find(known_tasks_data / slug).train).columns
    for key in REGISTRY[slug].key:
        others = [f"{name} of ours" if name == key else name for name in columns]
        (tmp_path / "train.csv").write_text(",".join(others) + "\n")
        with pytest.raises(UnknownTaskError) as error:
            match(tmp_path)
        assert error.value.nearest.slug == slug


def knows_more_than_a_constant(record, run):
    """Tell whether the used blend beats what a constant answer would score, by a good margin."""
    score = record["scores"]["models"][record["scores"]["used"]]["mean"]
    oof = pd.read_parquet(run / "oof_predictions.parquet")
    truth = oof[record["targets"][0]["name"]]
    match record["scores"]["metric"]:
        case "accuracy":
            return score > truth.value_counts(normalize=True).max() + 0.1
        case "auc":
            return score > 0.6
        case "log_loss":
            return score < np.log(truth.nunique()) / 2
        case "rmse":
            targets = [oof[target["name"]] for target in record["targets"]]
            return score < 0.9 * np.mean([one.std() for one in targets])
        case "rmse_log":
            return score < np.log(truth).std() / 2
        case "rmsle":
            targets = [oof[target["name"]] for target in record["targets"]]
            return score < np.mean([np.log1p(one).std() for one in targets]) / 2
    pytest.fail("say here what more than a constant is in this metric")


@pytest.mark.parametrize("slug", REGISTRY)
def test_each_known_dataset_is_solved(known_tasks_data, slug, tmp_path):
    if not (known_tasks_data / slug).is_dir():
        pytest.fail(f"{known_tasks_data / slug} is not there")
    run = solve(known_tasks_data / slug, out=tmp_path / "run", profile="quick", report=False)
    submission = pd.read_csv(run.submission, dtype=str)
    bundle = find(known_tasks_data / slug)
    sample, test = (read_table(member, missing=()) for member in (bundle.sample, bundle.test))
    assert list(submission.columns) == list(sample.columns)
    ids = REGISTRY[slug].id
    assert submission[ids].tolist() == test[ids].tolist()
    answers = submission.drop(columns=[c for c in sample if c in test])
    assert answers.notna().all(axis=None)
    assert knows_more_than_a_constant(run.record, run.run)


def test_submission_is_complete_and_in_the_order_of_test_and_sample(solution, data):
    submission, sample, test = (
        pd.read_csv(path, dtype=str)
        for path in (solution.submission, data / "sample_submission.csv", data / "test.csv")
    )
    assert list(submission.columns) == list(sample.columns)
    assert len(submission) == 870
    assert submission["PassengerId"].tolist() == sample["PassengerId"].tolist()
    assert submission["PassengerId"].tolist() == test["PassengerId"].tolist()
    assert set(submission["Transported"]) == {"True", "False"}


def test_parties_straddle_the_cut_so_folds_are_by_row(solution):
    assert solution.record["folds"]["kind"] == "row"
    assert solution.record["folds"]["n_straddling"] == 355


def test_out_of_fold_accuracy_is_where_a_rehearsal_should_be(solution):
    scores = solution.record["scores"]
    assert scores["models"][scores["used"]]["mean"] > 0.805


def test_archive_gives_the_same_bytes_with_another_number_of_processes(solution, data, tmp_path):
    with tarfile.open(tmp_path / "competition.tar.gz", "w:gz") as archive:
        archive.add(data, arcname="home/data")
    other = solve(tmp_path / "competition.tar.gz", out=tmp_path / "run", profile="quick", jobs=3)
    assert other.submission.read_bytes() == solution.submission.read_bytes()
    assert other.record["predictions"] == solution.record["predictions"]


def test_order_of_rows_and_columns_does_not_matter(solution, data, tmp_path):
    (tmp_path / "data").mkdir()
    for name in ("train.csv", "test.csv"):
        table = pd.read_csv(data / name, dtype=str, keep_default_na=False)
        table = table.sample(frac=1, random_state=1)[list(table.columns[::-1])]
        table.to_csv(tmp_path / "data" / name, index=False)
    other = solve(tmp_path / "data", out=tmp_path / "run", profile="quick")
    assert other.record["predictions"] == solution.record["predictions"]
    first, second = (
        pd.read_csv(s.submission, dtype=str).sort_values("PassengerId", ignore_index=True)
        for s in (solution, other)
    )
    pd.testing.assert_frame_equal(first, second)


def test_a_run_done_again_with_another_number_of_processes_has_the_same_bytes(solution):
    assert verify(solution.run, jobs=1).verdict == "same bytes"


def test_one_changed_cell_is_found_out(solution, data, tmp_path):
    copy = shutil.copytree(data, tmp_path / "data")
    table = pd.read_csv(copy / "train.csv", dtype=str, keep_default_na=False)
    table.loc[100, "Age"] = "33.5"
    table.to_csv(copy / "train.csv", index=False, lineterminator="\n")
    result = verify(solution.run, data=copy)
    assert result.verdict == "different"
    assert [factor.name for factor in result.factors] == ["train file train.csv"]
