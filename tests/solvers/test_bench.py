"""Several datasets and seeds: what is planned, read back, summarised, shown and written."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd
import pytest
from pydantic import TypeAdapter

from signatures import REGISTRY, BundleError, RunFolderError, UnknownTaskError
from solvers import fresh_process
from solvers.bench import Bench, TooMuchWorkError, bench, markdown
from solvers.bench.asked import check_seeds, parse_seeds
from solvers.bench.cells import code, plain, times
from solvers.bench.datasets import find_datasets
from solvers.bench.readme import Table
from solvers.bench.rows import OutOfFold
from solvers.bench.summary import Mean, summaries
from solvers.fresh_process import Ended
from solvers.runs import VERIFICATIONS
from tests.solvers.conftest import write_passengers

TASK = "spaceship-titanic"


@pytest.fixture
def data(finished):
    """The data of the finished run."""
    return finished[1]


@pytest.fixture
def put(finished):
    """Put a copy of the finished run somewhere, as one of another seed would be."""

    def copy(place, seed=0, verdict="same bytes", shift=0.0, code=None, **changes):
        shutil.copytree(finished[0].run, place)
        facts = json.loads((place / "run.json").read_text(encoding="utf-8"))
        facts.update(seed=seed, **changes)
        for score in facts["scores"]["models"].values():
            score["mean"] += shift
        text = json.dumps(facts)
        (place / "run.json").write_text(text, encoding="utf-8")
        origin = json.loads((place / "provenance.json").read_text(encoding="utf-8"))
        digest = {"sha256": hashlib.sha256(text.encode()).hexdigest()}
        origin["predicate"]["runDetails"]["byproducts"][0]["digest"] = digest
        origin["predicate"]["buildDefinition"]["externalParameters"]["seed"] = seed
        (place / "provenance.json").write_text(json.dumps(origin), encoding="utf-8")
        if verdict:
            code = facts["environment"]["code"]["sha256"] if code is None else code
            line = {"verdict": verdict, "checked": "then", "code_sha256": code}
            (place / VERIFICATIONS).write_text(json.dumps(line) + "\n", encoding="utf-8")
        return place

    return copy


@pytest.fixture
def no_process(monkeypatch):
    """Fail where a process is started; return the list of commands that were wanted."""
    wanted = []

    def refuse(words, *, progress):
        wanted.append(words)
        return Ended(137, {}, "killed by SIGKILL")

    monkeypatch.setattr(fresh_process, "run", refuse)
    return wanted


@pytest.fixture
def three(put, data, tmp_path, no_process):
    """A bench of three seeds that were all finished and verified before."""
    for seed, shift in ((0, 0.0), (1, 0.01), (2, 0.05)):
        put(tmp_path / "out" / f"{TASK}-s{seed}", seed=seed, shift=shift)
    seen = bench([data], seeds=(2, 0, 1), profile="quick", out=tmp_path / "out")
    assert no_process == []
    return seen


# Seeds.


def test_seeds_are_read_in_rising_order():
    assert parse_seeds("10, 2,0") == (0, 2, 10)


@pytest.mark.parametrize(
    "text", ["", " ", "0,,1", "0,", "-1", "+1", "1.5", "a", "1_0", "٣", "9" * 19]
)
def test_what_is_no_seed_is_told(text):
    with pytest.raises(ValueError, match="is no seed"):
        parse_seeds(text)


def test_a_seed_given_twice_or_never_is_told():
    with pytest.raises(ValueError, match="the seed 7 is given twice"):
        parse_seeds("7,1,07")
    with pytest.raises(ValueError, match="at least one seed"):
        check_seeds([])
    with pytest.raises(ValueError, match="0 or more, not -1"):
        check_seeds([0, -1])


# Datasets.


def write_unknown(folder):
    folder.mkdir(parents=True)
    for name in ("train.csv", "test.csv"):
        (folder / name).write_text("bed,compost\n1,2\n", encoding="utf-8")
    return folder


def test_a_folder_of_datasets_gives_its_known_ones_and_says_what_it_passes_over(tmp_path):
    write_passengers(tmp_path / "b")
    write_unknown(tmp_path / "a")
    (tmp_path / "notes").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "readme.txt").touch()
    datasets, passed = find_datasets([tmp_path])
    assert [(d.name, d.path) for d in datasets] == [(TASK, str(tmp_path / "b"))]
    assert [Path(folder.path).name for folder in passed] == ["a", "notes"]
    assert passed[0].reason.startswith("is no known task: no signature has all its key columns")
    assert passed[1].reason == "is no known task: no training table was found"


def test_several_datasets_of_one_task_are_numbered_whatever_the_order(tmp_path):
    for name in ("c", "a", "b"):
        write_passengers(tmp_path / name)
    expected = [(TASK, "a"), (f"{TASK}-2", "b"), (f"{TASK}-3", "c")]
    for paths in ([tmp_path], [tmp_path / name for name in "bca"], [tmp_path, tmp_path / "a"]):
        datasets, passed = find_datasets(paths)
        assert [(d.name, Path(d.path).name) for d in datasets] == expected
        assert {d.task for d in datasets} == {TASK}
        assert passed == ()


def test_a_dataset_that_lies_deeper_is_one_dataset(tmp_path):
    write_passengers(tmp_path / "x" / "prepared" / "public")
    datasets, _ = find_datasets([tmp_path / "x"])
    assert [d.path for d in datasets] == [str(tmp_path / "x")]


def test_a_path_without_a_known_task_is_refused(tmp_path):
    with pytest.raises(UnknownTaskError):
        find_datasets([write_unknown(tmp_path / "data" / "a")])
    write_unknown(tmp_path / "data" / "b")
    with pytest.raises(UnknownTaskError, match=r"none of its 2 subfolders \('a', 'b'\)"):
        find_datasets([tmp_path / "data"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnknownTaskError, match="there are no files"):
        find_datasets([tmp_path / "empty"])
    with pytest.raises(BundleError, match="does not exist"):
        find_datasets([tmp_path / "nowhere"])


# Work.


def test_the_work_is_known_beforehand(three, run_record):
    fits = run_record["fits"]
    assert (three.work.runs, three.work.fits) == (3, 3 * len(fits))
    assert three.work.rounds == 3 * sum(fit["rounds"] for fit in fits)
    assert three.work.all_fits == 2 * three.work.fits
    assert (
        str(three.work)
        == "3 runs, 27 fits, 2,016 rounds; verifying does them once more, 54 fits in all"
    )


@pytest.mark.parametrize(("verify", "bound", "fits"), [(True, 17, 18), (False, 8, 9)])
def test_more_work_than_allowed_is_not_begun(data, tmp_path, no_process, verify, bound, fits):
    with pytest.raises(
        TooMuchWorkError,
        match=f"takes {fits} fits from its beginning to its end, and {bound} are allowed",
    ):
        bench([data], profile="quick", out=tmp_path / "out", verify=verify, max_fits=bound)
    assert no_process == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "wrong", [{"profile": "huge"}, {"jobs": 0}, {"seeds": ()}, {"seeds": (1, 1)}]
)
def test_arguments_that_cannot_be_are_refused(data, tmp_path, wrong):
    with pytest.raises(ValueError, match=r"no profile|jobs must be|at least one seed|given twice"):
        bench([data], out=tmp_path / "out", **wrong)
    assert not (tmp_path / "out").exists()


# Rows.


def test_finished_runs_are_read_back_and_nothing_is_done_again(three, run_record):
    assert [row.seed for row in three.rows] == [0, 1, 2]
    result = three.rows[0].result
    scores = run_record["scores"]
    assert result.n_train == 240
    assert {name: score.mean for name, score in result.models.items()} == {
        name: score["mean"] for name, score in scores["models"].items()
    }
    assert result.used == scores["used"]
    assert (result.seconds, result.peak_mb) == (run_record["seconds"], run_record["peak_mb"])
    assert result.cpu_seconds == pytest.approx(sum(f["cpu_seconds"] for f in run_record["fits"]))
    assert three.done
    assert three.exit_code == 0


def test_the_mean_over_seeds_has_its_standard_error(three, run_record):
    (summary,) = summaries(three)
    first = run_record["scores"]["models"]["average"]["mean"]
    mean = summary.models["average"]
    assert mean.mean == pytest.approx(first + 0.02)
    assert mean.sem == pytest.approx(pd.Series([0, 0.01, 0.05]).sem())
    assert mean.n == 3
    assert summary.verdicts == {"same bytes": 3}
    assert Mean.of([0.5]) == Mean(0.5, None, 1)
    assert Mean.of([]) is None


def test_what_is_written_is_what_is_returned(three):
    out = Path(three.out)
    facts = json.loads((out / "bench.json").read_text(encoding="utf-8"))
    assert facts == json.loads(json.dumps(three.to_dict()))
    assert (out / "bench.md").read_text(encoding="utf-8") == three.to_markdown()
    # The table follows from the facts alone.
    assert markdown.page(TypeAdapter(Bench).validate_python(facts)) == three.to_markdown()
    assert sorted(os.listdir(out)) == [
        "bench.json",
        "bench.md",
        *(f"{TASK}-s{n}" for n in range(3)),
    ]


def test_more_seeds_may_be_asked_for_later(three, data, put):
    put(Path(three.out) / f"{TASK}-s3", seed=3)
    more = bench([data], seeds=range(4), profile="quick", out=three.out)
    assert more.rows[:3] == three.rows
    with pytest.raises(RunFolderError, match=f"'{TASK}-s1', .* is not of this bench"):
        bench([data], seeds=(0,), profile="quick", out=three.out)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda out: (out / "mine.txt").touch(), "'mine.txt' is not of this bench"),
        (lambda out: (out / f"{TASK}-s0" / "run.json").write_text("{}"), "not the record of a run"),
        (lambda out: shutil.rmtree(out / f"{TASK}-s0" / "run.json", ignore_errors=True)
         or (out / f"{TASK}-s0" / "run.json").unlink(), "is not empty, and holds no run"),
    ],
)  # fmt: skip
def test_a_folder_with_anything_else_in_it_is_refused(put, data, tmp_path, no_process, spoil, said):
    out = tmp_path / "out"
    put(out / f"{TASK}-s0")
    spoil(out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(RunFolderError, match=said):
        bench([data], profile="quick", out=out)
    assert no_process == []
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_run_of_something_else_is_refused(put, data, tmp_path, no_process):
    cases = {
        "the seed 5, not 0": {"seed": 5},
        "the task 'other'": {"task": "other"},
        "the route 'agent'": {"route": "agent"},
    }
    for number, (said, changes) in enumerate(cases.items()):
        out = tmp_path / str(number)
        put(out / f"{TASK}-s0", **changes)
        with pytest.raises(RunFolderError, match=said):
            bench([data], profile="quick", out=out)
    put(tmp_path / "full" / f"{TASK}-s0")
    with pytest.raises(RunFolderError, match="the profile 'quick', not 'full'"):
        bench([data], profile="full", out=tmp_path / "full")
    other = write_passengers(tmp_path / "other", seed=9)
    with pytest.raises(RunFolderError, match="a run of other data"):
        bench([other], profile="quick", out=tmp_path / "full")
    assert no_process == []


def test_an_edited_record_is_not_put_in_a_table(put, data, tmp_path, no_process):
    place = put(tmp_path / "out" / f"{TASK}-s0")
    text = (place / "run.json").read_text(encoding="utf-8")
    (place / "run.json").write_text(text + " ", encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"was changed: run\.json, edited since"):
        bench([data], profile="quick", out=tmp_path / "out")


def test_the_same_data_elsewhere_are_the_same(put, data, tmp_path, no_process):
    put(tmp_path / "out" / f"{TASK}-s0")
    copy = shutil.copytree(data, tmp_path / "copy")
    assert bench([copy], profile="quick", out=tmp_path / "out").exit_code == 0


def test_one_run_that_fails_is_a_row_and_the_others_go_on(put, data, tmp_path, no_process):
    out = tmp_path / "out"
    put(out / f"{TASK}-s1", seed=1)
    lines = []
    seen = bench([data], seeds=(0, 1), profile="quick", out=out, jobs=3, tell=lines.append)
    assert [words[:2] for words in no_process] == [["solve", str(data)]]
    assert no_process[0][-3:] == ["--jobs", "3", "--json"]
    assert (seen.rows[0].error.exit_code, seen.rows[0].error.message) == (137, "killed by SIGKILL")
    assert seen.rows[1].result is not None
    assert seen.exit_code == 1
    page = seen.to_markdown()
    assert "| failed, exit code 137: killed by SIGKILL |" in page
    assert f"- {TASK}-s0: killed by SIGKILL" in page
    assert f"[1/2] {TASK}, seed 0: failed, exit code 137" in lines
    assert f"[2/2] {TASK}, seed 1: is finished already" in lines
    # Started again, it is tried again; the unfinished one goes on.
    (out / f"{TASK}-s0" / ".unfinished").mkdir(parents=True)
    request = {"path": str(data), "seed": 0, "profile": "quick", "jobs": 1, "note": "",
               "report": False, "started": "2026-01-01T00:00:00Z", "sittings": 1}  # fmt: skip
    (out / f"{TASK}-s0" / ".unfinished" / "request.json").write_text(json.dumps(request))
    bench([data], seeds=(0, 1), profile="quick", out=out)
    assert no_process[1][:2] == ["solve", "--resume"]
    with pytest.raises(RunFolderError, match="holds an unfinished run of something else"):
        bench([data], seeds=(0, 1), profile="full", out=out)
    copy = shutil.copytree(data, tmp_path / "copy")
    with pytest.raises(RunFolderError, match="unfinished run of something else"):
        bench([copy], seeds=(0, 1), profile="quick", out=out)


@pytest.mark.parametrize(
    ("ended", "exit_code", "verdict"),
    [
        (Ended(0, {"verdict": "same labels"}, ""), 0, "same labels"),
        (Ended(5, {"verdict": "different"}, ""), 5, "different"),
        (Ended(1, {"message": "no memory"}, "no memory"), 1, "not verified, exit code 1"),
        (Ended(0, {}, ""), 1, "not verified, exit code 0"),
    ],
)
def test_a_verdict_decides_the_exit_code(
    put, data, tmp_path, monkeypatch, ended, exit_code, verdict
):
    put(tmp_path / "out" / f"{TASK}-s0", verdict=None)
    monkeypatch.setattr(fresh_process, "run", lambda words, *, progress: ended)
    seen = bench([data], profile="quick", out=tmp_path / "out")
    assert seen.exit_code == exit_code
    assert f"| {verdict} |" in seen.to_markdown()
    seen = bench([data], profile="quick", out=tmp_path / "out", verify=False)
    assert seen.exit_code == 0
    assert seen.to_markdown().count("| - |\n") == 1


def test_a_verdict_of_other_code_is_not_taken(put, data, tmp_path, monkeypatch):
    put(tmp_path / "out" / f"{TASK}-s0", verdict="different", code="0" * 64)
    same = Ended(0, {"verdict": "same bytes"}, "")
    monkeypatch.setattr(fresh_process, "run", lambda words, *, progress: same)
    (row,) = bench([data], profile="quick", out=tmp_path / "out").rows
    assert row.verdict == "same bytes"


def test_what_was_seen_is_kept_when_the_bench_is_stopped(put, data, tmp_path, monkeypatch):
    def stop(words, *, progress):
        raise KeyboardInterrupt

    out = tmp_path / "out"
    put(out / f"{TASK}-s0")
    monkeypatch.setattr(fresh_process, "run", stop)
    with pytest.raises(KeyboardInterrupt) as caught:
        bench([data], seeds=(0, 1), profile="quick", out=out)
    (note,) = caught.value.__notes__
    assert "1 of 2 runs finished. Go on with: solvers bench" in note
    assert f"--seeds 0,1 --profile quick --out {out}" in note
    kept = json.loads((out / "bench.json").read_text(encoding="utf-8"))
    assert len(kept["rows"]) == 1
    assert "So far 1 of 2 runs." in (out / "bench.md").read_text(encoding="utf-8")
    assert not list(out.glob(".*"))


def test_a_bench_that_is_stopped_at_once_leaves_nothing(data, tmp_path, monkeypatch):
    def stop(words, *, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(fresh_process, "run", stop)
    with pytest.raises(KeyboardInterrupt) as caught:
        bench([data], profile="quick", out=tmp_path / "a" / "out")
    assert not hasattr(caught.value, "__notes__")
    assert not (tmp_path / "a").exists()


def test_results_do_not_go_into_a_dataset(data):
    with pytest.raises(RunFolderError, match="lies inside the input folder"):
        bench([data], profile="quick", out=data / "out")


def test_a_process_that_does_not_hear_is_told_and_then_killed(monkeypatch):
    monkeypatch.setattr(fresh_process, "_SIGNALLED_TOO", 0.01)
    monkeypatch.setattr(fresh_process, "_TERMINATED", 0.5)
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print(); time.sleep(60)"
    for words, ended in ((["sleep", "60"], -15), ([sys.executable, "-uc", deaf], -9)):
        process = subprocess.Popen(words, stdout=subprocess.PIPE)
        if ended == -9:
            process.stdout.readline()
        process.stdout.close()
        fresh_process._stop(process)
        assert process.returncode == ended


def test_how_a_process_ended_is_told_as_a_shell_does():
    assert fresh_process._ended("solve", -9, "") == Ended(137, {}, "killed by SIGKILL")
    said = Ended(4, {"message": "no"}, "no")
    assert fresh_process._ended("solve", 4, '{"message": "no"}') == said
    without = fresh_process._ended("solve", 1, "[]")
    assert without.message == "solvers solve ended with exit code 1"


# Answers.


@pytest.fixture
def truth(finished, tmp_path):
    """Answers of the finished run's test rows: what it predicted, but for the first six rows."""
    table = pd.read_csv(finished[0].submission, dtype=str)
    other = {"True": "False", "False": "True"}
    table.loc[:5, "Transported"] = table["Transported"][:6].map(other)

    def write(name):
        path = tmp_path / "answers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(path, index=False)
        return tmp_path / "answers"

    return write


