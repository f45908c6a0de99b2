"""What code in the sandbox can see and reach: its own two folders, and nothing else."""

import ast
import asyncio
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from purple_agent.sandbox import Limits, Output, Sandbox, SandboxError, bubblewrap
from tests.purple_agent.scripted import need_bubblewrap

HOME = pwd.getpwuid(os.getuid()).pw_dir
LIMITS = Limits(cell_seconds=20, grace_seconds=0.5, memory_mb=1500, processes=30, start_seconds=60)


def outputs(tmp_path, *cells, limits=LIMITS, otherwise="refuse"):
    """Run cells in one sandbox; return what each printed, with its outcome.

    A cell is its code, or its code and how many seconds it may run.
    """
    data, work = tmp_path / "tasks" / "mine" / "data", tmp_path / "tasks" / "mine" / "work"
    for folder in (data, work):
        folder.mkdir(parents=True, exist_ok=True)
    (data / "train.csv").write_text("a,b\n1,2\n")

    async def go():
        results = []
        async with Sandbox(data, work, limits, otherwise=otherwise) as sandbox:
            for number, cell in enumerate(cells):
                code, seconds = (cell, None) if isinstance(cell, str) else cell
                with Output(tmp_path / f"{number}.out", limits) as output:
                    outcome = await sandbox.run(code, output, seconds=seconds)
                results.append((output.shown(), outcome))
        return results, sandbox.record

    return asyncio.run(go())


