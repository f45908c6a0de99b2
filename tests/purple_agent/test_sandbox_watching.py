"""What is used without being seen: files without a name, and folders that nobody can look into."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from pathlib import Path

import pytest

from purple_agent.sandbox import Limits
from purple_agent.sandbox.watching import DEEPEST, PATIENCE, Watch

NOBODY = 65534
LIMITS = Limits(disk_mb=4, memory_mb=500, processes=20)
MB8 = 8 * 2**20


@pytest.fixture
def work():
    """A work folder of an ordinary user, as whom the test goes on: root can look into anything."""
    top = Path(tempfile.mkdtemp(prefix="watched"))
    (top / "work").mkdir()
    (top / "sockets").mkdir()
    root = os.geteuid() == 0
    if root:
        for path in (top, top / "work", top / "sockets"):
            os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield top / "work"
    if root:
        os.seteuid(0)
    subprocess.run(["chmod", "-R", "u+rwX", str(top)], check=False)
    shutil.rmtree(top, ignore_errors=True)


@contextmanager
def watching(work, code="", limits=LIMITS):
    """Run code in the folder, then watch it while it does nothing."""
    code = textwrap.dedent(code) + "\nprint('ready', flush=True)\nimport time; time.sleep(60)"
    user = NOBODY if os.getuid() == 0 else None
    # The interpreter of the system: a user of no rights may not reach ours.
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    if user is not None:
        os.seteuid(0)  # to be allowed to start a process of another user
    process = subprocess.Popen(
        [python, "-I", "-c", code], cwd=work, stdout=subprocess.PIPE, user=user
    )
    if user is not None:
        os.seteuid(NOBODY)
    try:
        assert process.stdout.readline() == b"ready\n"
        yield Watch(process.pid, work, work.parent / "sockets", limits, skipped=work / "data")
    finally:
        if user is not None:
            os.seteuid(0)
        process.kill()
        process.wait()
        process.stdout.close()
        if user is not None:
            os.seteuid(NOBODY)


OPEN = f"""
import os
f = open('a', 'wb'); os.unlink('a'); f.write(b'x' * {MB8}); f.flush()
"""
MAPPED = f"""
import mmap, os
f = open('a', 'wb+'); f.write(b'x' * {MB8}); f.flush()
m = mmap.mmap(f.fileno(), {MB8}); os.unlink('a'); f.close()
"""
BY_A_CHILD = f"""
import subprocess, sys
p = subprocess.Popen([sys.executable, '-c', {OPEN + "print(1, flush=True); input()"!r}],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
p.stdout.readline()
"""


@pytest.mark.parametrize("code", [OPEN, MAPPED, BY_A_CHILD], ids=["open", "mapped", "a child's"])
def test_file_without_a_name_is_counted_while_it_is_held(work, code):
    with watching(work, code) as watch:
        assert list(work.iterdir()) == []
        assert "MB, and 4 MB are allowed" in watch.look()


def test_file_in_memory_counts_as_memory(work):
    code = f"import os; f = os.memfd_create('a'); os.write(f, b'x' * 4 * {MB8})"
    with watching(work, code, Limits(disk_mb=4, memory_mb=30)) as watch:
        assert "of memory, and 30 MB are allowed" in watch.look()
    with watching(work, code) as watch:
        assert watch.look() == ""


def test_process_that_ends_may_not_be_looked_into_for_a_while(work):
    code = "import ctypes; ctypes.CDLL(None).prctl(4, 0)"  # no longer to be looked into
    with watching(work, code) as watch:
        looks = [watch.look() for _ in range(3 * PATIENCE)]
        assert not any(looks)
        assert "hides which files" in "".join(watch.look() for _ in range(3))


def lock(work, mode):
    folder = work / "closed"
    folder.mkdir()
    (folder / "a").write_bytes(b"x" * MB8)
    folder.chmod(mode)


@pytest.mark.parametrize("mode", [0o300, 0o600, 0o000])
def test_folder_that_cannot_be_looked_into_is_an_excess_and_removed(work, mode):
    lock(work, mode)
    (work / "kept").write_text("kept")
    with watching(work) as watch:
        assert watch.look() == "what it wrote to 'closed' cannot be counted"
        assert watch.make_room() == ["closed"]
        assert [path.name for path in work.iterdir()] == ["kept"]
        assert watch._disk() == ""


def test_work_folder_itself_is_opened_again_and_stays(work):
    lock(work, 0o300)
    (work / "kept").write_text("kept")
    work.chmod(0o300)
    with watching(work) as watch:
        assert "cannot be counted" in watch.look()
        assert watch.make_room() == ["closed"]
    assert [path.name for path in work.iterdir()] == ["kept"]


@pytest.mark.parametrize(("name", "depth"), [("d", 1200), ("d" * 250, 30)], ids=["many", "long"])
def test_folders_too_deep_to_be_counted_are_an_excess_and_removed(work, name, depth):
    before = os.open(".", os.O_RDONLY)
    os.chdir(work)
    for _ in range(depth):
        os.mkdir(name)
        os.chdir(name)
    os.fchdir(before)
    os.close(before)
    with watching(work) as watch:
        assert "cannot be counted" in watch.look()
        assert len(watch.make_room()) == 1
        assert watch._disk() == ""
    assert len(list(work.rglob("*"))) <= DEEPEST + 1


def test_folders_of_a_common_depth_and_the_data_are_no_excess(work):
    (work / "/".join("abcdefgh")).mkdir(parents=True)
    (work / "data").mkdir()
    (work / "data").chmod(0o300)
    with watching(work) as watch:
        assert watch.look() == ""


def test_folders_beyond_the_limit_are_removed_and_older_files_stay(work):
    (work / "kept").write_text("kept")
    os.utime(work / "kept", (1, 1))
    for n in range(30):
        (work / f"{n}" / "in it").mkdir(parents=True)
    with watching(work, limits=Limits(files=20)) as watch:
        assert "it made 61 files, and 20 are allowed" in watch.look()
        assert watch.make_room()
        assert watch._disk() == ""
    assert (work / "kept").read_text() == "kept"


def test_files_in_a_folder_that_is_closed_to_writing_are_removed(work):
    (work / "closed").mkdir()
    for n in range(30):
        (work / "closed" / f"{n}").write_text("x")
    (work / "closed").chmod(0o500)
    with watching(work, limits=Limits(files=20)) as watch:
        assert watch.make_room()
        assert watch._disk() == ""
