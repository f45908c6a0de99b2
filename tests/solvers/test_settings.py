"""Flags come before environment variables, these before the file, the file before defaults."""

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress

import pytest
from typer.testing import CliRunner

from solvers.cli import settings
from solvers.cli.commands import app


@pytest.fixture(autouse=True)
def no_file_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "own_file", lambda: tmp_path / "own" / "config.toml")


@pytest.fixture
def file(tmp_path):
    """A file of settings, and the variable that names it."""

    def write(text, name="settings.toml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return {"SOLVERS_CONFIG": str(path)}

    return write


def shown(words=(), env=None):
    result = CliRunner().invoke(app, ["config", "--json", *words], env=env)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_without_anything_the_defaults_are_in_force():
    facts = shown()
    assert facts["file"] is None
    assert facts["settings"] == {
        "seed": {"value": 0, "from": "default"},
        "profile": {"value": "full", "from": "default"},
        "jobs": {"value": None, "from": "default"},
        "report": {"value": True, "from": "default"},
        "verbose": {"value": False, "from": "default"},
    }


@pytest.mark.parametrize(
    ("name", "flag", "variable", "entry"),
    [
        ("seed", (["--seed", "3"], 3), ("2", 2), ("1", 1)),
        ("profile", (["--profile", "full"], "full"), ("quick", "quick"), ('"full"', "full")),
        ("jobs", (["--jobs", "3"], 3), ("2", 2), ("1", 1)),
        ("report", (["--report"], True), ("0", False), ("true", True)),
        ("verbose", (["--verbose"], True), ("0", False), ("true", True)),
    ],
)
def test_each_setting_is_taken_in_order_of_precedence(file, name, flag, variable, entry):
    env = file(f"{name} = {entry[0]}\n")
    fact = shown(env=env)["settings"][name]
    assert fact == {"value": entry[1], "from": f"file {env['SOLVERS_CONFIG']}"}
    variables = env | {f"SOLVERS_{name.upper()}": variable[0]}
    fact = shown(env=variables)["settings"][name]
    assert fact == {"value": variable[1], "from": f"environment, SOLVERS_{name.upper()}"}
    assert shown(flag[0], env=variables)["settings"][name] == {"value": flag[1], "from": "flag"}


def test_the_users_own_file_is_read_unless_another_is_named(file):
    file("seed = 4\n", name="own/config.toml")
    assert shown()["settings"]["seed"]["value"] == 4
    assert shown(env=file("seed = 5\n"))["settings"]["seed"]["value"] == 5
    assert shown(env={"SOLVERS_CONFIG": ""})["settings"]["seed"]["value"] == 0


def test_a_file_in_the_working_directory_is_not_read(file, tmp_path, monkeypatch):
    for name in ("solvers.toml", "config.toml"):
        file("seed = 4\n", name=name)
    monkeypatch.chdir(tmp_path)
    assert shown()["settings"]["seed"]["value"] == 0


def test_settings_reach_the_commands(file, passengers, tmp_path):
    env = file('seed = 5\nprofile = "quick"\nreport = false\njobs = 1\n')
    words = ["solve", str(passengers), "--out", str(tmp_path / "run"), "--seed", "6"]
    result = CliRunner().invoke(app, words, env=env)
    assert result.exit_code == 0, result.stderr
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert record["seed"] == 6
    assert record["settings"]["profile"]["name"] == "quick"
    assert record["settings"]["jobs"] == 1
    assert not (tmp_path / "run" / "report.html").exists()


def test_a_command_takes_only_its_own_settings(file, tmp_path):
    env = file('seed = 5\nprofile = "quick"\nreport = false\njobs = 1\nverbose = true\n')
    for name in ("grade", "report", "verify", "runs", "match", "list", "bench", "demo", "solve"):
        assert CliRunner().invoke(app, [name, "--help"], env=env).exit_code == 0
    # Here `report` is a file to be written.
    (tmp_path / "answers.csv").write_text("a,b\n", encoding="utf-8")
    words = ["grade", str(tmp_path / "none.csv"), "--answers", str(tmp_path / "answers.csv")]
    result = CliRunner().invoke(app, [*words, "--task", "spaceship-titanic"], env=env)
    assert result.exit_code == 4
    assert "Invalid value" not in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sed = 1\n", "there is no setting 'sed', only seed, profile, jobs, report, verbose"),
        ("[solve]\nseed = 1\n", "there is no setting 'solve'"),
        ("seed = -1\n", "seed is -1, expected a whole number of 0 or more"),
        ('seed = "1"\n', "seed is '1', expected a whole number of 0 or more"),
        ("seed = true\n", "seed is True, expected a whole number"),
        ('profile = "huge"\n', "profile is 'huge', expected full or quick"),
        ("jobs = 0\n", "jobs is 0, expected a whole number of 1 or more"),
        ("report = 1\n", "report is 1, expected true or false"),
        ("seed = \n", "it is not valid TOML"),
        (b"\xff\xfe", "it is not valid TOML"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_told_in_a_sentence(file, text, said):
    env = file(text)
    for words in (["config"], ["list"]):
        result = CliRunner().invoke(app, words, env=env)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"solvers: The settings in '{env['SOLVERS_CONFIG']}'")
        assert said in result.stderr
        assert result.stdout == ""


def test_a_file_that_is_named_and_not_there_is_told(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path):
        result = CliRunner().invoke(app, ["list"], env={"SOLVERS_CONFIG": str(path)})
        assert result.exit_code == 2
        assert f"The settings in '{path}' cannot be used" in result.stderr


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SEED", "x", "a whole number of 0 or more"),
        ("SEED", "-1", "a whole number of 0 or more"),
        ("JOBS", "0", "a whole number of 1 or more"),
        ("PROFILE", "fast", "full or quick"),
        ("VERBOSE", "maybe", "true or false"),
        ("REPORT", "2", "true or false"),
    ],
)
def test_a_variable_that_says_what_cannot_be_is_told_in_a_sentence(name, value, expected):
    env = {f"SOLVERS_{name}": value}
    result = CliRunner().invoke(app, ["config"], env=env)
    assert result.exit_code == 2
    assert result.stderr == (
        f"solvers: The environment variable SOLVERS_{name} is {value!r}, expected {expected}. "
        f"Correct or unset it, or give --{name.lower()}.\n"
    )
    assert CliRunner().invoke(app, ["list"], env=env).exit_code == 0


