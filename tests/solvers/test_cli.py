import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pandera.pandas as pa
import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from solvers.cli import plugins
from solvers.cli.commands import app
from solvers.cli.options import ProfileName
from solvers.cli.printing import print_solution
from solvers.cli.progress import progress
from solvers.log import Log
from solvers.profiles import PROFILES

HEAVY = {"pandas", "numpy", "sklearn", "scipy", "lightgbm", "xgboost", "catboost", "pandera",
         "joblib", "pyarrow"}  # fmt: skip


def run(*words):
    return CliRunner().invoke(app, list(words))


def test_every_profile_can_be_chosen():
    assert {name.value for name in ProfileName} == set(PROFILES)


def test_list_names_every_known_task():
    from signatures import REGISTRY

    table = run("list", "--json")
    assert [task["task"] for task in json.loads(table.stdout)["tasks"]] == list(REGISTRY)
    assert "spaceship-titanic" in run("list").stdout


def test_list_tells_of_a_broken_signature_and_shows_the_others(tmp_path):
    from signatures import REGISTRY

    (tmp_path / "fish.toml").write_text("titel =", encoding="utf-8")
    here = os.environ | {"KNOWN_TASKS_PATH": str(tmp_path)}
    shown, told = (
        subprocess.run(
            [sys.executable, "-m", "solvers.cli", "list", *words],
            capture_output=True, text=True, check=True, env=here,
        ).stdout
        for words in ((), ("--json",))
    )  # fmt: skip
    assert all(slug in shown for slug in [*REGISTRY, "fish"])
    assert "fish.toml' cannot be used: it is not valid TOML" in shown
    (fish,) = (task for task in json.loads(told)["tasks"] if "error" in task)
    assert fish["task"] == "fish"


@pytest.mark.parametrize("task", ["titanic", "leaf-classification", "playground-series-s3e18"])
def test_show_keeps_to_80_columns_and_says_what_is_allowed(task):
    lines = run("show", task).stdout.splitlines()
    assert [line for line in lines if len(line) > 80 and " " in line.strip()] == []


def test_show_says_ranges_and_categories_where_a_contract_has_no_words_for_them():
    from solvers.contract import expected_of

    sizes = pa.Column(str, pa.Check.isin(["small", "large"]))
    depth = pa.Column(float, [pa.Check.ge(0), pa.Check.le(9)])
    many = pa.Column(str, pa.Check.isin([f"size {number}" for number in range(99)]))
    assert expected_of(sizes) == "one of 'small', 'large'"
    assert expected_of(depth) == "at least 0 and at most 9"
    assert expected_of(many).endswith(" ...")
    assert expected_of(pa.Column(float, pa.Check.ge(0), description="metres")) == "metres"


def test_a_fit_that_is_tried_again_is_told_in_one_line(capsys):
    with progress(verbose=False):
        fit = "catboost on grade, fold 0 of fold seed 0"
        Log().event(logging.WARNING, "fit failed, tried again", fit=fit, reason="TypeError: no")
    assert capsys.readouterr().err == (
        f"warning: fit failed, tried again (fit={fit}): TypeError: no\n"
    )


@pytest.mark.parametrize("value", ["no_such_package.module:run", "json:no_such_function"])
def test_a_command_that_is_not_there_keeps_no_other_from_being_listed(value, monkeypatch):
    entry = metadata.EntryPoint("strange", value, plugins.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda **wanted: [entry])
    own = typer.Typer()
    own.command("own")(lambda: None)
    plugins.add_commands(own)
    shown = CliRunner().invoke(own, ["--help"]).stdout
    assert "own" in shown
    assert re.search(r"strange +A command of another package\.", shown)


