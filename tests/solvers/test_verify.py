"""A run that is done again is judged by what comes out, and what differs is named."""

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace

import pandas as pd
import pytest
from typer.testing import CliRunner

from signatures import RunFolderError
from solvers import verification
from solvers.cli.commands import app
from solvers.run_record import read_record
from solvers.runs import VERIFICATIONS
from solvers.verification import VerificationError, verify


@pytest.fixture
def run(finished, tmp_path):
    """A copy of the finished run, to be spoiled."""
    return shutil.copytree(finished[0].run, tmp_path / "run")


@pytest.fixture
def second(finished, tmp_path, monkeypatch):
    """What doing it again will come to: another copy of the run."""
    place = shutil.copytree(finished[0].run, tmp_path / "second")

    @contextmanager
    def again(*arguments):
        yield place

    monkeypatch.setattr(verification, "_again", again)
    return place


def edit(run, change):
    facts = json.loads((run / "run.json").read_text(encoding="utf-8"))
    change(facts)
    (run / "run.json").write_text(json.dumps(facts), encoding="utf-8")


def names(result):
    return [factor.name for factor in result.factors]


def invoke(*words):
    return CliRunner().invoke(app, ["verify", *map(str, words)])


def test_a_run_done_again_has_the_same_bytes_and_the_run_says_so(run):
    result = invoke(run, "--jobs", "2")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("same bytes: submission and predictions are identical, 60 rows")
    first = (run / VERIFICATIONS).read_text(encoding="utf-8")
    assert json.loads(first)["verdict"] == "same bytes"
    # A second verdict is added; the first one stays as it is.
    result = invoke(run, "--json")
    assert json.loads(result.stdout)["verdict"] == "same bytes"
    lines = (run / VERIFICATIONS).read_text(encoding="utf-8").splitlines(keepends=True)
    assert lines[0] == first
    assert len(lines) == 2


def test_the_second_run_can_be_kept(run, tmp_path):
    assert invoke(run, "--out", tmp_path / "kept").exit_code == 0
    kept = read_record(tmp_path / "kept")
    assert kept.submission_sha256 == read_record(run).submission_sha256


def test_an_edited_seed_is_found_out(run):
    edit(run, lambda facts: facts.update(seed=1))
    result = verify(run, jobs=1)
    assert result.verdict == "different"
    assert result.differing >= 1
    assert len(result.first_ids) == min(5, result.differing)
    assert result.largest_difference > 1e-3
    seed = next(factor for factor in result.factors if factor.name == "seed in run.json")
    assert (seed.recorded, seed.now) == ("0", "1")
    assert {"run.json, edited since the run", "seeds of the fits"} <= set(names(result))


def test_nothing_of_the_first_run_is_needed_to_do_it_again(run, second):
    """What is compared is read afterwards; without it the digests of the record are left."""
    for path in run.iterdir():
        if path.name not in ("run.json", "provenance.json", "submission.csv"):
            path.unlink()
    assert verify(run).verdict == "same bytes"


@pytest.mark.parametrize("name", ["train.csv", "test.csv"])
def test_changed_data_are_named_and_nothing_is_done_again(run, finished, tmp_path, name):
    data = shutil.copytree(finished[1], tmp_path / "data")
    table = pd.read_csv(data / name, dtype=str, keep_default_na=False)
    table.loc[3, "Age"] = "41"
    table.to_csv(data / name, index=False, lineterminator="\n")
    result = invoke(run, "--data", data)
    assert result.exit_code == 5
    role = name.removesuffix(".csv")
    assert f"different: {role} file {name}: not the data of this run." in result.stdout
    assert "stage" not in result.stderr
    facts = json.loads((run / VERIFICATIONS).read_text(encoding="utf-8"))
    assert facts["rows"] is None
    assert [factor["name"] for factor in facts["factors"]] == [f"{role} file {name}"]


def test_the_same_data_elsewhere_will_do(run, finished, tmp_path, second):
    data = shutil.copytree(finished[1], tmp_path / "elsewhere")
    assert verify(run, data=data).verdict == "same bytes"


def flip(second, n_rows):
    """Let the second run say something else of its first rows."""
    path = second / "submission.csv"
    table = pd.read_csv(path, dtype=str)
    other = {"True": "False", "False": "True"}
    table.loc[: n_rows - 1, "Transported"] = table["Transported"][:n_rows].map(other)
    table.to_csv(path, index=False, lineterminator="\n")
    edit(second, lambda facts: facts.update(submission_sha256="0" * 64))


def nudge(second, by):
    """Let the second run predict other probabilities, and record so."""
    path = second / "test_predictions.parquet"
    table = pd.read_parquet(path)
    table.loc[7, "average"] += by
    table.to_parquet(path, index=False)
    edit(second, lambda facts: facts["predictions"].update(test_sha256="0" * 64))


def test_other_labels_are_counted_and_named(run, second):
    flip(second, 7)
    nudge(second, 0.25)
    result = invoke(run)
    assert result.exit_code == 5
    ids = pd.read_csv(run / "submission.csv", dtype=str)["PassengerId"][:5].tolist()
    assert "different: 7 of 60 rows differ." in result.stdout
    assert f"first ids: {', '.join(ids)}, ..." in result.stdout
    assert "largest difference between predictions: 0.25" in result.stdout
    assert "the cause was not recorded" in result.stdout


def test_other_probabilities_with_the_same_labels_are_measured(run, second):
    nudge(second, 2e-7)
    result = invoke(run)
    assert result.exit_code == 0
    said = "same labels: all 60 rows say the same; predictions differ by at most 2e-07."
    assert said in result.stdout


def test_the_last_bit_of_a_probability_is_not_the_same_bytes(run, second):
    nudge(second, 1e-16)
    assert verify(run).verdict == "same labels"


