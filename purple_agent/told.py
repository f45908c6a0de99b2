"""What a worker tells the service, line by line in a file that outlives both."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

PAUSE = 0.1  # seconds between two looks at the file

Kind = Literal["stage", "progress", "answer", "refused", "failed", "done"]


class Told(BaseModel):
    """One thing that a worker tells.

    Attributes
    ----------
    kind : str
        ``"stage"`` and ``"progress"``: what is being done; ``"answer"``: a submission, better than
        those before it; ``"refused"``: what arrived cannot be worked on; ``"failed"`` and
        ``"done"``: the end.
    text : str
        A sentence for who sent the task; no path and no traceback.
    file : str
        The submission, relative to the task's folder.
    route, reason : str
        How an answer came about, and why that way.
    """

    kind: Kind
    text: str = ""
    file: str = ""
    route: str = ""
    reason: str = ""


async def tail(path: Path, start: int, ended: Callable[[], bool]) -> AsyncIterator[Told]:
    """Yield what is told in a file from byte `start` on, until it has `ended`."""
    position, over = start, False
    while not over:
        over = ended()  # asked first: what was written before the end is read all the same
        data = _after(path, position)
        whole = data[: data.rfind(b"\n") + 1]
        position += len(whole)
        for line in whole.splitlines():
            try:
                yield Told.model_validate_json(line)
            except ValidationError:
                continue  # half a line that a kill has left
        if not over:
            await asyncio.sleep(PAUSE)


def size_of(path: Path) -> int:
    """Say how long a file is; 0 if it is not there."""
    return path.stat().st_size if path.exists() else 0


def _after(path: Path, position: int) -> bytes:
    try:
        with path.open("rb") as stream:
            stream.seek(position)
            return stream.read()
    except FileNotFoundError:
        return b""
