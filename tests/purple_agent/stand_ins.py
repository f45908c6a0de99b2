"""Stand-ins for the baseline and the agent, named in the settings of a service under test."""

import shutil
import subprocess
import sys
import time

import signatures
from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.candidates import Candidate
from purple_agent.work.telling import Telling


def _write(folder: TaskFolder, name: str, value: str) -> Candidate:
    sample = signatures.find(folder.data).sample
    assert sample is not None
    target = folder.path / name / "submission.csv"
    target.parent.mkdir(exist_ok=True)
    with sample.open() as source:
        header, *rows = source.read().decode().splitlines()
    lines = [header, *(f"{row.split(',')[0]},{value}" for row in rows)]
    target.write_text("\n".join(lines) + "\n")
    return Candidate(target, 0.5, f"a stand-in that says {value}")


def baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    telling.say("Running tool: validate_submission")
    return _write(folder, "baseline", "0.25")


def no_baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    msg = f"a secret in {folder.path}"
    raise RuntimeError(msg)


def slow_baseline(folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
    """Start a process that outlives a careless kill, in a session of its own, and take long."""
    code = "import time; time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    (folder.path / "child.pid").write_text(str(child.pid))
    first = _write(folder, "baseline", "0.25")
    time.sleep(600)
    return first


def no_agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> None:
    return None


def good_agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate:
    better = _write(folder, "agent", "0.75")
    return Candidate(better.submission, 0.9, "a better score")


def bad_agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate:
    worse = _write(folder, "agent", "0.1")
    return Candidate(worse.submission, 0.4, "a worse score")


def slow_agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate:
    time.sleep(600)
    return bad_agent(folder, order, telling, baseline)


def crashing_agent(
    folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
) -> Candidate:
    shutil.rmtree(folder.path / "agent", ignore_errors=True)
    msg = f"a secret in {folder.path}"
    raise RuntimeError(msg)