@pytest.mark.parametrize(
    ("change", "name", "recorded", "now"),
    [
        (lambda f: f["environment"]["packages"].update(scipy="9"), "package scipy", None, "9"),
        (lambda f: f["environment"].update(python="3.99.0"), "Python", None, "3.99.0"),
        (
            lambda f: f["environment"]["code"].update(sha256="1" * 64, version="9", commit=None),
            "code of the package", None, None,
        ),
        (lambda f: f["environment"]["cpu"].update(model="Other"), "CPU model", None, "Other"),
        (lambda f: f["environment"]["blas"].clear(), "BLAS", None, "[]"),
        (
            lambda f: f["environment"]["cpu"].update(flags="new"),
            "CPU flags", None, "also new",
        ),
        (lambda f: f["match"].update(solver_sha256="1" * 64), "solver's code", None, "1" * 12),
        (lambda f: f["tables"].update(train="1" * 64), "parsed tables", None, None),
    ],
)  # fmt: skip
def test_a_factor_that_differs_is_named(run, second, change, name, recorded, now):
    flip(second, 1)
    edit(second, change)
    result = verify(run)
    assert result.verdict == "different"
    (factor,) = [factor for factor in result.factors if factor.name == name]
    assert recorded is None or factor.recorded == recorded
    assert now is None or factor.now == now
    assert factor.recorded != factor.now


def test_a_factor_without_effect_is_said_to_be_one(run, second):
    edit(second, lambda facts: facts["environment"].update(python="3.99.0"))
    result = invoke(run)
    assert result.exit_code == 0
    assert "not as recorded, without effect:\n- Python: recorded" in result.stdout


def test_an_edited_submission_is_found_out(run, second):
    text = (run / "submission.csv").read_text(encoding="utf-8")
    (run / "submission.csv").write_text(text.replace("False", "True", 1), encoding="utf-8")
    result = verify(run)
    assert result.verdict == "different"
    assert result.differing == 0
    assert names(result)[0] == "submission.csv, edited since the run"
    assert "all 60 rows come out as recorded, but not all of the run is" in result.reason


def test_a_submission_that_is_gone_is_found_out(run, second):
    (run / "submission.csv").unlink()
    result = verify(run)
    assert result.verdict == "different"
    assert "submission.csv" in names(result)


def test_an_edited_score_is_found_out(run, second):
    used = read_record(run).scores.used
    edit(run, lambda facts: facts["scores"]["models"][used].update(mean=0.99))
    result = verify(run)
    assert result.verdict == "different"
    assert names(result) == ["run.json, edited since the run", f"score of {used}"]


def test_a_record_without_provenance_says_so(run, second):
    (run / "provenance.json").write_text("{}", encoding="utf-8")
    result = verify(run)
    assert result.verdict == "same bytes"
    assert names(result) == ["provenance.json"]


def test_numbers_may_differ_by_a_millionth(run, second):
    for place, number in ((run, "1000.0"), (second, "1000.0005")):
        table = pd.read_csv(place / "submission.csv", dtype=str)
        table["Transported"] = number
        table.to_csv(place / "submission.csv", index=False, lineterminator="\n")
        digest = verification.record.sha256_of_file(place / "submission.csv")
        edit(place, lambda facts, digest=digest: facts.update(submission_sha256=digest))
    assert verify(run).verdict == "same labels"
    table["Transported"] = "1000.01"
    table.to_csv(second / "submission.csv", index=False, lineterminator="\n")
    result = verify(run)
    assert (result.verdict, result.differing) == ("different", 60)


def test_a_run_that_cannot_be_done_again_says_why(run, finished, tmp_path, monkeypatch):
    data = shutil.copytree(finished[1], tmp_path / "data")
    (data / "unrelated_train.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    monkeypatch.setattr(verification, "_changed_inputs", lambda *arguments: [])
    (data / "train.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(VerificationError, match=r"could not be done again: .*is no known task"):
        verify(run, data=data)
    assert not (run / VERIFICATIONS).exists()


def test_where_the_data_were_is_asked_for_when_they_are_gone(run):
    edit(run, lambda facts: facts["input"].update(path="/nowhere/at/all"))
    with pytest.raises(RunFolderError, match=r"'/nowhere/at/all', which is not there.*--data"):
        verify(run)


def test_what_no_solver_answered_cannot_be_done_again(run):
    edit(run, lambda facts: facts.update(route="agent"))
    result = invoke(run)
    assert result.exit_code == 2
    assert "promises no second time" in result.stderr


def test_a_profile_of_another_version_cannot_be_done_again(run):
    edit(run, lambda facts: facts["settings"]["profile"].update(name="huge"))
    with pytest.raises(RunFolderError, match="profile 'huge'"):
        verify(run)


def test_a_verdict_that_cannot_be_added_is_told_all_the_same(run, second):
    (run / VERIFICATIONS).mkdir()
    result = invoke(run)
    assert result.exit_code == 0
    assert result.stdout.startswith("same bytes")
    assert "The verdict could not be added to the run" in result.stderr


def test_settings_of_the_environment_do_not_reach_the_second_run(run, monkeypatch):
    monkeypatch.setenv("SOLVERS_SEED", "5")
    monkeypatch.setenv("SOLVERS_PROFILE", "full")
    assert verify(run, jobs=1).verdict == "same bytes"


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"schema_version": 1}', b"\x00\xff"])
def test_a_foreign_folder_is_told_in_a_sentence(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    result = invoke(tmp_path)
    assert result.exit_code == 2
    assert result.stderr.startswith("solvers: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_verdict_survives_as_json(run, second):
    result = verify(run)
    assert json.loads(json.dumps(replace(result, note="x").to_dict()))["note"] == "x"
