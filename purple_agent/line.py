"""The line in which tasks wait for their turn, first come, first served."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Told = Callable[[int], Awaitable[None]]


class FullError(Exception):
    """Nobody more may wait."""


class Line:
    """Lets so many in at once; the others wait and are told their place.

    Parameters
    ----------
    places : int
        How many may be in at once.
    longest : int
        How many may wait.
    """

    def __init__(self, places: int, longest: int) -> None:
        self.places, self.longest = places, longest
        self.inside = 0
        self._waiting: deque[asyncio.Event] = deque()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @property
    def full(self) -> bool:
        """Whether nobody more may wait."""
        return self.inside >= self.places and self.waiting >= self.longest

    @asynccontextmanager
    async def turn(self, told: Told, every: float, *, always: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn, and be in during the block.

        Parameters
        ----------
        told : function
            Called with the place in the line, 1 for who is next, at once and each `every` seconds.
        always : bool
            Whether to wait however long the line is, as who was in it before may.

        Raises
        ------
        FullError
            If the line is as long as it may be.
        """
        if self.full and not always:
            raise FullError
        if self.inside >= self.places or self._waiting:
            await self._wait(told, every)
        else:
            self.inside += 1
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, told: Told, every: float) -> None:
        called = asyncio.Event()
        self._waiting.append(called)
        try:
            while not called.is_set():
                await told(self._waiting.index(called) + 1)
                with suppress(TimeoutError):
                    await asyncio.wait_for(called.wait(), every)
        except BaseException:
            if called.is_set():  # called and leaving at once: the turn goes to the next
                self._leave()
            else:
                self._waiting.remove(called)
            raise

    def _leave(self) -> None:
        """Hand the place over to who is next, so that nobody who comes later takes it."""
        if self._waiting:
            self._waiting.popleft().set()
        else:
            self.inside -= 1
