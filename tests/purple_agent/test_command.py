"""The command ``serve``, which `solvers` knows by its entry point only."""

import subprocess
import sys

import pytest

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
    assert "serve" in done.stdout
    assert done.stdout.strip().endswith("False")


def test_solvers_name_no_package_that_is_built_on_them():
    for path in (ROOT / "solvers").rglob("*.py"):
        assert "purple_agent" not in path.read_text(encoding="utf-8"), path


def test_help_of_the_command_is_its_own():
    done = run("serve", "--help")
    assert done.returncode == 0
    assert "Serve as an A2A agent" in done.stdout
    assert "Usage: solvers.cli serve" in done.stdout.replace("python -m ", "")


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
