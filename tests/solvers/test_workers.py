import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solvers import workers as module
from solvers.workers import NoWorkersError, WorkerLostError, Workers, usable_cpus


def double(number):
    return 2 * number


def process_of(pause):
    time.sleep(pause)
    return os.getpid()


def end_the_process():
    os._exit(1)


def fail():
    return {}["no such thing"]


def ends(process):
    """Tell whether a process is gone, or only waits to be reaped, within ten seconds."""
    stat = Path(f"/proc/{process}/stat")
    for _ in range(100):
        try:
            os.kill(process, 0)
            if stat.exists() and stat.read_text(encoding="utf-8").rpartition(") ")[2][0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_call_is_answered(jobs):
    with Workers(jobs) as workers:
        results = list(workers.run(double, [(number,) for number in range(20)]))
    assert sorted(results) == [2 * number for number in range(20)]


def test_one_job_is_this_process():
    with Workers(1) as workers:
        assert set(workers.run(process_of, [(0,)] * 3)) == {os.getpid()}


def test_two_jobs_are_two_other_processes():
    with Workers(2) as workers:
        processes = set(workers.run(process_of, [(0.2,)] * 6))
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_processes_end_with_the_block_whatever_they_are_at():
    with Workers(2) as workers:
        calls = workers.run(process_of, [(0.3,)] * 50)
        process = next(calls)
    assert ends(process)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_call_is_raised_here(jobs):
    with Workers(jobs) as workers, pytest.raises(KeyError, match="no such thing"):
        list(workers.run(fail, [()]))


def test_a_process_that_is_ended_from_outside_is_told_in_a_sentence():
    with Workers(2) as workers, pytest.raises(WorkerLostError, match="with 2 at work"):
        list(workers.run(end_the_process, [()] * 4))


def test_where_no_process_can_be_started_the_way_out_is_told(monkeypatch):
    def refused(*arguments, **options):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(module, "ProcessPoolExecutor", refused)
    with pytest.raises(NoWorkersError, match="--jobs 1"), Workers(2):
        pass


def test_processes_end_when_their_parent_is_killed(tmp_path):
    code = """
import sys, time
from solvers.workers import Workers
from tests.solvers.test_workers import process_of
with Workers(2) as workers:
    calls = workers.run(process_of, [(0.1,)] * 1000)
    print(next(calls), next(calls), next(calls), flush=True)
    time.sleep(60)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    children = {int(word) for word in parent.stdout.readline().split()}
    parent.kill()
    parent.communicate()
    assert children
    assert all(ends(child) for child in children)


def test_usable_cpus_are_no_more_than_there_are():
    assert 1 <= usable_cpus() <= os.cpu_count()