@pytest.mark.parametrize(
    "names",
    [
        [f"{TASK}.csv"],
        [f"{TASK}/anything.csv"],
        [f"{TASK}/answers.csv", f"{TASK}/zzz.csv"],
        [f"{TASK}/test.csv", f"{TASK}/aaa.csv"],
    ],
)
def test_submissions_are_graded_against_the_answers(three, data, truth, names, no_process):
    answers = truth(names[0])
    for name in names[1:]:
        (answers / name).write_text("not,read\n", encoding="utf-8")
    seen = bench([data], seeds=(0, 1, 2), profile="quick", out=three.out, answers=answers)
    assert [(row.graded.score, row.graded.medal) for row in seen.rows] == [(0.9, "gold")] * 3
    (summary,) = summaries(seen)
    assert (summary.graded.mean, summary.graded.sem) == (pytest.approx(0.9), pytest.approx(0))
    assert "| 0.90000 | gold |" in seen.to_markdown()
    assert "| 0.90000 ± 0.00000 | gold |" in markdown.block(seen)


def test_without_answers_there_is_no_grade(three):
    assert "graded" not in three.to_markdown()
    assert {row.graded for row in three.rows} == {None}


def test_answers_that_cannot_be_used_are_told_before_anything_is_done(
    data, truth, tmp_path, no_process
):
    def refused(answers, error, said):
        with pytest.raises(error, match=said):
            bench([data], profile="quick", out=tmp_path / "out", answers=answers)
        assert no_process == []

    answers = truth("other.csv")
    refused(tmp_path / "nowhere", RunFolderError, "is not a folder")
    refused(answers, RunFolderError, f"none of the datasets: neither '{TASK}.csv'")
    truth(f"{TASK}/a.csv")
    truth(f"{TASK}/b.csv")
    refused(answers, RunFolderError, "holds several csv files, 'a.csv', 'b.csv'")
    (answers / f"{TASK}.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    refused(answers, BundleError, "has no column 'PassengerId'")


def test_a_dataset_without_answers_says_so(put, data, truth, tmp_path, no_process):
    other = write_passengers(tmp_path / "zz", seed=5)
    put(tmp_path / "out" / f"{TASK}-s0")
    lines = []
    seen = bench(
        [data, other], profile="quick", out=tmp_path / "out", answers=truth(f"{TASK}.csv"),
        tell=lines.append,
    )  # fmt: skip
    assert f"{TASK}-2 is not graded: there are no answers called {TASK}-2" in lines
    assert f"{TASK}-2 is {other}" in lines
    assert [row.graded is None for row in seen.rows] == [False, True]


def test_an_invalid_submission_is_a_failure(put, data, truth, tmp_path, no_process):
    put(tmp_path / "out" / f"{TASK}-s0")
    answers = truth(f"{TASK}.csv")
    text = (answers / f"{TASK}.csv").read_text(encoding="utf-8")
    (answers / f"{TASK}.csv").write_text(text + "x,True\n", encoding="utf-8")
    seen = bench([data], profile="quick", out=tmp_path / "out", answers=answers)
    assert seen.exit_code == 1
    assert "| invalid | - |" in seen.to_markdown()
    said = f"Not graded:\n\n- {TASK}-s0: submission: expected 61 rows, found 60"
    assert said in seen.to_markdown()


@pytest.mark.parametrize("name", ["submission.csv", "oof_predictions.parquet", "run.json"])
def test_a_run_whose_files_were_edited_is_refused(put, data, tmp_path, no_process, name):
    place = put(tmp_path / "out" / f"{TASK}-s0")
    with (place / name).open("ab") as stream:
        stream.write(b" ")
    with pytest.raises(RunFolderError, match="holds a run that was changed"):
        bench([data], profile="quick", out=tmp_path / "out")


# Markdown.


def test_the_page_has_a_row_for_each_run_and_one_for_the_mean(three, run_record):
    page, _ = three.to_markdown().split("## Every model")
    rows = [line for line in page.splitlines() if line.startswith(f"| {TASK}")]
    assert [row.split(" | ")[2] for row in rows] == ["0", "1", "2", "mean of 3"]
    assert {row.count(" | ") for row in page.splitlines() if row.startswith("| ")} == {11}
    used = run_record["scores"]["used"]
    score = f"{run_record['scores']['models'][used]['mean']:.5f}"
    assert f" | **{score}** | " in rows[0]
    assert "±" not in rows[0]
    assert "accuracy ↑" in rows[0]
    # The mean's error is that over seeds, and the text says which is which.
    assert f" ± {pd.Series([0, 0.01, 0.05]).sem():.5f}** |" in rows[3]
    assert "In the row of a mean ± is the standard error of that mean over the seeds" in page
    assert "`solvers bench data --seeds 0,1,2 --profile quick`" in page
    assert str(Path(three.out)) not in page


def test_the_columns_are_the_same_whatever_models_a_task_has(three):
    """A model that one task alone has takes a row of the long table, and no column."""
    row = three.rows[0]
    models = {"other": OutOfFold(0.9, 0.1), "worse": OutOfFold(0.1, None)} | {
        name: score for name, score in row.result.models.items() if name in ("average", "stack")
    }
    other = replace(row, name="other", result=replace(row.result, models=models))
    low = replace(other, name="low", result=replace(other.result, higher_is_better=False))
    seen = replace(three, rows=(*three.rows, other, low))
    heads = [text.splitlines()[0] for text in map(markdown.block, (three, seen))]
    assert heads[0] == heads[1]
    assert "| best single model | average | stack | used |" in heads[0]
    short, long = seen.to_markdown().split("## Every model")
    assert "| other 0.90000 ± 0.10000 |" in short
    assert "| worse 0.10000 |" in short  # low is good there
    assert "lightgbm" in long
    for name in models:
        assert f"| other | 0 | {name} | " in long


def test_a_table_of_other_tasks_loses_none_of_them(three, tmp_path):
    path = tmp_path / "README.md"
    path.write_text(TEXT, encoding="utf-8", newline="")
    Table(path).refuse_loss([])  # there is no table yet
    two = replace(three, rows=(*three.rows, replace(three.rows[0], name="other")))
    Table(path).rewrite(markdown.block(two))
    before = path.read_bytes()
    Table(path).refuse_loss(["new", "other", TASK])
    with pytest.raises(RunFolderError, match="has a table with 'other', which this bench lacks"):
        Table(path).refuse_loss([TASK])
    assert path.read_bytes() == before


def test_one_seed_has_the_errors_of_its_fold_seeds_and_no_others(three):
    row = three.rows[0]
    models = {name: replace(s, sem=0.00123) for name, s in row.result.models.items()}
    one = replace(
        three,
        asked=replace(three.asked, seeds=(0,)),
        rows=(replace(row, result=replace(row.result, models=models)),),
        work=replace(three.work, runs=1),
    )
    # Of the base models the short table has the best, the long one each.
    for text, n in ((one.to_markdown(), 3 + len(models)), (markdown.block(one), 3)):
        assert text.count("± 0.00123") == n
        assert "standard error over the fold seeds of that run" in text
        assert "over the seeds, sd" not in text
        assert "mean of" not in text


def test_the_time_of_a_run_that_went_on_is_not_taken_for_the_whole(three):
    first = replace(three.rows[0].result, sittings=2, seconds=1000.0, peak_mb=9e5)
    seen = replace(three, rows=(replace(three.rows[0], result=first), *three.rows[1:]))
    (summary,) = summaries(seen)
    assert summary.seconds == pytest.approx(three.rows[1].result.seconds)
    assert summary.peak_mb < 9e5
    assert "1,000 s (sitting 2)" in seen.to_markdown()
    assert "of its last sitting" in seen.to_markdown()
    assert "of its last sitting" not in three.to_markdown()


def test_the_block_has_a_row_for_each_dataset(three):
    block = markdown.block(three)
    rows = [line for line in block.splitlines() if line.startswith(f"| {TASK}")]
    (row,) = rows
    assert row.startswith(f"| {TASK} | 240 | 0, 1, 2 | accuracy ↑ |")
    assert row.endswith("| same bytes |")
    for said in ("`solvers bench data", "known-task-solvers 0.", "Python 3.", " CPU", "sd/√n"):
        assert said in block


def test_an_unknown_text_cannot_break_the_table():
    assert plain("a|b\n<!-- bench:end -->\\") == "a\\|b \\<!-- bench:end --\\>\\\\"
    assert plain("a\x1b[31m\u2028b") == "a \\[31m b"
    assert code("a`b\nc") == "`` a`b c ``"
    assert times({"gold": 1, "none": 1}, 2) == "gold (1 of 2), none (1 of 2)"


# README.


TEXT = (
    "# Title\r\ntext — ü <!-- bench:begin --> in a line\n"
    "<!-- bench:begin -->\nold | \n<!-- bench:end -->\nrest\r\n\tx"
)


def test_only_what_is_between_the_markers_is_rewritten(tmp_path):
    path = tmp_path / "README.md"
    path.write_bytes(TEXT.encode())
    path.chmod(0o640)
    Table(path).check()
    Table(path).rewrite("| ü |\n\nnew\n")
    new = TEXT.replace("old | \n", "| ü |\n\nnew\n").encode()
    assert path.read_bytes() == new
    Table(path).rewrite("| ü |\n\nnew\n")
    assert path.read_bytes() == new
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["README.md"]


def test_line_endings_are_those_of_the_file(tmp_path):
    path = tmp_path / "README.md"
    text = b"\xef\xbb\xbfx\r\n<!-- bench:begin -->\r\n<!-- bench:end -->"
    path.write_bytes(text)
    Table(path).rewrite("a\nb\n")
    assert path.read_bytes() == text.replace(b"<!-- bench:end", b"a\r\nb\r\n<!-- bench:end")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "docs").mkdir()
    real = tmp_path / "docs" / "real.md"
    real.write_text(TEXT, encoding="utf-8", newline="")
    (tmp_path / "README.md").symlink_to(real)
    Table(tmp_path / "README.md").rewrite("new")
    assert (tmp_path / "README.md").is_symlink()
    assert "\nnew\n" in real.read_text(encoding="utf-8")


