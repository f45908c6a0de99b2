"""The image, the manifest and the example: what they name is there, and the lock is installed."""

import inspect
import json
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from purple_agent.command import serve
from purple_agent.sandbox import bubblewrap

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, each as its word and its arguments."""
    text = (DEPLOY / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    pairs = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(word.strip(), " ".join(rest.split())) for word, _, rest in pairs]


def of(instructions, word):
    return [rest for name, rest in instructions if name == word]


def test_base_is_pinned_to_a_version_that_is_supported(instructions):
    for base in of(instructions, "FROM"):
        found = re.match(r"python:(3\.\d+)\.\d+-slim-\w+( AS build)?$", base)
        assert found, base
        assert found[1] in ("3.11", "3.12", "3.13")


def test_lock_is_what_is_installed_and_nothing_else(instructions):
    (libraries, project) = (run for run in of(instructions, "RUN") if "pip install" in run)
    assert "--require-hashes --requirement /build/requirements.lock" in libraries
    assert project.endswith("--no-deps --no-build-isolation /build")
    assert not re.search(r"[<>]|==", libraries + project)


def test_what_is_copied_exists_and_is_not_ignored(instructions):
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for copied in of(instructions, "COPY"):
        if copied.startswith("--from"):
            continue
        for source in copied.split()[:-1]:
            assert (ROOT / source).exists()
            assert f"!{source}" in ignored


def test_nothing_runs_as_root(instructions):
    words = [word for word, _ in instructions]
    assert of(instructions, "USER") == ["agent"]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "--uid 10001" in " ".join(of(instructions, "RUN"))


def test_what_the_agent_calls_is_in_the_image(instructions):
    last = max(n for n, (word, _) in enumerate(instructions) if word == "FROM")
    runs = " ".join(of(instructions[last:], "RUN"))
    installed = " ".join(re.findall(r"apt-get install ([^&]*)", runs)).split()
    packages = {"bwrap": "bubblewrap", "tini": "tini"}  # as Debian names them
    called = {bubblewrap.PROGRAM, json.loads(of(instructions, "ENTRYPOINT")[0])[0]}
    assert {packages[program] for program in called} <= set(installed)
    assert "libgomp1" in installed  # LightGBM's wheel needs it


def test_example_names_the_security_options_that_bubblewrap_needs():
    """Those of docs/agent.md, commented out: without a model they only weaken the walls."""
    page = (ROOT / "docs" / "agent.md").read_text()
    (paragraph,) = re.findall(r"^Bubblewrap needs user namespaces.*?(?:\n\n|\Z)", page, re.M | re.S)
    named = set(re.findall(r"[a-z]+=unconfined", paragraph))
    compose = (DEPLOY / "compose.yaml").read_text()
    assert len(named) == 3
    assert set(re.findall(r"^      # - (\S+)$", compose, re.M)) == named
    assert "\n      - no-new-privileges:true\n" in compose


def test_entry_point_is_a_command_with_those_options(instructions):
    (entry,) = of(instructions, "ENTRYPOINT")
    words = json.loads(entry)
    assert words[:4] == ["tini", "--", "solvers", "serve"]
    assert "tini" in " ".join(of(instructions, "RUN"))
    (command,) = entry_points(group="known_task_solvers.commands", name="serve")
    assert command.load() is serve
    options = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters}
    assert {word for word in words[4:] if word.startswith("--")} <= options


def test_health_is_asked_where_the_agent_answers(instructions, service):
    (check,) = of(instructions, "HEALTHCHECK")
    assert "http://127.0.0.1:8080/healthz" in check
    assert of(instructions, "EXPOSE") == ["8080"]
    assert service.get("/healthz").status_code == 200


def test_manifest_starts_what_the_image_starts_and_needs_no_key(instructions):
    manifest = json.loads((DEPLOY / "amber-manifest.json5").read_text())
    assert manifest["program"]["entrypoint"] == json.loads(of(instructions, "ENTRYPOINT")[0])
    assert manifest["config_schema"]["required"] == []
    for value in manifest["program"]["env"].values():
        assert value["when"].removeprefix("config.") in manifest["config_schema"]["properties"]
    (endpoint,) = manifest["program"]["network"]["endpoints"]
    assert str(endpoint["port"]) in of(instructions, "EXPOSE")
    assert manifest["provides"]["a2a"]["endpoint"] == endpoint["name"]
    assert manifest["metadata"]["participant_roles"] == ["agent"]


def test_no_image_is_the_latest_one_and_no_address_is_named():
    for path in DEPLOY.iterdir():
        text = path.read_text()
        assert ":latest" not in text
        assert not re.search(r"https?://(?!127\.0\.0\.1)", text), path


def test_example_keeps_tasks_and_answers_this_machine_only():
    text = (DEPLOY / "compose.yaml").read_text()
    assert '"127.0.0.1:8080:8080"' in text
    assert "tasks:/var/lib/solvers" in text
    assert "dockerfile: deploy/Dockerfile" in text
