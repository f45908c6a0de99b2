"""The command ``serve``, which `solvers` knows by its entry point only."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from solvers.cli.commands import app
from tests.purple_agent.service import ROOT


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "solvers.cli", *words], capture_output=True, text=True, cwd=ROOT
    )


def test_help_lists_the_command_and_does_not_import_it():
    code = (
        "import sys; sys.argv = ['solvers', '--help']\n"
        "from solvers.cli import main\n"
        "try: main()\n"
        "except SystemExit: print('purple_agent' in sys.modules or 'a2a' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    (line,) = (line for line in done.stdout.splitlines() if " serve " in line)
    assert "Serve as an A2A agent" in line
    assert done.stdout.strip().endswith("False")


def test_solvers_name_no_package_that_is_built_on_them():
    for path in (ROOT / "solvers").rglob("*.py"):
        assert "purple_agent" not in path.read_text(encoding="utf-8"), path


def test_help_of_the_command_is_its_own():
    done = run("serve", "--help")
    assert done.returncode == 0
    assert "Serve as an A2A agent" in done.stdout
    assert "Usage: solvers.cli serve" in done.stdout.replace("python -m ", "")


def test_help_shows_defaults_and_variables_and_fits_a_terminal():
    shown = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80
    flat = " ".join(shown.replace("│", " ").split())
    assert "SOLVERS_AGENT_PORT for --port" in flat
    assert "…" not in shown
    for default in ("127.0.0.1, this machine only", "8080", "agent-home", "do not"):
        assert f"default: ({default})" in flat


@pytest.mark.parametrize("words", [("--nonsense",), ("--port", "0"), ("--profile", "slow")])
def test_usage_errors_are_those_of_any_command(words):
    done = run("serve", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_missing_extra_says_how_it_is_installed():
    code = (
        "import sys; sys.modules['a2a'] = None; sys.argv = ['solvers', 'serve']\n"
        "from solvers.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert "'a2a' is needed" in done.stderr
    assert 'pip install "known-task-solvers[agent]"' in done.stderr
