"""The agent as the fallback of `solvers.solve`."""

import os
import subprocess
import sys
import tarfile

import pytest

from purple_agent.llm import AgentError, fallback
from signatures import KnownTaskError, UnknownTaskError
from solvers import solve
from tests.purple_agent.scripted import (
    KEY,
    SUBMIT,
    garden,
    need_bubblewrap,
    run,
    say,
    serving,
)

VARIABLES = ("MODEL_NAME", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENROUTER_API_KEY")


@pytest.fixture
def bare(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def set_up(bare, server):
    bare.setenv("MODEL_NAME", "scripted")
    bare.setenv("OPENAI_BASE_URL", server.url)
    bare.setenv("OPENAI_API_KEY", KEY)
    bare.setenv("SOLVERS_AGENT_NUDGES", "1")


def test_without_a_model_the_error_says_what_to_set(bare, tmp_path):
    with pytest.raises(KnownTaskError, match="Set MODEL_NAME"):
        solve(garden(tmp_path / "garden"), out=tmp_path / "run", fallback=fallback, report=False)


def test_wrong_setting_is_named(bare, tmp_path):
    bare.setenv("SOLVERS_AGENT_ITERATIONS", "many")
    with pytest.raises(AgentError, match="SOLVERS_AGENT_ITERATIONS cannot be used: expected"):
        solve(garden(tmp_path / "garden"), out=tmp_path / "run", fallback=fallback, report=False)


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_unknown_task_is_answered_and_its_evidence_kept(bare, tmp_path, packed):
    need_bubblewrap()
    path = garden(tmp_path / "garden")
    if packed:
        path = tmp_path / "garden.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.add(tmp_path / "garden", "home/data")
    code = SUBMIT.replace("data/test.csv", "data/home/data/test.csv") if packed else SUBMIT
    with serving(run(code), say("That is it.")) as server:
        set_up(bare, server)
        solution = solve(path, out=tmp_path / "run", fallback=fallback, report=False)
    assert solution.route == "agent"
    assert solution.submission.read_text().startswith("bed_id,yield")
    assert (tmp_path / "run" / "fallback" / "events.jsonl").exists()


def test_no_valid_submission_is_an_error_with_a_sentence(bare, tmp_path):
    need_bubblewrap()
    with serving(say("I would rather not.")) as server:
        set_up(bare, server)
        with pytest.raises(AgentError, match="No valid submission came of the agent"):
            solve(
                garden(tmp_path / "garden"), out=tmp_path / "run", fallback=fallback, report=False
            )


def test_known_errors_are_those_of_the_package():
    assert issubclass(AgentError, KnownTaskError)
    assert not issubclass(AgentError, UnknownTaskError)


def test_agent_is_imported_without_the_protocol():
    code = "import sys, purple_agent.llm; print([m for m in sys.modules if m.startswith('a2a')])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.stdout == "[]\n"
