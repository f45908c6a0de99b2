"""Studies that come out the same, killed or not, and a verdict that can be believed."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib

import pandas as pd
import pytest
from typer.testing import CliRunner

from signatures import REGISTRY, Metric, RunFolderError, match
from solvers import parameters, solve, verify
from solvers.cli.commands import app
from solvers.models import LightGBM
from solvers.models.ranges import parameters_of, ranges_of
from solvers.profiles import PROFILES
from solvers.scores import Gain, Score
from solvers.seeds import fold_seed, seed_of
from solvers.tuning import NothingToTuneError, adoption, study, tune
from solvers.tuning.evaluation import Comparison, SameFoldsError
from solvers.tuning.study import RANDOM_TRIALS, Study
from solvers.tuning.study_folder import JOURNAL, STUDY
from solvers.tuning.verdict import Verdict, judge
from tests.solvers.conftest import FILES, write_passengers

TASK = "spaceship-titanic"
TRIALS = 4


def found(tuned):
    return [(one.model, one.declared, one.best) for one in tuned.found]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_passengers(tmp_path_factory.mktemp("tuning") / "data", n_train=150, n_test=30)


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """A study that nobody stopped."""
    out = tmp_path_factory.mktemp("whole") / "study"
    return tune(match(data), trials=TRIALS, profile="quick", jobs=1, out=out)


@pytest.fixture
def copy(whole, tmp_path_factory):
    """The folder of that study, to go on in: what others compare stays as it is."""
    return shutil.copytree(whole.folder, tmp_path_factory.mktemp("copy") / "study")


def begin(data, out, *words):
    command = [sys.executable, "-m", "solvers.cli", "tune", TASK, str(data), "--profile", "quick",
               "--out", str(out), *words]  # fmt: skip
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def wait_for_trials(process, out, number):
    """Wait until so many trials are in the journal."""
    for _ in range(24_000):
        journal = out / JOURNAL
        if journal.exists() and journal.read_bytes().count(b'"op_code":4') >= number:
            return
        assert process.poll() is None, "the study ended before it could be stopped"
        time.sleep(0.005)
    pytest.fail("there were not that many trials within two minutes")


def test_two_runs_find_the_same_for_any_number_of_jobs(data, whole, tmp_path):
    again = tune(match(data), trials=TRIALS, profile="quick", jobs=2, out=tmp_path / "study")
    assert found(again) == found(whole)
    assert again.verdict == whole.verdict
    facts = [json.loads((t.folder / "result.json").read_text("utf-8")) for t in (again, whole)]
    assert [fact.pop("folder") for fact in facts] == [str(again.folder), str(whole.folder)]
    assert facts[0] == facts[1]


# In the second case within the study of the second model.
@pytest.mark.parametrize(("asked", "ended"), [(1000, 1), (TRIALS, TRIALS + 1)])
def test_a_killed_study_goes_on_to_the_same_parameters(data, whole, tmp_path, asked, ended):
    out = tmp_path / "study"
    # What a study is to come to does not change what its trials are.
    process = begin(data, out, "--trials", str(asked), "--jobs", "1")
    wait_for_trials(process, out, ended)
    process.kill()
    process.communicate()
    # Half a line is what a kill in the wrong moment leaves.
    with (out / JOURNAL).open("ab") as journal:
        journal.write(b'{"op_code":4,"worker')
    resumed = tune(match(data), trials=TRIALS, profile="quick", jobs=1, out=out, resume=True)
    assert found(resumed) == found(whole)
    assert resumed.verdict == whole.verdict


def test_ctrl_c_leaves_a_study_that_says_how_to_go_on(data, tmp_path):
    out = tmp_path / "study"
    process = begin(data, out, "--trials", "1000", "--jobs", "1")
    wait_for_trials(process, out, 1)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1].splitlines()[-1]
    assert process.returncode == 130
    assert told == "solvers: Interrupted. The trials that have ended are kept: go on by --resume."
    resumed = tune(match(data), trials=1, profile="quick", jobs=1, out=out, resume=True)
    assert [one.best.number for one in resumed.found] == [0, 0, 0]


def test_the_first_trial_is_what_the_solver_declares(whole):
    solver = REGISTRY[TASK].load_solver()
    assert [one.model for one in whole.found] == [model.name for model in solver.models]
    kept = [
        json.loads(line)
        for line in (whole.folder / "log.jsonl").read_text("utf-8").splitlines()
        if '"event": "trial"' in line
    ]
    assert len(kept) == TRIALS * len(solver.models)
    first = [trial["parameters"] for trial in kept if trial["number"] == 0]
    assert first == [parameters_of(model) for model in solver.models]
    for one in whole.found:
        assert one.best.score >= one.declared


def test_trials_keep_within_the_ranges_and_do_not_repeat(tmp_path):
    ranges = ranges_of(LightGBM())
    declared = parameters_of(LightGBM())
    one = Study(tmp_path / JOURNAL, "m", declared, ranges, higher_is_better=True, seed=0)
    trials = list(one.run(20, lambda values: values["num_leaves"]))
    assert all(ranges[name].holds(v) for trial in trials for name, v in trial.parameters.items())
    assert len({str(trial.parameters) for trial in trials}) == 20


def test_a_study_that_is_opened_anew_before_each_trial_has_the_same_trials(tmp_path):
    ranges = ranges_of(LightGBM())

    def opened(name, seed):
        declared = parameters_of(LightGBM())
        return Study(tmp_path / name, "m", declared, ranges, higher_is_better=True, seed=seed)

    def score(values):
        return -abs(values["num_leaves"] - 20) - values["lambda_l2"]

    n_trials = RANDOM_TRIALS + 5  # the last ones go by what was seen
    at_once = list(opened("at once", 0).run(n_trials, score))
    one_by_one = [trial for n in range(n_trials) for trial in opened("anew", 0).run(n + 1, score)]
    assert one_by_one == at_once == opened("anew", 0).trials()
    other = list(opened("other", 1).run(n_trials, score))
    assert other[0] == at_once[0]
    assert all(a.parameters != b.parameters for a, b in zip(other[1:], at_once[1:], strict=True))


def test_the_sampler_goes_by_what_it_has_seen(tmp_path):
    ranges = {"learning_rate": ranges_of(LightGBM())["learning_rate"]}
    one = Study(
        tmp_path / JOURNAL, "m", {"learning_rate": 0.3}, ranges, higher_is_better=False, seed=0
    )
    trials = list(one.run(30, lambda values: abs(values["learning_rate"] - 0.05)))
    late = [trial.score for trial in trials[RANDOM_TRIALS:]]
    assert sum(late) / len(late) < 0.5 * sum(t.score for t in trials[:RANDOM_TRIALS]) / 10
    assert one.best(30).score == min(trial.score for trial in trials)


def test_of_equal_trials_the_declared_one_is_the_best(tmp_path):
    ranges = ranges_of(LightGBM())
    one = Study(
        tmp_path / JOURNAL, "m", parameters_of(LightGBM()), ranges, higher_is_better=True, seed=0
    )
    assert [trial.score for trial in one.run(3, lambda values: 1.0)] == [1.0] * 3
    assert one.best(3).number == 0


def test_a_study_sees_no_folds_of_a_run_nor_those_of_its_verdict():
    runs = {fold_seed(seed, repeat) for seed in range(50) for repeat in range(5)}
    seen = {fold_seed(seed_of(seed, "study"), 0) for seed in range(50)}
    held_out = {
        fold_seed(seed_of(seed, "held out"), repeat) for seed in range(50) for repeat in range(5)
    }
    for one, other in itertools.combinations((runs, seen, held_out), 2):
        assert not one & other
    assert len(seen) == 50
    assert len(held_out) == 250


def compared(gain, error):
    scores = [Score(0.8, 0.001, (0.8, 0.8)), Score(0.8 + gain, 0.001, (0.8 + gain,) * 2)]
    return Comparison(*scores, Gain(gain, error))


ACCURACY = Metric("accuracy", higher_is_better=True)


@pytest.mark.parametrize(
    ("gain", "adopted", "said"),
    [
        (0.0050, True, "better than those in use by 0.00500 ± 0.00200 in accuracy: a gain of more "
         "than two errors, so they are adopted."),
        (0.0040, False, "better than those in use by 0.00400 ± 0.00200 in accuracy: no gain of "
         "more than two errors, so those in use stay."),
        (-0.1, False, "worse than those in use by 0.10000 ± 0.00200 in accuracy: no gain of more "
         "than two errors, so those in use stay."),
    ],
)  # fmt: skip
def test_only_a_gain_of_more_than_two_errors_is_adopted(gain, adopted, said):
    verdict = judge(compared(gain, 0.002), ACCURACY, PROFILES["full"])
    assert verdict.adopted is adopted
    told = "On 2 fold seeds that the study did not see, the parameters found are "
    assert verdict.reason == told + said


def test_a_rehearsal_adopts_nothing(whole):
    verdict = judge(compared(0.5, 0.002), ACCURACY, PROFILES["quick"])
    assert not verdict.adopted
    assert verdict.reason.endswith("the profile 'quick' is a rehearsal, so those in use stay.")
    assert not whole.verdict.adopted
    assert whole.written is None


def test_one_trial_changes_nothing(data, tmp_path):
    tuned = tune(match(data), trials=1, profile="quick", jobs=1, out=tmp_path / "study")
    assert tuned.verdict == Verdict(
        False, "The parameters found are those in use, so nothing changes."
    )


def test_what_is_adopted_is_in_every_run_from_then_on(data, copy, tmp_path, monkeypatch):
    file = tmp_path / "params" / f"{TASK}.toml"
    monkeypatch.setattr(adoption, "judge", lambda compared, *_: Verdict(True, "", compared))
    monkeypatch.setattr(parameters, "place", lambda signature: file)
    options = {"profile": "quick", "jobs": 1}
    before = solve(data, out=tmp_path / "before", report=False, **options)
    # The trials are there already.
    resume = {"out": copy, "resume": True}
    tuned = tune(match(data), trials=TRIALS, file=file, **options, **resume)
    assert tuned.written == file
    written = tomllib.loads(file.read_text("utf-8"))
    best = {one.model: dict(one.best.parameters) for one in tuned.found}
    assert written["models"] == best
    assert written["study"]["seed"] == 0
    assert written["study"]["trials"] == TRIALS
    assert written["score"]["fold_seeds"] == 1
    assert written["versions"]["optuna"] == study.VERSION
    after = solve(data, out=tmp_path / "after", report=False, **options)
    named = {model.name: model for model in parameters.load(REGISTRY[TASK]).solver.models}
    assert {name: parameters_of(model) for name, model in named.items()} == best
    assert before.record["match"]["parameters_sha256"] is None
    assert after.record["match"]["parameters_sha256"] is not None
    assert after.record["models"] != before.record["models"]
    again = tune(match(data), trials=TRIALS, file=file, **options, **resume)
    assert again.verdict.reason.startswith("The parameters found are those in use")
    assert found(again) == found(tuned)
    # In a fresh process there are no such parameters.
    verified = verify(after.run, jobs=1)
    assert {"tuned parameters", "models' parameters"} <= {f.name for f in verified.factors}
    digest = after.record["match"]["parameters_sha256"]
    assert digest in (after.run / "provenance.json").read_text("utf-8")


@pytest.mark.parametrize("changed", ["data", "seed", "profile", "solver's code"])
def test_a_study_of_anything_else_does_not_go_on(data, copy, tmp_path, changed, monkeypatch):
    other = write_passengers(tmp_path / "other", n_train=150, n_test=30, seed=2)
    options = {"trials": 1, "seed": 0, "profile": "quick", "jobs": 1}
    options |= {"seed": 1} if changed == "seed" else {}
    options |= {"profile": "full"} if changed == "profile" else {}
    if changed == "solver's code":
        monkeypatch.setattr("solvers.tuning.code_sha256", lambda match: "0" * 64)
    with pytest.raises(RunFolderError, match=f"begun with other facts: .*{changed} changed since"):
        tune(
            match(other if changed == "data" else data),
            out=copy, resume=True, **options,
        )  # fmt: skip


def test_rows_in_another_order_are_the_same_study(data, whole, copy, tmp_path):
    for name in FILES:
        table = pd.read_csv(data / name, dtype=str, keep_default_na=False)
        table.sample(frac=1, random_state=0).to_csv(tmp_path / name, index=False)
    again = tune(match(tmp_path), trials=TRIALS, profile="quick", jobs=1, out=copy, resume=True)
    assert found(again) == found(whole)


def test_places_that_will_not_do_are_refused(data, copy, tmp_path):
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").touch()
    options = {"trials": 1, "profile": "quick", "jobs": 1}
    with pytest.raises(RunFolderError, match=r"holds a study already\. Go on with it"):
        tune(match(data), out=copy, **options)
    with pytest.raises(RunFolderError, match="is not empty"):
        tune(match(data), out=taken, **options)
    with pytest.raises(RunFolderError, match="holds no study that could go on"):
        tune(match(data), out=taken, resume=True, **options)
    with pytest.raises(RunFolderError, match="lies inside the input folder"):
        tune(match(data), out=data / "study", **options)
    with pytest.raises(RunFolderError, match=r"is none of ours; .* with --params"):
        tune(match(data), out=tmp_path / "new", file=taken / "mine.txt", **options)
    assert os.listdir(taken) == ["mine.txt"]
    assert sorted(os.listdir(data)) == sorted(FILES)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", [JOURNAL, STUDY])
def test_a_damaged_study_says_so(data, tmp_path, name):
    out = tmp_path / "study"
    options = {"trials": 1, "profile": "quick", "jobs": 1, "out": out}
    tune(match(data), **options)
    (out / name).write_text("{}\n{no}\n", encoding="utf-8")
    with pytest.raises(RunFolderError, match="Delete the study's folder and start it again"):
        tune(match(data), resume=True, **options)


def test_a_task_whose_folds_never_change_is_refused_before_anything_is_written(tmp_path):
    for name, table in zip(
        FILES, REGISTRY["bike-sharing-demand"].load_solver().example(200, 50, 0), strict=True
    ):
        table.to_csv(tmp_path / name, index=False)
    with pytest.raises(SameFoldsError, match="follow the calendar"):
        tune(match(tmp_path), trials=1, profile="quick", jobs=1, out=tmp_path.parent / "study")
    assert not (tmp_path.parent / "study").exists()


def test_a_task_without_ranges_is_refused(data, tmp_path, monkeypatch):
    monkeypatch.setattr("solvers.tuning.ranges_of", lambda model: {})
    with pytest.raises(NothingToTuneError, match="none of its models declares what may be"):
        tune(match(data), trials=1, out=tmp_path / "study")


def test_parameters_that_cannot_be_written_leave_the_study(data, copy, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(adoption, "judge", lambda compared, *_: Verdict(True, "", compared))
    with pytest.raises(RunFolderError, match=r"cannot be written .* go on by --resume"):
        tune(
            match(data), trials=TRIALS, profile="quick", jobs=1, out=copy, resume=True,
            file=tmp_path / "file" / "params.toml",
        )  # fmt: skip


def invoke(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def test_the_command_prints_one_object_or_a_table(data, tmp_path):
    words = ("tune", TASK, data, "--trials", "2", "--profile", "quick", "--jobs", "1", "--out")
    as_json = invoke(*words, tmp_path / "a", "--json")
    assert as_json.exit_code == 0, as_json.stderr
    facts = json.loads(as_json.stdout)
    assert facts == json.loads((tmp_path / "a" / "result.json").read_text("utf-8"))
    table = invoke(*words, tmp_path / "b")
    assert facts["verdict"]["reason"] in table.stdout
    assert "lightgbm" in table.stdout
    assert "trial" in table.stderr


@pytest.mark.parametrize(
    ("task", "said"), [("titanic", "not 'titanic'"), ("nothing", "no known task 'nothing'")]
)
def test_a_wrong_task_is_usage(data, tmp_path, task, said):
    result = invoke("tune", task, data, "--trials", "1", "--out", tmp_path / "study")
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "study").exists()


def test_without_optuna_the_extra_is_named_and_show_works(data):
    code = (
        "import sys; sys.modules['optuna'] = None; "
        "from solvers.cli.commands import app; app(sys.argv[1:])"
    )
    words = ["tune", TASK, str(data), "--trials", "1"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "solvers: The library 'optuna' is needed and not installed. "
        'Install it with: pip install "known-task-solvers[tune]"\n'
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, "show", TASK], capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
