"""Signs of life while something takes long."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


@asynccontextmanager
async def beating(beat: Callable[[], Awaitable[None]], every: float) -> AsyncIterator[None]:
    """Call a function each `every` seconds during the block."""

    async def repeat() -> None:
        while True:
            await asyncio.sleep(every)
            await beat()

    repeating = asyncio.create_task(repeat())
    try:
        yield
    finally:
        repeating.cancel()
