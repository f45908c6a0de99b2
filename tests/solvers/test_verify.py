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
from solvers.inputs import sha256_of_file
from solvers.run_record import read_record
from solvers.runs import VERIFICATIONS, verifications
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
    def again(*arguments, progress):
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


def test_a_run_done_again_has_the_same_bytes_and_the_run_says_so(run, tmp_path, monkeypatch):
    # Settings of the environment do not reach the second run.
    monkeypatch.setenv("SOLVERS_SEED", "5")
    monkeypatch.setenv("SOLVERS_PROFILE", "full")
    result = invoke(run, "--jobs", "2", "--out", tmp_path / "kept")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("same bytes: submission and predictions are identical, 60 rows")
    assert read_record(tmp_path / "kept").settings.jobs == 2
    assert [fact["verdict"] for fact in verifications(run)] == ["same bytes"]


def test_a_second_verdict_is_added_and_the_first_stays_as_it_is(run, second):
    verify(run)
    first = (run / VERIFICATIONS).read_text(encoding="utf-8")
    result = invoke(run, "--json")
    assert json.loads(result.stdout)["verdict"] == "same bytes"
    assert (run / VERIFICATIONS).read_text(encoding="utf-8").startswith(first)
    assert len(verifications(run)) == 2


@pytest.mark.parametrize("name", ["sample_submission.csv", "description.md"])
def test_a_file_that_has_come_since_is_named(run, finished, tmp_path, name):
    data = shutil.copytree(finished[1], tmp_path / "data")
    edit(run, lambda facts: facts["input"]["files"].pop("sample"))
    (data / "description.md").write_text("new", encoding="utf-8")
    result = verify(run, data=data)
    assert result.verdict == "different"
    (factor,) = [factor for factor in result.factors if name in factor.name]
    assert factor.recorded == "no such file"


def test_half_a_line_does_not_swallow_the_next_verdict(run, second):
    (run / VERIFICATIONS).write_text('{"verdict": "dif', encoding="utf-8")
    verify(run)
    assert [fact["verdict"] for fact in verifications(run)] == ["same bytes"]


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


def test_what_is_gone_is_judged_by_its_digest_and_told(run, second):
    for path in run.iterdir():
        if path.name not in ("run.json", "provenance.json"):
            path.unlink()
    result = verify(run)
    assert (result.verdict, result.differing) == ("same bytes", 0)
    assert "by the recorded digests" in result.reason
    assert {"submission.csv", "oof_predictions.parquet", "test_predictions.parquet"} <= set(
        names(result)
    )


OUTPUTS = ("submission.csv", "oof_predictions.parquet", "test_predictions.parquet")


@pytest.mark.parametrize("name", [*OUTPUTS, "feature_importance.parquet"])
def test_an_output_that_was_edited_is_found_out(run, second, name):
    with (run / name).open("ab") as stream:
        stream.write(b" ")
    result = verify(run)
    assert (result.verdict, result.differing) == ("different", 0)
    (factor,) = [factor for factor in result.factors if factor.name == name]
    assert "edited since the run" in factor.now
    assert f"all 60 rows come out as recorded, but not all of the run is: {name}" in result.reason


@pytest.mark.parametrize("column", ["catboost", "stack", "Transported", "fold"])
def test_every_column_of_the_predictions_counts(run, second, column):
    path = second / "oof_predictions.parquet"
    table = pd.read_parquet(path)
    if column == "Transported":
        table.loc[3, column] = "True" if table.loc[3, column] == "False" else "False"
    else:
        table.loc[3, column] += 1
    table.to_parquet(path, index=False)
    edit(second, lambda facts: facts["outputs"].update({path.name: "0" * 64}))
    assert verify(run).verdict == "same labels"


def test_the_same_table_packed_by_another_writer_is_the_same(run, second):
    for name in OUTPUTS[1:]:
        pd.read_parquet(second / name).to_parquet(second / name, index=False, compression="gzip")
        edit(second, lambda facts, name=name: facts["outputs"].update({name: "0" * 64}))
    assert verify(run).verdict == "same bytes"


def test_rows_of_an_edited_submission_are_not_compared(run, second):
    (run / "submission.csv").write_text("x\n", encoding="utf-8")
    flip(second, 3)
    result = verify(run)
    assert (result.verdict, result.differing, result.first_ids) == ("different", None, ())


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
    edit(second, lambda facts: facts["outputs"].update({path.name: "0" * 64}))


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
        digest = sha256_of_file(place / "submission.csv")
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


def test_a_task_that_is_not_known_here_is_named(run):
    edit(run, lambda facts: facts.update(task="garden-beds"))
    with pytest.raises(RunFolderError, match=r"'garden-beds', .* not known .*KNOWN_TASKS_PATH"):
        verify(run)


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
