"""The baseline on made-up tables of every shape."""

import json

import numpy as np
import pandas as pd
import pytest

from signatures import UnknownTaskError
from solvers import solve
from solvers.verification import verify

N_TRAIN, N_TEST = 90, 60


def noise(n, seed=0):
    return np.random.default_rng(seed).normal(size=n)


def table(seed=0):
    """Make-believe rows: `u` and `v` are numbers, `kind` a word; `score` follows from them."""
    random = np.random.default_rng(seed)
    n = N_TRAIN + N_TEST
    rows = pd.DataFrame(
        {
            "key": [f"r{i:03d}" for i in random.permutation(n)],
            "u": random.normal(size=n).round(4),
            "v": random.integers(0, 9, n),
            "kind": random.choice(["red", "green", "blue"], n),
        }
    )
    rows["score"] = (2 * rows["u"] + rows["v"] + (rows["kind"] == "red") + noise(n) / 9).round(4)
    return rows


def write(folder, train, test, sample=None, description="", sep=","):
    folder.mkdir(exist_ok=True)
    train.to_csv(folder / "train.csv", index=False, sep=sep)
    test.to_csv(folder / "test.csv", index=False, sep=sep)
    if sample is not None:
        sample.to_csv(folder / "sample_submission.csv", index=False, sep=sep)
    if description:
        (folder / "description.md").write_text(description)
    return folder


def cut(rows, answers, drop=()):
    train = rows.iloc[:N_TRAIN].drop(columns=list(drop))
    test = rows.iloc[N_TRAIN:].drop(columns=[*answers, *drop])
    return train, test


def answer(folder, tmp_path, **options):
    return solve(
        folder, out=tmp_path / "run", fallback="baseline", profile="quick", jobs=1, **options
    )


def read(solution):
    return pd.read_csv(solution.submission, dtype=str, keep_default_na=False)


def test_regression_with_the_metric_of_the_description(tmp_path):
    train, test = cut(table(), ["score"])
    sample = test[["key"]].assign(score=0.5)
    text = "## Evaluation\nSubmissions are scored by the root mean squared error (RMSE)."
    solution = answer(write(tmp_path / "d", train, test, sample, text), tmp_path)
    assert solution.route == "baseline"
    assert solution.record["scores"]["metric"] == "rmse"
    told = {stage["stage"]: stage["note"] for stage in solution.record["stages"]}
    assert "rules" not in told["features"]
    assert "groups" not in told["folds"]
    assert 'id="rules"' not in (solution.run / "report.html").read_text(encoding="utf-8")
    assert solution.scores["average"][0] < 0.6 * train["score"].std()
    assert read(solution)["key"].tolist() == test["key"].tolist()


