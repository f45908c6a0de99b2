"""What happens to code that takes too long, too much, or its own kernel away."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from purple_agent.sandbox import Limits, Output, Sandbox
from purple_agent.sandbox.cells import LINK_SECONDS
from purple_agent.sandbox.sockets import PREFIX, SocketFolder
from tests.purple_agent.scripted import need_bubblewrap
from tests.purple_agent.test_sandbox_walls import outputs

LIMITS = Limits(
    cell_seconds=30, grace_seconds=0.5, memory_mb=500, processes=20, disk_mb=60, file_mb=40,
    output_mb=1, shown=1000,
)  # fmt: skip
STUBBORN = "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass"
MANY = "import subprocess\np = [subprocess.Popen(['sleep', '60']) for _ in range(200)]"


@pytest.fixture(autouse=True)
def _bubblewrap():
    need_bubblewrap()


@pytest.fixture(scope="module")
def one_after_another(tmp_path_factory):
    """Outcomes of cells that each end badly, in one sandbox, with one that looks around after."""
    need_bubblewrap()
    folder = tmp_path_factory.mktemp("limits")
    cells = {
        "set": "x = 5; open('kept.txt', 'w').write('kept')",
        "drip": ("import time\nwhile True: time.sleep(0.1); print('x', end='')", 1.0),
        "after drip": "print(x)",
        "no newline": "print('x', end='')",
        "after no newline": "print('third')",
        "exit": "exit()",
        "sys.exit": "import sys; sys.exit(3)",
        "after exits": "print(x)",
        "os._exit": "import os; os._exit(1)",
        "after os._exit": "print('x' in globals(), open('kept.txt').read())",
        "50 MB": "print('y' * 50_000_000)",
        "after 50 MB": "print('fine')",
        "too large": "b = bytearray(20 * 2**30)",
        "large file": "open('large', 'wb').write(b'x' * 45 * 2**20)",
        "input": "input()",
    }
    results, _ = outputs(folder, *cells.values(), limits=LIMITS)
    return dict(zip(cells, results, strict=True)) | {"folder": folder}


def test_time_is_counted_for_the_cell_and_not_for_each_line(one_after_another):
    text, outcome = one_after_another["drip"]
    assert outcome.status == "interrupted"
    assert outcome.seconds < 9
    assert text.startswith("xxx")


def test_variables_are_kept_after_an_interrupt(one_after_another):
    assert one_after_another["after drip"][0].strip() == "5"
    assert "kept" in one_after_another["drip"][1].note


def test_output_without_newline_ends_at_once_and_shifts_nothing(one_after_another):
    text, outcome = one_after_another["no newline"]
    assert (text, outcome.status) == ("x", "ok")
    assert outcome.seconds < 5
    assert one_after_another["after no newline"][0] == "third\n"


def test_exit_and_sys_exit_do_not_end_the_kernel(one_after_another):
    assert one_after_another["after exits"][0].strip() == "5"


def test_dead_kernel_is_replaced_and_the_loss_told(one_after_another):
    outcome = one_after_another["os._exit"][1]
    assert outcome.status == "killed"
    assert "variables and imports are lost" in outcome.note
    assert one_after_another["after os._exit"][0].strip() == "False kept"


def test_50_mb_of_output_are_cut_on_the_screen_and_on_disk(one_after_another):
    text, outcome = one_after_another["50 MB"]
    assert outcome.status == "ok"
    assert len(text) < 1100
    assert "49,999,001 characters cut" in text
    assert (one_after_another["folder"] / "10.out").stat().st_size < 1.1 * 2**20
    assert one_after_another["after 50 MB"][0] == "fine\n"


def test_allocation_beyond_reason_is_an_error_of_the_code(one_after_another):
    assert "MemoryError" in one_after_another["too large"][0]


def test_file_beyond_its_limit_is_an_error_of_the_code(one_after_another):
    assert "File too large" in one_after_another["large file"][0]


def test_question_to_a_person_is_an_error_and_no_wait(one_after_another):
    assert "StdinNotImplementedError" in one_after_another["input"][0]


def test_code_that_ignores_the_interrupt_is_killed(tmp_path):
    results, _ = outputs(tmp_path, (STUBBORN, 1.0), "print('new')", limits=LIMITS)
    assert results[0][1].status == "killed"
    assert "lost" in results[0][1].note
    assert results[1][0] == "new\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (f"{MANY}\nimport time; time.sleep(20)", "processes, and 20 are allowed"),
        (
            "b = bytearray(9 * 10**8)\nfor i in range(0, len(b), 4096): b[i] = 1\n"
            "import time; time.sleep(20)",
            "of memory, and 500 MB are allowed",
        ),
        (
            "for n in range(9): open(f'{n}', 'wb').write(b'x' * 20 * 2**20)\n"
            "import time; time.sleep(20)",
            "and 60 MB are allowed; removed were",
        ),
        (
            "import os, time\nfor n in range(9):\n    f = globals()[f'f{n}'] = open(f'{n}', 'wb')\n"
            "    os.unlink(f'{n}'); f.write(b'x' * 20 * 2**20); f.flush()\ntime.sleep(20)",
            "and 60 MB are allowed",
        ),
    ],
    ids=["processes", "memory", "disk", "disk without a name"],
)
def test_too_much_ends_the_kernel_and_the_next_one_works(tmp_path, code, reason):
    results, _ = outputs(tmp_path, code, "print('new')", limits=LIMITS)
    assert results[0][1].status == "killed"
    assert reason in results[0][1].note
    assert results[1][0] == "new\n"
    used = sum(f.lstat().st_blocks * 512 for f in (tmp_path / "tasks/mine/work").glob("*"))
    assert used < 60 * 2**20


def test_no_process_and_no_socket_is_left(tmp_path, monkeypatch):
    sockets = tmp_path / "s"
    sockets.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(sockets))
    outputs(tmp_path, f"{MANY[:-6]}2)]", limits=LIMITS)
    assert list(sockets.iterdir()) == []
    names = [child.name() for child in psutil.Process().children(recursive=True)]
    assert "bwrap" not in names
    assert "sleep" not in names


def test_folder_of_an_owner_that_was_killed_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code = (
        "import sys, tempfile, time\ntempfile.tempdir = sys.argv[1]\n"
        "from purple_agent.sandbox.sockets import SocketFolder\n"
        "f = SocketFolder(); print(f.path, flush=True); time.sleep(60)"
    )
    mine = tmp_path / f"{PREFIX}not-a-folder"
    mine.write_text("stays")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as owner:
        theirs = Path(owner.stdout.readline().strip())
        os.utime(theirs, (0, 0))
        live = SocketFolder()
        os.utime(live.path, (0, 0))
        assert theirs.exists()  # its owner lives
        owner.kill()
    SocketFolder().remove()
    assert not theirs.exists()
    assert live.path.exists()
    live.remove()
    live.remove()
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]


def test_background_work_between_cells_is_watched_too(tmp_path):
    late = (
        "import threading, time\ndef grow():\n    time.sleep(0.3)\n    global b\n"
        "    b = bytearray(9 * 10**8)\n    for i in range(0, len(b), 4096): b[i] = 1\n"
        "threading.Thread(target=grow).start()"
    )
    results, _ = outputs(tmp_path, late, "time.sleep(20)", "print('new')", limits=LIMITS)
    assert [outcome.status for _, outcome in results].count("killed") == 1
    assert any("of memory" in outcome.note for _, outcome in results)


def test_short_output_is_shown_whole_and_long_output_by_its_ends(tmp_path):
    limits = Limits(shown=10)
    with Output(tmp_path / "o", limits) as output:
        for piece in ("abc", "defgh", "ij"):
            output.add(piece)
        assert output.shown() == "abcdefghij"
        output.add("klm")
        assert output.shown() == "abcde\n[... 3 characters cut ...]\nijklm"
    assert (tmp_path / "o").read_text() == "abcdefghijklm"


FLOOD = """
import sys, threading, time
def flood():
    time.sleep(0.2)
    for _ in range(30):
        sys.stdout.write("y" * 10_000_000); sys.stdout.flush()
    open("done", "w").close()
