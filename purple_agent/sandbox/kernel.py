"""One Jupyter kernel in its walls, spoken to over sockets in a folder instead of the network."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from purple_agent.sandbox.errors import SandboxError
from purple_agent.sandbox.limits import MB, Limits
from purple_agent.sandbox.sockets import SocketFolder
from purple_agent.sandbox.walls import Walls

# What the kernel sends is not trusted. A larger message ends the link, and no more of them lie in
# our memory at one time: the rest waits in that of the sandbox.
LARGEST_MESSAGE, AT_ONCE = 64 * MB, 4
NAME = "sandbox"
GONE_SECONDS = 0.5  # for processes that were killed to be gone; a zombie may stay


class Kernel:
    """A kernel process; it is started once, and is gone after `kill`."""

    def __init__(self, walls: Walls, work: Path, folder: SocketFolder, limits: Limits) -> None:
        self._limits = limits
        self._folder = folder
        self._sockets = sockets = folder.path
        self._client: AsyncKernelClient | None = None
        self._dropping: list[asyncio.Future[None]] = []
        self._killing: asyncio.Future[None] | None = None
        self._cwd = str(work)
        self._environment = limits.environment(str(sockets))
        self._context = zmq.asyncio.Context()
        self._context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        self._context.setsockopt(zmq.RCVHWM, AT_ONCE)
        self._manager = AsyncKernelManager(
            kernel_name=NAME,
            kernel_spec_manager=_OneSpec(spec=_spec(walls, limits)),
            transport="ipc",
            connection_file=str(sockets / "c.json"),
            ip=str(sockets / "s"),
            context=self._context,
        )

    @property
    def pid(self) -> int:
        """The outermost process: bubblewrap, or the kernel where there are no walls."""
        provisioner = self._manager.provisioner
        return int(getattr(provisioner, "pid", 0) or 0)

    async def start(self) -> None:
        """Start it and wait until it answers.

        Raises
        ------
        SandboxError
            If it ends at once, or does not answer in time.
        """
        with (self._sockets / "log").open("wb") as log:
            await self._manager.start_kernel(
                env=self._environment, cwd=self._cwd, stdout=log, stderr=log
            )
        self._client = client = self._manager.client(context=self._context)
        client.start_channels(stdin=False, hb=False, control=False)
        try:
            await client.wait_for_ready(timeout=self._limits.start_seconds)
        except RuntimeError as error:
            said = (self._sockets / "log").read_text("utf-8", "replace").strip()[-500:]
            problem = f"the kernel did not start ({error}) {said}".strip()
            raise SandboxError(problem, "Look at what it said, or give it more time") from error
        self._drop()

    async def execute(self, code: str, take: Callable[[dict[str, Any]], None]) -> str:
        """Run a cell to its end, however long that takes; return "ok" or "error"."""
        assert self._client is not None
        await self._drop_no_more()
        try:
            reply = await self._client.execute_interactive(
                code, allow_stdin=False, output_hook=take
            )
        finally:
            self._drop()
        return str(reply["content"]["status"])

    def _drop(self) -> None:
        """Let go of what is sent while no cell runs: it is of none, and would pile up."""
        if self._client is not None and not self.is_going:
            channels = (self._client.iopub_channel, self._client.shell_channel)
            self._dropping = [asyncio.ensure_future(_dropped(c.socket)) for c in channels]

    async def _drop_no_more(self) -> None:
        for dropping in self._dropping:
            dropping.cancel()
        await asyncio.gather(*self._dropping, return_exceptions=True)
        self._dropping = []

    @property
    def is_going(self) -> bool:
        """Whether it is being killed, or was."""
        return self._killing is not None

    async def alive(self) -> bool:
        """Tell whether the process is still there."""
        return bool(await self._manager.is_alive())

    async def interrupt(self) -> None:
        """Ask the code that runs to stop."""
        await self._manager.interrupt_kernel()

    async def kill(self) -> None:
        """End all processes of the sandbox, and remove its sockets; once, whoever asks."""
        if self._killing is None:
            self._killing = asyncio.ensure_future(self._kill())
        await asyncio.shield(self._killing)

    async def _kill(self) -> None:
        below = _below(self.pid)
        await self._drop_no_more()
        if self._client is not None:
            self._client.stop_channels()
        # From within: the walls end with what is inside them, and clear it away. Without walls a
        # process may have left the group that is killed next.
        for process in below:
            with suppress(psutil.Error):
                process.kill()
        await asyncio.to_thread(psutil.wait_procs, below, timeout=GONE_SECONDS)
        with suppress(RuntimeError, OSError):
            await self._manager.shutdown_kernel(now=True)
        self._context.destroy(linger=0)
        self._folder.remove()


def _spec(walls: Walls, limits: Limits) -> KernelSpec:
    # -P and -s: a file json.py in the work folder, or in a home folder, is no part of the kernel.
    python = [
        sys.executable, "-P", "-s", "-m", "ipykernel_launcher", "-f", "{connection_file}",
        "--HistoryManager.enabled=False", "--InteractiveShell.colors=NoColor",
    ]  # fmt: skip
    argv = [*walls.prefix, *limits.launch(python, count_processes=walls.closed)]
    return KernelSpec(
        argv=argv, display_name=NAME, language="python", env={}, interrupt_mode="message"
    )


async def _dropped(socket: zmq.asyncio.Socket) -> None:
    while True:
        await socket.recv_multipart(copy=False)
        await asyncio.sleep(0)  # a flood keeps the loop from nothing else


class _OneSpec(KernelSpecManager):  # type: ignore[misc, unused-ignore]
    """Knows the kernel of the sandbox, and none that is installed."""

    def __init__(self, *, spec: KernelSpec) -> None:
        super().__init__()
        self._spec = spec

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the one kernel there is."""
        return self._spec


def _below(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error, ValueError):
        return psutil.Process(pid).children(recursive=True) if pid else []
    return []
