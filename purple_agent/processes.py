"""The process that works on a task: started, and ended with all that it has started."""

import asyncio
import os
import signal
import sys
from contextlib import suppress

import psutil

from purple_agent.task_folder import TaskFolder
from solvers.parent import VARIABLE

GRACE = 1.0  # seconds between asking and killing


async def start(folder: TaskFolder) -> asyncio.subprocess.Process:
    """Start the worker of a task, in a session of its own; its stderr goes to the task's log."""
    environment = {**os.environ, VARIABLE: str(os.getpid())}
    with folder.log.open("ab") as log:
        # -P: no module in the working directory takes the place of a library.
        return await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "purple_agent.work", str(folder.path),
            stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder.path,
            env=environment, start_new_session=True,
        )  # fmt: skip


async def stop(process: asyncio.subprocess.Process) -> None:
    """End a worker and everything below it: asked at first, killed after a second.

    Nothing is lost: a solver keeps each fit as soon as it has ended, and the folder of its run
    never holds half of anything.
    """
    if process.returncode is not None:
        return  # what it had started ends by itself, and its number may be another's by now
    family = _family(process.pid)
    _signal(family, signal.SIGTERM)
    _signal_group(process, signal.SIGTERM)
    deadline = asyncio.get_running_loop().time() + GRACE
    while any(map(_alive, family)) and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.05)
    _signal(family, signal.SIGKILL)
    _signal_group(process, signal.SIGKILL)
    await process.wait()


def _family(pid: int) -> list[psutil.Process]:
    """List a process and all below it, those in another session too."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _signal(family: list[psutil.Process], number: signal.Signals) -> None:
    for process in family:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)  # psutil makes sure that the id is still the same process


def _signal_group(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Reach what was started since the family was listed."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)


def _alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