@pytest.fixture(scope="module")
def listener():
    """A port of this machine, outside the sandbox, with the connections it got."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.2)
    got, stop = [], threading.Event()

    def accept():
        while not stop.is_set():
            with suppress(TimeoutError):
                got.append(server.accept()[0])

    thread = threading.Thread(target=accept)
    thread.start()
    yield server.getsockname()[1], got
    stop.set()
    thread.join()
    server.close()
    for connection in got:
        connection.close()


@pytest.fixture(scope="module")
def seen(tmp_path_factory, listener):
    """What each attempt printed; all are made in one sandbox, since it takes a while to start."""
    need_bubblewrap()
    tmp_path = tmp_path_factory.mktemp("walls")
    (tmp_path / "tasks" / "other").mkdir(parents=True)
    (tmp_path / "tasks" / "other" / "answers.csv").write_text("secret-of-another-task")
    home = tmp_path / "home"
    home.mkdir()
    (home / "notes.txt").write_text("secret-of-home")
    patch = pytest.MonkeyPatch()
    patch.setenv("OPENAI_API_KEY", "sk-secret-of-the-environment")
    patch.setenv("HOME", str(home))
    attempts = {
        "environment": "import os; print(dict(os.environ))",
        "environments": (
            "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n"
            "    try: print(p, open(p).read())\n    except OSError as e: print(e)"
        ),
        "processes": "print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()))",
        "home": f"print(open({str(home / 'notes.txt')!r}).read())",
        "real home": f"print(os.path.isdir({HOME!r}) and os.listdir({HOME!r}))",
        "parent": "print(sorted(os.listdir('..')), sorted(os.listdir('/work')))",
        "other task": f"print(open({str(tmp_path / 'tasks/other/answers.csv')!r}).read())",
        "users": "print(open('/etc/passwd').read())",
        "shadow": "print(os.path.exists('/etc/shadow'), os.path.exists('/var/log'))",
        "loopback": f"import socket; socket.create_connection(('127.0.0.1', {listener[0]}), 2)",
        "far": "socket.create_connection(('192.0.2.1', 80), 2)",
        "read data": "print(open('data/train.csv').read())",
        "delete data": "import shutil; shutil.rmtree('data')",
        "write data": "open('data/train.csv', 'w')",
        "write root": "open('/x', 'w')",
        "write dev": "open('/dev/x', 'w')",
        "write usr": "open('/usr/x', 'w')",
        "write python": "import sys; open(os.path.join(sys.prefix, 'x'), 'w')",
        "fill memory": "open('/dev/shm/x', 'wb').write(b'x' * 100 * 2**20)",
        "namespace": "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))",
        "rights": "print([l for l in open('/proc/self/status') if l[:5] in ('CapEf', 'NoNew')])",
        "suid": "print(os.setuid(0))",
        "write work": "print(open('mine.txt', 'w').write('kept'))",
    }
    results, record = outputs(tmp_path, *attempts.values(), limits=Limits(
        cell_seconds=20, memory_mb=1500, temporary_mb=64))  # fmt: skip
    patch.undo()
    texts = {name: text for name, (text, _) in zip(attempts, results, strict=True)}
    return texts | {"record": record, "folder": tmp_path}


def test_walls_are_recorded(seen):
    assert seen["record"] == "bubblewrap"


def test_environment_of_ours_is_not_seen(seen):
    assert "OMP_NUM_THREADS" in seen["environment"]
    assert "secret" not in seen["environment"] + seen["environments"]


def test_processes_outside_are_not_seen(seen):
    assert str(os.getpid()) not in seen["processes"].strip("[]\n").split(", ")
    assert len(seen["processes"].split(",")) < 6


@pytest.mark.parametrize("place", ["home", "other task", "users"])
def test_files_outside_are_not_there(seen, place):
    assert "FileNotFoundError" in seen[place]
    assert "secret" not in seen[place]


def test_real_home_shows_at_most_the_way_to_this_python(seen):
    found = ast.literal_eval(seen["real home"]) or []
    prefixes = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    ways = [path.relative_to(HOME).parts[0] for path in prefixes if path.is_relative_to(HOME)]
    assert set(found) <= set(ways)


def test_no_secrets_of_the_system_are_there(seen):
    assert seen["shadow"].strip() == "False False"


def test_parent_folder_holds_no_other_task(seen):
    assert "tasks" not in seen["parent"]
    assert "other" not in seen["parent"]


@pytest.mark.parametrize("where", ["loopback", "far"])
def test_no_network(seen, listener, where):
    assert "Error" in seen[where]
    assert listener[1] == []


@pytest.mark.parametrize(
    "what",
    ["delete data", "write data", "write root", "write dev", "write usr", "write python"],
)
def test_nothing_but_the_work_folder_can_be_written(seen, what):
    assert "Read-only file system" in seen[what]
    assert (seen["folder"] / "tasks/mine/data/train.csv").read_text() == "a,b\n1,2\n"


def test_work_folder_can_be_written(seen):
    assert (seen["folder"] / "tasks/mine/work/mine.txt").read_text() == "kept"


def test_data_can_be_read(seen):
    assert "a,b\n1,2" in seen["read data"]


def test_memory_file_systems_are_bounded(seen):
    assert "No space left" in seen["fill memory"]


def test_there_are_no_rights_to_gain(seen):
    assert "CapEff:\\t0000000000000000" in seen["rights"]
    assert "NoNewPrivs:\\t1" in seen["rights"]
    assert seen["namespace"].strip() == "-1"
    assert "OSError" in seen["suid"]  # there is no user 0


def test_without_bubblewrap_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.setattr(bubblewrap, "PROGRAM", "no-such-program")
    with pytest.raises(SandboxError, match=r"not installed.*WITHOUT_BUBBLEWRAP"):
        outputs(tmp_path, "print(1)")


def test_bubblewrap_that_is_not_allowed_says_why(tmp_path, monkeypatch):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bubblewrap, "PROGRAM", str(program))
    with pytest.raises(SandboxError, match="No permissions"):
        outputs(tmp_path, "print(1)")


def test_limits_alone_are_recorded_and_keep_environment_and_data(tmp_path, monkeypatch):
    monkeypatch.setattr(bubblewrap, "PROGRAM", "no-such-program")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-environment")
    results, record = outputs(
        tmp_path,
        "import os, shutil; print(dict(os.environ)); shutil.rmtree('data')",
        "import subprocess, time; p = [subprocess.Popen(['sleep', '60']) for _ in range(60)]\n"
        "time.sleep(20)",
        otherwise="limits",
    )
    assert record == "limits only: the program no-such-program is not installed"
    assert "secret" not in results[0][0]
    assert (tmp_path / "tasks/mine/data/train.csv").exists()
    assert results[1][1].status == "killed"


def test_packages_of_ours_are_hidden_where_they_are_installed(monkeypatch):
    root = Path(bubblewrap.__file__).parents[2]
    assert "--tmpfs" not in bubblewrap._interpreter()
    monkeypatch.setattr("sys.prefix", str(root))
    shown = bubblewrap._interpreter()
    hidden = [shown[at + 1] for at, word in enumerate(shown) if word == "--tmpfs"]
    assert hidden == [str(root / name) for name in ("purple_agent", "signatures", "solvers")]


def test_sandbox_dies_with_a_process_that_is_killed(tmp_path):
    need_bubblewrap()
    for name in ("data", "work"):
        (tmp_path / name).mkdir()
    code = (
        "import asyncio, pathlib, sys\n"
        "from purple_agent.sandbox import Limits, Sandbox\n"
        "async def go():\n"
        "    top = pathlib.Path(sys.argv[1])\n"
        "    async with Sandbox(top / 'data', top / 'work', Limits()):\n"
        "        print('ready', flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(go())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        below = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
    assert below
    psutil.wait_procs(below, timeout=5)
    assert not [one for one in below if one.is_running() and one.status() != "zombie"]