def test_a_signal_in_the_last_moment_does_not_keep_it_from_ending():
    code = (
        "import atexit, os, signal, sys; from solvers.cli import main\n"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
        "sys.argv = ['solvers', '--version']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_fits_a_terminal_and_shows_all_that_is_written():
    """In a help text Rich takes brackets for markup, and what is in them is not seen."""
    commands = get_command(app).commands
    for name, command in commands.items():
        assert [p.name for p in command.params if "[" in (getattr(p, "help", None) or "")] == []
        if name in {entry.name for entry in metadata.entry_points(group=plugins.GROUP)}:
            continue
        shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "80"})
        assert shown.exit_code == 0
        assert max(map(len, shown.stdout.splitlines())) <= 80
        assert "…" not in shown.stdout
    assert "usable CPUs" in CliRunner().invoke(app, ["solve", "--help"]).stdout


@pytest.mark.parametrize("width", ["40", "60", "80", "100"])
def test_list_breaks_no_name(width):
    from signatures import REGISTRY

    shown = CliRunner().invoke(app, ["list"], env={"COLUMNS": width}).stdout
    for slug in REGISTRY:
        assert any(line.startswith(f"{slug} ") for line in shown.splitlines()), shown


def test_why_no_single_model_is_handed_in_is_told_where_one_scores_better(capsys):
    def said(higher_is_better, **means):
        models = {name: {"mean": mean, "sem": None} for name, mean in means.items()}
        scores = {"metric": "m", "models": models, "used": "average", "protocol": "p",
                  "reason": "r", "higher_is_better": higher_is_better}  # fmt: skip
        record = {"scores": scores, "inferred": None, "note": "", "task": "t"}
        print_solution(SimpleNamespace(record=record, submission="s"), as_json=False)
        return capsys.readouterr().out

    assert "best alone scores better" in said(True, best=3.0, average=2.0, stack=1.0)
    assert "best alone scores better" in said(False, best=1.0, average=2.0, stack=3.0)
    assert "alone" not in said(True, best=1.0, average=2.0, stack=3.0)
    assert "alone" not in said(False, best=3.0, average=2.0, stack=1.0)


def test_match_says_which_task_and_why(passengers):
    result = run("match", str(passengers))
    assert result.exit_code == 0
    assert "spaceship-titanic" in result.stdout
    assert "Transported, Cabin, RoomService" in result.stdout
    assert json.loads(run("match", str(passengers), "--json").stdout)["slug"] == "spaceship-titanic"