threading.Thread(target=flood).start()
"""
NONSENSE = """
from ipykernel.kernelapp import IPKernelApp
IPKernelApp.instance().iopub_socket.send_multipart([b"stream", b"<IDS|MSG>", b"", *[b"{}"] * 4])
"""


def test_output_between_cells_does_not_pile_up_in_our_memory(tmp_path):
    (tmp_path / "data").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    me = psutil.Process()

    async def go():
        async with Sandbox(tmp_path / "data", work, LIMITS) as sandbox:
            with Output(tmp_path / "0.out", LIMITS) as output:
                await sandbox.run(FLOOD, output)
            before, most = me.memory_info().rss, 0
            while not (work / "done").exists():
                await asyncio.sleep(0.02)
                most = max(most, me.memory_info().rss - before)
            with Output(tmp_path / "1.out", LIMITS) as output:
                await sandbox.run("print('next')", output)
            return most, output.shown()

    most, shown = asyncio.run(asyncio.wait_for(go(), 60))
    assert most < 150 * 2**20
    assert shown == "next\n"


def test_message_that_makes_no_sense_ends_the_kernel_at_once(tmp_path):
    results, _ = outputs(tmp_path, NONSENSE, "print('new')", limits=LIMITS)
    assert results[0][1].status == "killed"
    assert "The link to the kernel broke" in results[0][1].note
    assert results[0][1].seconds < LINK_SECONDS / 2
    assert results[1][0] == "new\n"
