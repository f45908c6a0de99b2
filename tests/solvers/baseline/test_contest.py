"""Rows that are held back, and another answer held against the baseline's on them."""

import numpy as np
import pandas as pd
import pytest

from signatures import SubmissionError
from solvers import solve
from solvers.baseline.contest import ENOUGH, Contest, _held_back
from solvers.baseline.foreign_predictions import ROW


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
def run(folder, tmp_path_factory):
    run = tmp_path_factory.mktemp("runs") / "run"
    solve(folder, out=run, fallback="baseline", profile="quick", jobs=1, report=False)
    return run


@pytest.fixture(scope="module")
def contest(folder, run):
    return Contest.of(run, folder)


def answers(contest, values, path):
    """Write predictions for the rows held back, in another order than theirs."""
    table = contest.held_back[[ROW]].assign(late=np.asarray(values))
    table.sample(frac=1, random_state=0).to_csv(path, index=False)
    return path


def truth(contest, folder):
    return pd.read_csv(folder / "train.csv")["late"].to_numpy()[contest._rows]


def test_baseline_held_against_itself_gains_nothing(contest, folder, run, tmp_path):
    oof = pd.read_parquet(run / "oof_predictions.parquet")
    of_id = oof[oof["fold_seed"] == 0].set_index("id")["average"]
    own = of_id.loc[contest.held_back["id"].astype(int)]
    compared = contest.compare(answers(contest, own, tmp_path / "p.csv"))
    assert compared.score == pytest.approx(compared.baseline)
    assert (compared.gain, compared.error) == pytest.approx((0, 0))
    assert 0.5 < compared.baseline < 1


def test_answer_that_knows_more_gains_more_than_its_error(contest, folder, tmp_path):
    compared = contest.compare(answers(contest, truth(contest, folder), tmp_path / "p.csv"))
    assert compared.score == 1.0
    assert compared.gain > compared.error > 0
    again = contest.compare(tmp_path / "p.csv")
    assert again == compared


def test_rows_held_back_are_of_whole_folds_and_nowhere_else(contest, folder, run):
    train = pd.read_csv(folder / "train.csv")
    shown, held = contest.shown, contest.held_back
    assert list(shown) == list(train)
    assert list(held) == [ROW, "id", "u"]
    assert held[ROW].tolist() == list(range(contest.n_rows))
    ids = held["id"].astype(int).tolist()
    assert ids == [id_ for id_ in train["id"] if id_ in set(ids)]
    assert sorted([*ids, *shown["id"].astype(int)]) == sorted(train["id"])
    oof = pd.read_parquet(run / "oof_predictions.parquet")
    fold = oof[oof["fold_seed"] == 0].set_index("id")["fold"]
    whole = set(fold.loc[ids])
    assert set(fold[fold.isin(whole)].index) == set(ids)
    assert len(whole) <= fold.nunique() // 2


@pytest.mark.parametrize(
    ("n_rows", "n_folds", "held"),
    [(1000, 5, 200), (200, 5, 40), (199, 5, 40), (150, 5, 60), (30, 5, 12), (6, 3, 2), (4, 2, 2)],
)
def test_few_rows_give_up_more_of_them_and_never_more_than_half(n_rows, n_folds, held):
    folds = np.arange(n_rows) % n_folds
    found = _held_back(folds, 7)
    assert abs(len(found) - held) <= 1
    assert len(found) <= n_rows / 2
    assert len(found) >= ENOUGH or len(set(folds[found])) == n_folds // 2
    assert found.tolist() == _held_back(folds, 7).tolist()


def test_seed_chooses_the_fold():
    folds = np.arange(1000) % 5
    assert len({tuple(_held_back(folds, seed)) for seed in range(20)}) == 5


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda t: t.iloc[1:], "the rows held back are not in it"),
        (lambda t: pd.concat([t, t.iloc[:1]]), "too often"),
        (lambda t: t.assign(late="high"), "expected numbers"),
        (lambda t: t.assign(late=np.nan), "expected numbers"),
        (
            lambda t: t.rename(columns={"late": "p"}),
            "expected the columns held_back_row, late; found",
        ),
        (lambda t: t.rename(columns={ROW: "id"}), "expected the columns held_back_row, late"),
    ],
)
def test_what_cannot_be_scored_is_said(contest, tmp_path, spoil, words):
    spoil(contest.held_back[[ROW]].assign(late=0.5)).to_csv(tmp_path / "p.csv", index=False)
    with pytest.raises(SubmissionError, match=words):
        contest.check(tmp_path / "p.csv")


def test_constant_has_no_rows_to_be_held_against(folder, tmp_path):
    (tmp_path / "data").mkdir()
    for name in ("train.csv", "sample_submission.csv"):
        (tmp_path / "data" / name).write_bytes((folder / name).read_bytes())
    run = tmp_path / "run"
    solve(tmp_path / "data", out=run, fallback="baseline", profile="quick", jobs=1, report=False)
    assert Contest.of(run, tmp_path / "data") is None


def test_numbers_are_compared_in_the_unit_of_their_metric(tmp_path):
    random = np.random.default_rng(1)
    rows = pd.DataFrame({"id": range(260), "u": random.normal(size=260)})
    rows["price"] = np.exp(rows["u"] + random.normal(size=260) / 3).round(4)
    data = tmp_path / "data"
    data.mkdir()
    rows.iloc[:200].to_csv(data / "train.csv", index=False)
    rows.iloc[200:, :2].to_csv(data / "test.csv", index=False)
    rows.iloc[200:][["id"]].assign(price=1.5).to_csv(data / "sample_submission.csv", index=False)
    (data / "description.md").write_text("root mean squared logarithmic error")
    run = tmp_path / "run"
    solve(data, out=run, fallback="baseline", profile="quick", jobs=1, report=False)
    contest = Contest.of(run, data)
    assert contest.metric.name == "rmsle"
    oof = pd.read_parquet(run / "oof_predictions.parquet")
    first = oof[oof["fold_seed"] == 0].set_index("id").loc[contest.held_back["id"].astype(int)]
    errors = np.log1p(first["average"]) - np.log1p(first["price"])
    contest.held_back[[ROW]].assign(price=1.0).to_csv(tmp_path / "p.csv", index=False)
    compared = contest.compare(tmp_path / "p.csv")
    assert compared.baseline == pytest.approx(float(np.sqrt(np.mean(errors**2))))
    assert compared.gain < 0
