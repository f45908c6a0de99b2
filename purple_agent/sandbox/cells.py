"""Runs cells in a sandbox: within bounds, and with a new kernel after one that has died."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from purple_agent.sandbox import bubblewrap, walls
from purple_agent.sandbox.errors import SandboxError
from purple_agent.sandbox.kernel import Kernel
from purple_agent.sandbox.limits import Limits
from purple_agent.sandbox.output import Output
from purple_agent.sandbox.sockets import SocketFolder
from purple_agent.sandbox.walls import Otherwise
from purple_agent.sandbox.watching import INTERVAL, Watch

Status = Literal["ok", "error", "interrupted", "killed"]
LINK_SECONDS = 10.0
LOST = "All variables and imports are lost; the files are still there."


@dataclass(frozen=True)
class Outcome:
    """How a cell ended.

    Attributes
    ----------
    status : {"ok", "error", "interrupted", "killed"}
        After "killed" the kernel was a new one.
    note : str
        What whoever wrote the cell has to know, or an empty string.
    seconds : float
        How long it ran.
    """

    status: Status
    note: str
    seconds: float


class Sandbox:
    """A work folder, a data folder that is only read, and a kernel that runs code in them.

    Parameters
    ----------
    data, work : Path
        Existing folders. Code sees the first as ``data`` in the second, where it starts.
    otherwise : {"refuse", "limits"}
        What to do where bubblewrap cannot be used.
    """

    def __init__(
        self, data: Path, work: Path, limits: Limits, *, otherwise: Otherwise = "refuse"
    ) -> None:
        self._data = data.resolve()
        self._work = work.resolve()
        self._limits = limits
        self._otherwise = otherwise
        self.record = ""  # which walls there are, once they stand

    async def __aenter__(self) -> Self:
        """Build the walls and start the kernel.

        Raises
        ------
        SandboxError
            If either cannot be done.
        """
        await self._start()
        return self

    async def __aexit__(self, *error: object) -> None:
        """End all that runs in the sandbox, even where the caller is being cancelled."""
        await asyncio.shield(self._stop())

    async def run(self, code: str, output: Output, *, seconds: float | None = None) -> Outcome:
        """Run one cell.

        Parameters
        ----------
        output : Output
            Takes what the cell prints.
        seconds : float, optional
            How long it may run, if that is less than the limit.
        """
        began = time.monotonic()
        if self._ended.done():
            before = f"Before this cell the kernel was lost: {self._ended.result()}. {LOST}"
            await self._restart()
            return Outcome("killed", f"{before} This cell was not run.", 0.0)
        most = min(seconds or self._limits.cell_seconds, self._limits.cell_seconds)
        cell = asyncio.ensure_future(self._kernel.execute(code, output.take))
        try:
            status, note = await self._wait(cell, most)
        finally:
            cell.cancel()
            await asyncio.gather(cell, return_exceptions=True)
        return Outcome(status, note, round(time.monotonic() - began, 3))

    async def _wait(self, cell: asyncio.Future[str], most: float) -> tuple[Status, str]:
        await self._either(cell, most)
        late = not cell.done() and not self._ended.done()
        if late:
            await self._kernel.interrupt()
            await self._either(cell, self._limits.grace_seconds)
        if cell.done() and (cell.cancelled() or cell.exception() is not None):
            # The link broke. That the kernel has gone, or is just being killed, is soon known; of
            # one that is there and sends nonsense there is nothing to wait for.
            if self._kernel.is_going or not await self._kernel.alive():
                await self._either(self._ended, LINK_SECONDS)
            if not self._ended.done():
                await self._restart()
                return "killed", f"The link to the kernel broke. {LOST}"
        if self._ended.done():
            note = f"The kernel was lost: {self._ended.result()}. {LOST}"
            await self._restart()
            return "killed", note
        if not cell.done():
            await self._restart()
            return "killed", f"Stopped after {most:g} s, and killed: it went on. {LOST}"
        if late:
            return "interrupted", f"Interrupted after {most:g} s. The variables are kept."
        return ("ok", "") if cell.result() == "ok" else ("error", "")

    async def _either(self, cell: asyncio.Future[str], seconds: float) -> None:
        await asyncio.wait(
            {cell, self._ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )

    async def _start(self) -> None:
        folder = SocketFolder()
        sockets = folder.path
        try:
            built = await asyncio.to_thread(
                walls.build,
                self._data, self._work, sockets, self._limits, otherwise=self._otherwise,
            )  # fmt: skip
        except BaseException:
            folder.remove()
            raise
        self.record = built.record
        self._kernel = Kernel(built, self._work, folder, self._limits)
        try:
            await self._kernel.start()
        except BaseException:
            await self._kernel.kill()
            raise
        self._watch = Watch(
            self._kernel.pid,
            self._work,
            sockets,
            self._limits,
            skipped=self._work / bubblewrap.DATA,
        )
        self._ended = asyncio.ensure_future(self._guard(self._kernel, self._watch))

    async def _guard(self, kernel: Kernel, watch: Watch) -> str:
        """Return why the kernel is no more, as soon as it is so."""
        while await kernel.alive():
            if reason := await asyncio.to_thread(watch.look):
                await kernel.kill()
                removed = await asyncio.to_thread(watch.make_room)
                rest = f"; removed were {', '.join(removed[:5])}" if removed else ""
                return f"{reason}{rest}"
            await asyncio.sleep(INTERVAL)
        return "its process ended"

    async def _stop(self) -> None:
        self._ended.cancel()
        await asyncio.gather(self._ended, return_exceptions=True)
        await self._kernel.kill()

    async def _restart(self) -> None:
        await self._stop()
        try:
            await self._start()
        except SandboxError:
            await asyncio.to_thread(self._watch.make_room)
            raise