B, E = Table(Path()).markers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", f"has no line {B}"),
        (f"{B}\nx\n", f"has no line {E}"),
        (f"{E}\n", f"has no line {B}"),
        (f"{E}\n{B}\n", f"has {E} before {B}"),
        (f"{B}\n{B}\n{E}\n", f"has 2 lines {B}"),
        (f"{B}\n{E}\n{E}\n", f"has 2 lines {E}"),
        (f"{B} {E}\n", f"has no line {B}"),
        (f"{B}\n{E}\n".encode("utf-16"), f"has no line {B}"),
    ],
)
def test_a_readme_without_one_pair_of_markers_is_refused(tmp_path, text, said):
    path = tmp_path / "README.md"
    content = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(content)
    for action in (lambda path: Table(path).check(), lambda path: Table(path).rewrite("new")):
        with pytest.raises(RunFolderError, match=said):
            action(path)
    assert path.read_bytes() == content


def test_a_readme_that_cannot_be_written_or_read_is_refused(tmp_path):
    path = tmp_path / "README.md"
    for wanted in (path, tmp_path):
        with pytest.raises(RunFolderError, match="cannot be read"):
            Table(wanted).check()
    path.write_text(TEXT, encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(RunFolderError, match="is read-only"):
        Table(path).rewrite("new")
    assert path.read_bytes().count(b"old") == 1


@pytest.mark.parametrize("name", ["", "texts"])
def test_the_readme_of_the_project_can_be_rewritten(name):
    Table(Path(__file__).parents[2] / "README.md", name).check()


def test_tables_of_one_file_are_told_apart_by_name(tmp_path):
    path = tmp_path / "README.md"
    more, others = Table(path, "more"), Table(path)
    path.write_text("\n".join([*others.markers, "between", *more.markers, ""]))
    more.rewrite("| a |\n| --- |\n| new |")
    others.rewrite("| a |\n| --- |\n| old |")
    (b, e), (begin, end) = others.markers, more.markers
    table = "| a |\n| --- |\n| {} |\n"
    assert path.read_text() == (
        f"{b}\n{table.format('old')}{e}\nbetween\n{begin}\n{table.format('new')}{end}\n"
    )
    with pytest.raises(RunFolderError, match="'old'"):
        others.refuse_loss(["new"])
    more.refuse_loss(["new"])


def test_a_name_that_would_end_the_comment_is_refused():
    with pytest.raises(ValueError, match="cannot name a table"):
        Table(Path("README.md"), "a --> b")


def test_every_fact_of_a_row_is_in_the_json(three):
    assert json.loads(json.dumps(three.to_dict()))["rows"][0]["result"] == asdict(
        three.rows[0].result
    )
    assert REGISTRY[TASK].metric.name == three.rows[0].result.metric