@pytest.mark.parametrize(
    ("flag", "value", "expected"),
    [("--seed", "x", "a whole number of 0"), ("--jobs", "0", "a whole number of 1"),
     ("--profile", "fast", "full or quick")],
)  # fmt: skip
def test_a_flag_that_says_what_cannot_be_is_told(flag, value, expected):
    result = CliRunner().invoke(app, ["config", flag, value], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert f"Invalid value for {flag}: expected {expected}" in result.stderr


def test_the_table_names_where_each_comes_from(file):
    result = CliRunner().invoke(app, ["config"], env=file("seed = 3\n") | {"COLUMNS": "200"})
    assert "file: " in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if "seed" in line]
    assert " 3 " in line
    assert "settings.toml" in line


def test_a_run_says_more_when_asked(passengers, tmp_path):
    words = ["solve", str(passengers), "--out", str(tmp_path / "run"), "--profile", "quick"]
    result = CliRunner().invoke(app, [*words, "--verbose", "--jobs", "1", "--no-report"])
    assert result.exit_code == 0
    fits = [line for line in result.stderr.splitlines() if line.startswith("debug: fit (model=")]
    assert len(fits) == 3 * 3


def on_a_terminal(env):
    """Run ``solvers --help`` on a terminal and return what it was sent."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "solvers.cli", "--help"],
        stdout=theirs, stderr=theirs, env=kept | {"TERM": "xterm-256color"} | env,
    )  # fmt: skip
    os.close(theirs)
    sent = b""
    with suppress(OSError):  # how Linux tells that the other end is closed
        while part := os.read(ours, 65536):
            sent += part
    os.close(ours)
    assert process.wait() == 0
    return sent


def test_no_color_is_honoured():
    colour = re.compile(rb"\x1b\[[0-9;]*3[0-7]m")
    assert colour.search(on_a_terminal({}))
    assert not colour.search(on_a_terminal({"NO_COLOR": "1"}))
