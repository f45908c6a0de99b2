"""One quick run on synthetic passengers, looked at from all sides."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from signatures import SubmissionError, TaskRejectedError, UnknownTaskError
from solvers import solve
from solvers.inputs import sha256_of_stream
from solvers.run_folder import RECORD, SUBMISSION
from solvers.run_record import UNFINISHED


def test_a_run_leaves_all_that_is_needed_and_nothing_else(finished):
    solution, _ = finished
    assert sorted(os.listdir(solution.run)) == [
        "feature_importance.parquet", "log.jsonl", "oof_predictions.parquet", "provenance.json",
        "report.html", RECORD, SUBMISSION, "test_predictions.parquet",
    ]  # fmt: skip


def test_submission_has_the_sample_columns_rows_and_words(finished):
    solution, data = finished
    submission = pd.read_csv(solution.submission, dtype=str)
    test = pd.read_csv(data / "test.csv", dtype=str)
    sample = pd.read_csv(data / "sample_submission.csv", dtype=str)
    assert list(submission.columns) == list(sample.columns)
    assert submission["PassengerId"].tolist() == test["PassengerId"].tolist()
    assert set(submission["Transported"]) == {"True", "False"}


def test_submission_says_what_the_recorded_predictions_say(finished, run_record):
    solution, _ = finished
    predictions = pd.read_parquet(solution.run / "test_predictions.parquet")
    predictions = predictions.set_index("PassengerId")[run_record["scores"]["used"]]
    submission = pd.read_csv(solution.submission, index_col="PassengerId")["Transported"]
    assert ((predictions >= 0.5) == submission.loc[predictions.index]).all()
    margin = run_record["predictions"]["smallest_margin"]["Transported"]
    assert margin == pytest.approx(np.abs(predictions - 0.5).min())


def test_recorded_scores_can_be_computed_again_from_the_predictions(finished, run_record):
    solution, data = finished
    oof = pd.read_parquet(solution.run / "oof_predictions.parquet")
    labels = pd.read_csv(data / "train.csv", index_col="PassengerId")["Transported"]
    truth = labels.loc[oof["PassengerId"]].to_numpy()
    scores = run_record["scores"]["models"]
    assert set(scores) == {"catboost", "xgboost", "lightgbm", "average", "stack"}
    for name, score in scores.items():
        assert score["mean"] == pytest.approx(((oof[name] >= 0.5) == truth).mean())
    base = oof[["catboost", "xgboost", "lightgbm"]].mean(axis=1)
    assert oof["average"].to_numpy() == pytest.approx(base.to_numpy())


def test_the_signal_of_the_synthetic_passengers_is_learned(run_record):
    scores = run_record["scores"]["models"]
    assert scores["average"]["mean"] > 0.7


def test_record_names_route_seed_settings_and_machine(finished, run_record):
    solution, _ = finished
    assert solution.record == run_record
    assert (run_record["route"], run_record["task"]) == ("known-task", "spaceship-titanic")
    assert "Cabin" in run_record["reason"]
    assert run_record["seed"] == 0
    assert run_record["settings"]["profile"]["name"] == "quick"
    assert run_record["settings"]["threads_per_fit"] == 1
    environment = run_record["environment"]
    assert all(environment["packages"].values())
    assert environment["python"].startswith("3.")
    assert environment["cpu"]["machine"]
    assert run_record["folds"]["kind"] == "row"
    assert len(run_record["fits"]) == 9
    assert run_record["peak_mb"] > 50
    assert run_record["command"]


def test_record_counts_what_each_rule_filled(run_record):
    assert run_record["rules"]["sleepers_spend_nothing"] > 0
    assert all(count >= 0 for count in run_record["rules"].values())


def test_recorded_digests_are_those_of_the_files(finished, run_record):
    solution, data = finished
    for path, digest in [
        (solution.submission, run_record["submission_sha256"]),
        (data / "train.csv", run_record["input"]["files"]["train"]["sha256"]),
        (data / "test.csv", run_record["input"]["files"]["test"]["sha256"]),
    ]:
        with path.open("rb") as stream:
            assert sha256_of_stream(stream) == digest


def test_every_stage_is_logged_with_its_seconds(finished, run_record):
    solution, _ = finished
    lines = (solution.run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    stages = [event for event in events if event["event"] == "stage"]
    names = ["match", "libraries", "read", "check", "features", "folds", "fit", "stack", "write"]
    # The report shows what is recorded, so it is written after the record.
    assert [stage["stage"] for stage in stages] == [*names, "report"]
    assert [stage["stage"] for stage in run_record["stages"]] == names
    assert all(stage["seconds"] >= 0 for stage in stages)


def test_every_fit_is_logged_at_the_level_of_details(finished):
    lines = (finished[0].run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    fits = [event for event in map(json.loads, lines) if event["event"] == "fit"]
    assert len(fits) == 3 * 3
    assert {fit["level"] for fit in fits} == {"debug"}
    assert {fit["model"] for fit in fits} == {"lightgbm", "xgboost", "catboost"}
    assert all(0 <= fit["score"] <= 1 for fit in fits)


def test_parties_that_do_not_straddle_are_held_out_together(passengers, tmp_path):
    train, test = (pd.read_csv(passengers / f"{n}.csv", dtype=str) for n in ("train", "test"))
    everyone = pd.concat([train, test.assign(Transported=None)])
    party = everyone["PassengerId"].str[:4]
    apart = party.isin(party[everyone["Transported"].isna()])
    everyone[~apart].to_csv(passengers / "train.csv", index=False)
    everyone[apart].drop(columns="Transported").to_csv(passengers / "test.csv", index=False)
    (passengers / "sample_submission.csv").unlink()
    solution = solve(passengers, out=tmp_path / "run", profile="quick", jobs=1)
    assert solution.record["folds"]["kind"] == "group"
    oof = pd.read_parquet(solution.run / "oof_predictions.parquet")
    assert oof.groupby(oof["PassengerId"].str[:4])["fold"].nunique().max() == 1


def test_default_place_is_under_runs(passengers, tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    solution = solve(passengers, profile="quick", jobs=1)
    assert solution.run.parts[:2] == ("runs", "spaceship-titanic")
    assert solution.run.name.endswith("Z-s0")
    assert os.listdir(work) == ["runs"]


@pytest.mark.parametrize(
    "wrong", [{"seed": -1}, {"profile": "slow"}, {"jobs": 0}], ids=["seed", "profile", "jobs"]
)
def test_wrong_arguments_are_refused_before_anything_is_read(tmp_path, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        solve(tmp_path / "nowhere", out=tmp_path / "run", **wrong)


def answer(text):
    def fallback(bundle, out, reason):
        (out / "answer.csv").write_text(text, encoding="utf-8")
        return out / "answer.csv"

    return fallback


def unknown(folder):
    folder.mkdir()
    (folder / "train.csv").write_text("id,x,y\n1,2,3\n", encoding="utf-8")
    (folder / "sample_submission.csv").write_text("id,y\n7,0\n8,0\n", encoding="utf-8")
    return folder


def test_unknown_task_goes_to_the_fallback_and_says_why(tmp_path):
    data = unknown(tmp_path / "data")
    with pytest.raises(UnknownTaskError) as error:
        solve(data, out=tmp_path / "run")
    solution = solve(data, out=tmp_path / "run", fallback=answer("id,y\n7,1\n8,2\n"))
    assert (solution.route, solution.reason) == ("agent", error.value.reason)
    assert solution.submission.read_text(encoding="utf-8") == "id,y\n7,1\n8,2\n"
    assert (solution.run / "fallback" / "answer.csv").exists()
    record = json.loads((solution.run / RECORD).read_text(encoding="utf-8"))
    assert record["route"] == "agent"
    assert dict(solution.scores) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,z\n7,1\n8,2\n", "expected the columns"),
        ("id,y\n7,1\n", "not in it"),
        ("id,y\n7,0\n8,0\n", "untouched"),
        ("id,y\n7,\n8,2\n", "empty values"),
        ("", "csv"),
    ],
)
def test_a_fallback_that_answers_badly_is_refused(tmp_path, text, words):
    data = unknown(tmp_path / "data")
    with pytest.raises(SubmissionError, match=words):
        solve(data, out=tmp_path / "run", fallback=answer(text))
    assert not (tmp_path / "run" / RECORD).exists()


def test_rejected_data_go_to_the_fallback(passengers, tmp_path):
    train = passengers / "train.csv"
    train.write_text(train.read_text(encoding="utf-8").replace("Mars", "Venus"), encoding="utf-8")
    with pytest.raises(TaskRejectedError):
        solve(passengers, out=tmp_path / "run")
    text = (passengers / "sample_submission.csv").read_text(encoding="utf-8")
    text = text.replace("False", "True")
    solution = solve(passengers, out=tmp_path / "run", fallback=answer(text))
    assert "Venus" in solution.reason
    assert solution.record["task"] == "spaceship-titanic"


def test_a_bug_does_not_go_to_the_fallback(passengers, tmp_path, monkeypatch):
    from solvers import pipeline

    monkeypatch.setattr(pipeline, "check", lambda *arguments: {}["bug"])
    with pytest.raises(KeyError, match="bug"):
        solve(passengers, out=tmp_path / "run", fallback=answer("id,y\n"))


def test_a_report_that_fails_does_not_cost_the_run(passengers, tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise ZeroDivisionError

    monkeypatch.setattr("solvers.report.write_report", fail)
    with pytest.raises(ZeroDivisionError) as caught:
        solve(passengers, out=tmp_path / "run", profile="quick", jobs=1)
    assert "is finished" in caught.value.__notes__[0]
    assert {RECORD, SUBMISSION, "provenance.json"} <= set(os.listdir(tmp_path / "run"))
    assert "report.html" not in os.listdir(tmp_path / "run")
    assert UNFINISHED not in os.listdir(tmp_path / "run")