@pytest.mark.parametrize(
    ("words", "metric", "values"),
    [
        ("area under the ROC curve", "auc", None),
        ("classification accuracy", "accuracy", {"0", "1"}),
    ],
)
def test_binary_gives_probabilities_or_labels_as_the_metric_wants(tmp_path, words, metric, values):
    rows = table().assign(late=lambda r: (r["score"] > r["score"].median()).astype(int))
    train, test = cut(rows, ["late"], drop=["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(late=0), words)
    solution = answer(folder, tmp_path)
    assert solution.record["scores"]["metric"] == metric
    found = set(read(solution)["late"])
    assert found == values if values else len(found) > 30
    assert solution.scores["average"][0] > 0.75


def test_two_labels_as_words_are_written_as_the_sample_writes_them(tmp_path):
    rows = table().assign(late=lambda r: np.where(r["score"] > 4, "True", "False"))
    train, test = cut(rows, ["late"], drop=["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(late="false"))
    assert set(read(answer(folder, tmp_path))["late"]) == {"true", "false"}


def test_three_classes_with_a_column_each(tmp_path):
    rows = table().assign(band=lambda r: pd.cut(r["score"], 3, labels=["low", "mid", "top"]))
    train, test = cut(rows, ["band"], drop=["score"])
    sample = test[["key"]].assign(Band_top=0.2, Band_low=0.4, Band_mid=0.4)
    written = read(answer(write(tmp_path / "d", train, test, sample), tmp_path))
    assert list(written) == list(sample)
    assert (
        written[["Band_top", "Band_low", "Band_mid"]].astype(float).sum(axis=1).round(6).eq(1).all()
    )
    mid = written["Band_mid"].astype(float)
    assert (mid > 0.5).mean() == pytest.approx((train["band"] == "mid").mean(), abs=0.25)


def test_three_classes_as_labels(tmp_path):
    rows = table().assign(band=lambda r: pd.cut(r["score"], 3, labels=["low", "mid", "top"]))
    train, test = cut(rows, ["band"], drop=["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(band="mid"))
    solution = answer(folder, tmp_path)
    assert set(read(solution)["band"]) <= {"low", "mid", "top"}
    assert solution.record["scores"]["metric"] == "accuracy"


def test_two_targets(tmp_path):
    rows = table().assign(other=lambda r: 3 - r["u"])
    train, test = cut(rows, ["score", "other"])
    sample = test[["key"]].assign(other=0.5, score=0.5)
    written = read(answer(write(tmp_path / "d", train, test, sample), tmp_path))
    assert list(written) == ["key", "other", "score"]
    assert np.corrcoef(written["other"].astype(float), -test["u"])[0, 1] > 0.7


def test_two_targets_with_labels_of_their_own(tmp_path):
    rows = table().assign(
        late=lambda r: np.where(r["u"] > 0, "yes", "no"),
        band=lambda r: np.where(r["v"] > 5, "much", np.where(r["v"] > 2, "some", "none at all")),
    )
    train, test = cut(rows, ["late", "band"], drop=["score"])
    sample = test[["key"]].assign(late="no", band="some")
    written = read(answer(write(tmp_path / "d", train, test, sample), tmp_path))
    assert set(written["late"]) == {"yes", "no"}
    assert set(written["band"]) == {"much", "some", "none at all"}


def test_text_alone(tmp_path):
    random = np.random.default_rng(0)
    words = {"0": ["rain", "cloud", "storm", "wind"], "1": ["sun", "sand", "sea", "heat"]}
    labels = random.choice(["0", "1"], 150)
    said = [
        " ".join(random.choice([*words[label], "and", "the"], 6)) + f" {i}"
        for i, label in enumerate(labels)
    ]
    rows = pd.DataFrame({"id": range(150), "said": said, "label": labels})
    train, test = cut(rows, ["label"])
    solution = answer(write(tmp_path / "d", train, test, test[["id"]].assign(label=0)), tmp_path)
    assert solution.record["inferred"]["columns"] == {"said": "text"}
    assert solution.scores["words"][0] > 0.9


def test_dates_are_told_by_their_parts(tmp_path):
    days = pd.date_range("2020-01-01", periods=150, freq="D")
    rows = pd.DataFrame({"id": range(150), "when": days.strftime("%d/%m/%Y")})
    rows["sold"] = np.where(days.day_of_week >= 5, 50.5, 10.25) + noise(150).round(3)
    train, test = cut(rows.sample(frac=1, random_state=0), ["sold"])
    solution = answer(write(tmp_path / "d", train, test, test[["id"]].assign(sold=0.5)), tmp_path)
    assert "when (day of week)" in solution.record["features"]
    assert solution.scores["average"][0] < 0.6 * train["sold"].std()


def test_an_id_that_is_a_date_is_a_feature_too(tmp_path):
    days = pd.date_range("2020-01-01", periods=150, freq="D")
    rows = pd.DataFrame({"when": days.strftime("%Y-%m-%d"), "u": noise(150)})
    rows["sold"] = np.where(days.day_of_week >= 5, 50.5, 10.25)
    train, test = cut(rows.sample(frac=1, random_state=0), ["sold"])
    solution = answer(write(tmp_path / "d", train, test, test[["when"]].assign(sold=0.5)), tmp_path)
    assert "when (day of week)" in solution.record["features"]


def test_no_sample(tmp_path):
    rows = table().rename(columns={"key": "house_id"})
    train, test = cut(rows, ["score"])
    written = read(answer(write(tmp_path / "d", train, test), tmp_path))
    assert list(written) == ["house_id", "score"]
    assert written["house_id"].tolist() == test["house_id"].tolist()


def test_one_column_and_no_id(tmp_path):
    rows = table()
    train, test = cut(rows, ["score"], drop=["key", "u", "kind"])
    written = read(answer(write(tmp_path / "d", train, test), tmp_path))
    assert list(written) == ["id", "score"]
    assert written["id"].tolist() == [str(i) for i in range(N_TEST)]


def test_a_sample_without_ids(tmp_path):
    train, test = cut(table(), ["score"], drop=["key"])
    sample = pd.DataFrame({"score": np.full(N_TEST, 0.5)})
    written = read(answer(write(tmp_path / "d", train, test, sample), tmp_path))
    assert list(written) == ["score"]
    assert np.corrcoef(written["score"].astype(float), 2 * test["u"] + test["v"])[0, 1] > 0.8


def test_a_sample_that_repeats_columns_of_test(tmp_path):
    train, test = cut(table(), ["score"])
    sample = test[["v", "key"]].assign(score=0.5)[["score", "v", "key"]]
    written = read(answer(write(tmp_path / "d", train, test, sample), tmp_path))
    assert list(written) == ["score", "v", "key"]
    assert written["v"].tolist() == test["v"].astype(str).tolist()


def test_two_thousand_columns_one_of_them_empty(tmp_path):
    random = np.random.default_rng(0)
    wide = pd.DataFrame(random.integers(0, 9, (40, 2000)), columns=[f"c{i}" for i in range(2000)])
    rows = wide.assign(empty=None, key=range(40), score=wide["c7"] * 1.5)
    train, test = rows.iloc[:30], rows.iloc[30:].drop(columns="score")
    solution = answer(write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5)), tmp_path)
    assert solution.record["inferred"]["columns"]["empty"] == "nothing"
    assert len(solution.record["features"]) == 2000


@pytest.mark.parametrize("metric", ["accuracy", "AUC", "RMSE"])
def test_five_rows(tmp_path, metric):
    rows = table().assign(late=[0, 1, 1, 0, 1] * 30)
    train, test = (
        rows.iloc[:5].drop(columns="score"),
        rows.iloc[5:10].drop(columns=["score", "late"]),
    )
    sample = test[["key"]].assign(late=0)
    solution = answer(write(tmp_path / "d", train, test, sample, metric), tmp_path)
    assert len(read(solution)) == 5
    assert solution.route == "baseline"


def test_ids_that_spell_a_missing_value_are_names(tmp_path):
    rows = table()
    rows.loc[[3, 100], "key"] = ["null", "NA"]
    train, test = cut(rows, ["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5))
    solution = answer(folder, tmp_path)
    assert read(solution)["key"].tolist() == test["key"].tolist()
    assert solution.record["inferred"]["answered_by"] == "models"


def test_classes_that_spell_a_missing_value_and_a_sample_that_spells_names_in_its_own_way(tmp_path):
    rows = table().assign(band=lambda r: np.where(r["u"] > 0, "NA", "low"))
    train, test = cut(rows, ["band"], drop=["score"])
    sample = test[["key"]].assign(band="low").set_axis(["Key", "Band"], axis="columns")
    solution = answer(write(tmp_path / "d", train, test, sample), tmp_path)
    written = read(solution)
    assert list(written) == ["Key", "Band"]
    assert written["Key"].tolist() == test["key"].tolist()
    assert set(written["Band"]) == {"NA", "low"}
    assert solution.scores["average"][0] > 0.8


@pytest.mark.parametrize("factor", [1e40, 1e-310])
def test_targets_beyond_single_precision_in_a_column_called_as_one_of_our_own(tmp_path, factor):
    rows = table().assign(fold=lambda r: r["score"] * factor)
    train, test = cut(rows, ["fold"], drop=["score"])
    solution = answer(write(tmp_path / "d", train, test, test[["key"]].assign(fold=0)), tmp_path)
    assert solution.record["inferred"]["answered_by"] == "models"
    wanted = 2 * test["u"] + test["v"]
    assert np.corrcoef(read(solution)["fold"].astype(float) / factor, wanted)[0, 1] > 0.8
    oof = pd.read_parquet(solution.run / "oof_predictions.parquet")
    assert set(oof["data/fold"]) == set(train["fold"])
    assert (solution.run / "report.html").exists()


def test_no_number_below_zero_where_logarithms_are_compared(tmp_path):
    rows = table().assign(sold=lambda r: np.where(r["u"] > 1, r["v"], 0))
    train, test = cut(rows, ["sold"], drop=["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(sold=0.5), "RMSLE")
    assert read(answer(folder, tmp_path))["sold"].astype(float).min() >= 0


def test_semicolons(tmp_path):
    train, test = cut(table(), ["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5), sep=";")
    assert list(read(answer(folder, tmp_path))) == ["key", "score"]


def test_json(tmp_path):
    train, test = cut(table(), ["score"])
    (tmp_path / "d").mkdir()
    (tmp_path / "d/train.json").write_text(json.dumps(train.to_dict("records")))
    (tmp_path / "d/test.json").write_text(json.dumps(test.to_dict("records")))
    test[["key"]].assign(score=0.5).to_csv(tmp_path / "d/sampleSubmission.csv", index=False)
    solution = answer(tmp_path / "d", tmp_path)
    assert solution.scores["average"][0] < 0.6 * train["score"].std()


def test_rare_classes_are_fitted_around(tmp_path):
    rows = table().assign(band=lambda r: np.where(r["v"] > 4, "many", "few"))
    rows.loc[3, "band"], rows.loc[5, "band"] = "once", "never again"
    train, test = cut(rows, ["band"], drop=["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(band="few"))
    assert set(read(answer(folder, tmp_path))["band"]) <= {"many", "few", "once", "never again"}


def test_rows_without_an_answer_are_left_out(tmp_path):
    train, test = cut(table(), ["score"])
    train.loc[train.index[:7], "score"] = None
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5))
    oof = pd.read_parquet(answer(folder, tmp_path).run / "oof_predictions.parquet")
    assert len(oof) == N_TRAIN - 7


def test_pictures_get_the_best_constant_and_it_says_so(tmp_path):
    folder = tmp_path / "d"
    (folder / "images").mkdir(parents=True)
    for name in range(3):
        (folder / "images" / f"{name}.jpg").write_bytes(b"not looked at")
    pd.DataFrame({"id": range(10), "label": ["cat"] * 6 + ["dog"] * 4}).to_csv(
        folder / "train.csv", index=False
    )
    pd.DataFrame({"id": range(10, 14), "cat": 0.5, "dog": 0.5}).to_csv(
        folder / "sample_submission.csv", index=False
    )
    solution = answer(folder, tmp_path)
    assert solution.record["inferred"]["answered_by"] == "constant"
    assert solution.record["scores"] is None
    assert read(solution)["cat"].tolist() == ["0.6"] * 4
    assert read(solution)["dog"].tolist() == ["0.4"] * 4


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("root mean squared error", 4.0),
        ("RMSLE", np.expm1(np.log1p([1, 2, 9]).mean())),
        ("accuracy", 1.0),
    ],
)
def test_the_constant_suits_the_metric(tmp_path, words, best):
    folder = tmp_path / "d"
    folder.mkdir()
    pd.DataFrame({"id": [1, 2, 3], "y": [1, 2, 9]}).to_csv(folder / "train.csv", index=False)
    pd.DataFrame({"id": [4, 5], "y": 0}).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text(f"# Evaluation\n{words}\n")
    assert read(answer(folder, tmp_path))["y"].astype(float).tolist() == pytest.approx([best] * 2)


def test_nothing_to_answer_is_said(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/readme.txt").write_text("nothing here")
    with pytest.raises(UnknownTaskError, match="neither a sample submission nor a train"):
        answer(tmp_path / "d", tmp_path)
    assert not (tmp_path / "run").exists()


def test_same_bytes_for_shuffled_rows_and_columns(tmp_path):
    train, test = cut(table(), ["score"])
    sample = test[["key"]].assign(score=0.5)
    first = answer(write(tmp_path / "d", train, test, sample), tmp_path)
    shuffled = train.sample(frac=1, random_state=1)[train.columns[::-1]]
    other = write(tmp_path / "e", shuffled, test[test.columns[::-1]], sample)
    second = solve(other, out=tmp_path / "again", jobs=2, fallback="baseline", profile="quick")
    assert first.submission.read_bytes() == second.submission.read_bytes()


def test_texts_that_share_no_word_are_fitted_around(tmp_path):
    train, test = cut(table(), ["score"])
    for rows in (train, test):
        rows["said"] = [f"a{i}b c{i}d e{i}f" for i in rows["key"].str[1:].astype(int)]
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5))
    solution = answer(folder, tmp_path)
    assert solution.record["inferred"]["columns"]["said"] == "text"


def test_many_classes_that_nothing_tells_apart_are_fitted_around(tmp_path):
    n = N_TRAIN + N_TEST
    rows = pd.DataFrame({"key": range(n), "flag": [1] + [0] * (n - 1), "band": ["x"] * n})
    rows["band"] = [f"b{i % 25}" for i in range(n)]
    train, test = cut(rows, ["band"])
    test.iloc[0, 1] = 1
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(band="b1"))
    assert answer(folder, tmp_path).route == "baseline"


def test_a_run_of_the_baseline_can_be_verified(tmp_path):
    train, test = cut(table(), ["score"])
    folder = write(tmp_path / "d", train, test, test[["key"]].assign(score=0.5))
    assert verify(answer(folder, tmp_path).run).verdict == "same bytes"


def test_known_tasks_can_be_taken_as_unknown(tmp_path):
    from signatures import REGISTRY

    train, test, sample = REGISTRY["spaceship-titanic"].load_solver().example(120, 60, 0)
    folder = write(tmp_path / "d", train, test, sample)
    assert answer(folder, tmp_path, as_unknown=True).route == "baseline"


def test_as_unknown_needs_a_fallback(tmp_path):
    with pytest.raises(ValueError, match="need a fallback"):
        solve(tmp_path, as_unknown=True)
    with pytest.raises(ValueError, match="no fallback 'magic'"):
        solve(tmp_path, fallback="magic")
