import os
import time

import pytest

from solvers.workers import WorkerLostError, Workers, usable_cpus


def double(number):
    return 2 * number


def process_of(pause):
    time.sleep(pause)
    return os.getpid()


def end_the_process():
    os._exit(1)


def fail():
    return {}["no such thing"]


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
    for _ in range(100):
        if not os.path.exists(f"/proc/{process}/cmdline"):
            return
        time.sleep(0.05)
    pytest.fail(f"process {process} is still there")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_call_is_raised_here(jobs):
    with Workers(jobs) as workers, pytest.raises(KeyError, match="no such thing"):
        list(workers.run(fail, [()]))


def test_a_process_that_is_ended_from_outside_is_told_in_a_sentence():
    with Workers(2) as workers, pytest.raises(WorkerLostError, match="with 2 at work"):
        list(workers.run(end_the_process, [()] * 4))


def test_usable_cpus_are_no_more_than_there_are():
    assert 1 <= usable_cpus() <= os.cpu_count()
