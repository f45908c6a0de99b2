import dataclasses

import numpy as np
import pandas as pd
import pytest

from signatures import SubmissionError
from solvers import solve
from solvers.baseline.contest import Contest
from solvers.baseline.metric import metric as metric_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"id": random.permutation(90), "u": random.normal(size=90)})
    rows["late"] = (rows["u"] + random.normal(size=90) > 0).astype(int)
    rows.loc[[4, 9], "late"] = None
    rows.iloc[:60].to_csv(folder / "train.csv", index=False)
    rows.iloc[60:, :2].to_csv(folder / "test.csv", index=False)
    rows.iloc[60:][["id"]].assign(late=0.5).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text("area under the ROC")
    return folder


@pytest.fixture(scope="module")
def contest(folder, tmp_path_factory):
    run = tmp_path_factory.mktemp("runs") / "run"
    solve(folder, out=run, fallback="baseline", profile="quick", jobs=1, report=False)
    return Contest.of(run, folder), pd.read_parquet(run / "oof_predictions.parquet")


def test_the_baselines_own_predictions_get_its_own_score(contest, folder, tmp_path):
    contest, oof = contest
    train = pd.read_csv(folder / "train.csv").reset_index(names="row")
    mine = train.merge(oof[oof["fold_seed"] == 0], on="id")[["row", "average"]]
    mine = mine.rename(columns={"average": "late"}).sample(frac=1, random_state=0)
    mine.to_csv(tmp_path / "oof.csv", index=False)
    assert contest.score_of(tmp_path / "oof.csv") == pytest.approx(contest.score)


def test_folds_name_the_rows_of_the_train_file(contest, folder, tmp_path):
    contest, oof = contest
    folds = pd.read_csv(contest.write_folds(tmp_path / "folds.csv"))
    assert folds["row"].tolist() == [row for row in range(60) if row not in (4, 9)]
    train = pd.read_csv(folder / "train.csv")
    of_id = oof[oof["fold_seed"] == 0].set_index("id")["fold"]
    assert folds["fold"].tolist() == of_id.loc[train["id"].iloc[folds["row"]]].tolist()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda t: t.iloc[1:], "1 rows are missing"),
        (lambda t: t.assign(late="high"), "expected numbers"),
        (lambda t: t.assign(late=np.nan), "expected numbers"),
        (lambda t: t.rename(columns={"late": "p"}), "the column 'late' is missing"),
        (lambda t: t.rename(columns={"row": "id"}), "the column 'row' is missing"),
    ],
)
def test_what_cannot_be_scored_is_said(contest, tmp_path, spoil, words):
    contest, _ = contest
    rows = pd.read_csv(contest.write_folds(tmp_path / "folds.csv"))[["row"]]
    spoil(rows.assign(late=0.5)).to_csv(tmp_path / "oof.csv", index=False)
    with pytest.raises(SubmissionError, match=words):
        contest.score_of(tmp_path / "oof.csv")


def labels_of(contest, folder, tmp_path):
    rows = pd.read_csv(contest.write_folds(tmp_path / "folds.csv"))["row"]
    return pd.read_csv(folder / "train.csv").loc[rows, ["late"]].assign(row=rows.to_numpy())


def test_labels_handed_in_as_predictions_do_not_count(contest, folder, tmp_path):
    contest, _ = contest
    labels = labels_of(contest, folder, tmp_path)
    for late in (labels["late"], labels["late"] * 0.8 + 0.1):
        labels.assign(late=late).to_csv(tmp_path / "oof.csv", index=False)
        with pytest.raises(SubmissionError, match="labels themselves"):
            contest.score_of(tmp_path / "oof.csv")
    swapped = labels["late"] * 0.8 + 0.1
    swapped.iloc[:6] = 1 - swapped.iloc[:6]
    labels.assign(late=swapped).to_csv(tmp_path / "oof.csv", index=False)
    assert 0.5 < contest.score_of(tmp_path / "oof.csv") < 1


def test_perfect_score_counts_where_the_baseline_has_one_too(contest, folder, tmp_path):
    contest, _ = contest
    labels_of(contest, folder, tmp_path).to_csv(tmp_path / "oof.csv", index=False)
    perfect = Contest(contest._question, contest._data, contest._rows, 1.0)
    assert perfect.score_of(tmp_path / "oof.csv") == 1.0


@pytest.mark.parametrize(
    ("metric", "own", "value", "told", "too_good"),
    [
        ("accuracy", 0.8, 0.9995, 0.9995, True),
        ("accuracy", 0.9985, 0.9995, 0.9995, False),
        ("accuracy", 0.8, 0.95, 0.95, False),
        ("auc", 0.7, 1.0, 0.0, True),
        ("log_loss", 0.4, 1e-16, 1.0, True),
        ("rmse", 0.3, 1e-12, 1.0, True),
        ("rmse", 0.3, 0.02, 0.9995, True),
        ("rmse", 0.3, 0.02, 0.9, False),
        ("rmse", 1e-12, 0.0, 1.0, False),
    ],
)
def test_score_is_too_good_where_the_baseline_is_far_off(
    contest, metric, own, value, told, too_good
):
    question = dataclasses.replace(contest[0]._question, metric=metric_of(metric))
    of_it = Contest(question, contest[0]._data, contest[0]._rows, own)
    assert of_it._too_good(value, told) is too_good
