import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from signatures import MissingDependencyError
from solvers import workers as module
from solvers.calls import CallFailedError, Calls, WorkerLostError
from solvers.workers import NoWorkersError, Workers, usable_cpus


def double(number):
    return 2 * number


def process_of(pause):
    time.sleep(pause)
    return os.getpid()


def end_the_process():
    os._exit(1)


def fail():
    return {}["no such thing"]


def lack():
    msg = "a_library"
    raise MissingDependencyError(msg)


def end_once(number, mark):
    """End the process the first time that it is asked for the fourth number."""
    if number == 3 and not Path(mark).exists():
        Path(mark).touch()
        os._exit(1)
    return number


def run(workers, function, arguments):
    return (result for result, _ in Calls(workers, function).run(arguments))


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
        results = list(run(workers, double, [(number,) for number in range(20)]))
    assert sorted(results) == [2 * number for number in range(20)]


def test_one_job_is_this_process():
    with Workers(1) as workers:
        assert set(run(workers, process_of, [(0,)] * 3)) == {os.getpid()}


def test_two_jobs_are_two_other_processes():
    with Workers(2) as workers:
        processes = set(run(workers, process_of, [(0.2,)] * 6))
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_processes_end_with_the_block_whatever_they_are_at():
    with Workers(2) as workers:
        calls = run(workers, process_of, [(0.3,)] * 50)
        process = next(calls)
    assert ends(process)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_here_after_a_second_try(jobs):
    told = []
    with Workers(jobs) as workers, pytest.raises(CallFailedError, match="no such thing") as caught:
        list(Calls(workers, fail, lambda *words: told.append(words)).run([()]))
    assert isinstance(caught.value.__cause__, KeyError)
    assert [(arguments, type(error)) for arguments, error in told] == [((), KeyError)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_raised_on_purpose_is_not_tried_again(jobs):
    told = []
    with Workers(jobs) as workers, pytest.raises(MissingDependencyError):
        list(Calls(workers, lack, lambda *words: told.append(words)).run([()]))
    assert told == []


def test_a_process_that_is_ended_from_outside_twice_is_told_in_a_sentence():
    with Workers(2) as workers, pytest.raises(WorkerLostError, match="with 2 at work"):
        list(run(workers, end_the_process, [()] * 4))


def test_a_process_that_is_ended_once_costs_no_result(tmp_path):
    calls = [(number, str(tmp_path / "mark")) for number in range(8)]
    told = []
    with Workers(2) as workers:
        answers = list(Calls(workers, end_once, lambda *words: told.append(words)).run(calls))
    assert sorted(result for result, _ in answers) == list(range(8))
    assert {attempts for _, attempts in answers} == {1, 2}
    assert 1 <= len(told) <= 3


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
from tests.solvers.test_workers import process_of, run
with Workers(2) as workers:
    calls = run(workers, process_of, [(0.1,)] * 1000)
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


def test_manager_of_a_pool_that_ends_is_not_heard_and_others_are(capfd, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    with Workers(2):
        pass
    for name in ("ExecutorManagerThread", "another"):
        thread = threading.Thread(target=lambda: {}[5], name=name)
        thread.start()
        thread.join()
    told = capfd.readouterr().err
    assert told.count("KeyError: 5") == 1
    assert "another" in told