def test_match_imports_nothing_heavy(passengers):
    code = (
        "import sys; from solvers.cli.commands import app; "
        f"app(['match', {str(passengers)!r}], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert loaded & HEAVY == set()
    assert "spaceship-titanic" in done.stdout


def test_demo_says_that_it_is_synthetic(tmp_path):
    result = run("demo", "--out", str(tmp_path / "demo"), "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert "synthetic" in result.stdout
    record = json.loads((tmp_path / "demo" / "run" / "run.json").read_text(encoding="utf-8"))
    assert "synthetic" in record["note"]
    assert sorted(os.listdir(tmp_path / "demo")) == ["data", "run"]


def test_demo_refuses_a_folder_that_is_not_empty(tmp_path):
    (tmp_path / "mine.txt").touch()
    result = run("demo", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert os.listdir(tmp_path) == ["mine.txt"]


def test_solve_prints_exactly_one_json_object(passengers, tmp_path):
    words = ("solve", str(passengers), "--out", str(tmp_path / "run"), "--profile", "quick")
    result = run(*words, "--jobs", "1", "--json")
    facts = json.loads(result.stdout)
    assert facts["route"] == "known-task"
    assert facts["scores"]["models"]["average"]["mean"] > 0
    assert "fit" in result.stderr


@pytest.mark.parametrize("words", [("solve",), ("solve", ".", "--seed", "-1"), ("nothing",)])
def test_wrong_usage_is_exit_code_2(words):
    assert run(*words).exit_code == 2


def group_ends(group):
    """Tell whether no process of the group is left within ten seconds."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"]
)
def test_an_interrupted_run_leaves_its_fits_and_no_process(passengers, tmp_path, number, code):
    command = [sys.executable, "-m", "solvers.cli", "solve", str(passengers),
               "--out", str(tmp_path / "run"), "--jobs", "2"]  # fmt: skip
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell starts what it puts into the background with Ctrl-C ignored, these tests too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (tmp_path / "run" / ".unfinished" / "log.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.05)
    log = tmp_path / "run" / ".unfinished" / "log.jsonl"
    while "folds" not in log.read_text(encoding="utf-8"):
        time.sleep(0.05)
    time.sleep(1)
    # As a terminal does it: the whole group gets the signal.
    os.killpg(process.pid, number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    if (tmp_path / "run").exists():
        assert "solvers solve --resume" in errors
        assert os.listdir(tmp_path / "run") == [".unfinished"]
    else:
        assert "Nothing was kept" in errors
    assert group_ends(process.pid)


@pytest.mark.parametrize("words", [["match", "/n"], ["list", "--nope"], ["solve"], ["runs", "/n"]])
def test_a_command_line_that_cannot_be_understood_prints_one_object_too(words):
    done = subprocess.run(
        [sys.executable, "-m", "solvers.cli", *words, "--json"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert json.loads(done.stdout)["exit_code"] == 2
    assert done.stderr


def test_settings_that_cannot_be_used_print_one_object_too(tmp_path):
    (tmp_path / "c.toml").write_text("a = 1\n", encoding="utf-8")
    environment = os.environ | {"SOLVERS_CONFIG": str(tmp_path / "c.toml")}
    done = subprocess.run(
        [sys.executable, "-m", "solvers.cli", "list", "--json"],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert json.loads(done.stdout)["exit_code"] == done.returncode == 2


@pytest.mark.parametrize("words", ["--version", "--help", "list", "config"])
def test_a_stdout_that_is_full_is_told_in_a_sentence(words):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "solvers.cli", words],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode in (1, 120)
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_a_finished_run_that_cannot_be_printed_says_where_it_is(passengers, tmp_path, monkeypatch):
    from solvers.cli import solving

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(solving, "print_solution", full)
    words = ["solve", str(passengers), "--out", str(tmp_path / "run"), "--profile", "quick"]
    result = CliRunner().invoke(app, [*words, "--jobs", "1", "--no-report"])
    assert result.exit_code == 1
    assert f"The run itself is finished, in '{tmp_path / 'run'}'." in result.stderr
    assert "Nothing was kept" not in result.stderr


def test_a_working_directory_that_is_gone_is_told(tmp_path):
    code = "import os, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    code += "; sys.argv = ['solvers', 'list']; from solvers.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("solvers: The working directory is not there any more.")


def test_text_that_a_terminal_cannot_show_is_no_reason_to_fail(tmp_path):
    (tmp_path / "r\u00fcn" / ".unfinished").mkdir(parents=True)
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "solvers.cli", "runs", str(tmp_path)],
        capture_output=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"unfinished: 0 fits kept" in done.stdout


def test_a_name_that_is_no_text_is_refused_before_any_work(passengers, tmp_path):
    odd = tmp_path / os.fsdecode(b"o\xffut")
    words = ["solve", str(passengers), "--out", str(odd), "--profile", "quick"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "is no UTF-8 text" in result.stderr
    assert not odd.exists()


def test_without_runs_there_is_nothing_to_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["runs"])
    assert (result.exit_code, result.stdout) == (0, "There are no runs under 'runs'.\n")
    assert json.loads(CliRunner().invoke(app, ["runs", "--json"]).stdout) == {"runs": []}


@pytest.mark.parametrize("words", [["show", "titanic"], ["tune", "titanic", ".", "--trials", "1"]])
def test_own_tasks_that_cannot_be_read_are_a_sentence(words, tmp_path):
    environment = {**os.environ, "KNOWN_TASKS_PATH": str(tmp_path / "nowhere")}
    command = [sys.executable, "-m", "solvers.cli", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "KNOWN_TASKS_PATH names it, and it is not there." in done.stderr
    assert "Traceback" not in done.stderr
