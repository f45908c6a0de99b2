"""What is kept of a run: traffic and events as JSON lines, cells as files and as one script."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from purple_agent.llm.script import as_script
from purple_agent.sandbox import Limits, Outcome, Output
from purple_agent.sandbox.limits import MB

EVENTS = "events.jsonl"
CELLS = "cells"
SCRIPT = "cells.py"
LONGEST = 2 * MB  # characters of one event


class Evidence:
    """Writes to the folder of one run.

    Parameters
    ----------
    out : Path
        The folder.
    secrets : tuple of str
        Texts that never reach the disk: an endpoint may repeat a key in its error.
    room_mb : int
        How much is written in all; then single events say only how long they were.
    """

    def __init__(self, out: Path, *, secrets: tuple[str, ...], room_mb: int) -> None:
        self._out = out
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 6)
        self._room = room_mb * MB
        self._began = time.monotonic()
        self._cells: list[tuple[str, Outcome]] = []
        (out / CELLS).mkdir(exist_ok=True)

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return len(self._cells)

    def hide(self, text: str) -> str:
        """Take all secrets out of a text."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return text

    def event(self, kind: str, **details: Any) -> None:
        """Write one event; `details` are JSON values."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        head = {"time": at, "seconds": round(time.monotonic() - self._began, 3), "event": kind}
        line = self.hide(json.dumps({**head, **details}, ensure_ascii=False, default=str))
        if len(line) > min(LONGEST, self._room):
            cut = line[: min(2000, max(0, self._room))]
            line = json.dumps({**head, "cut": cut, "characters": len(line)}, ensure_ascii=False)
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        self._room -= len(data)
        # Opened for each line: what was written is on its way to the disk if this process dies.
        with (self._out / EVENTS).open("ab") as file:
            file.write(data)

    def output(self, limits: Limits) -> Output:
        """Return what takes the output of the next cell."""
        path = self._out / CELLS / f"{self.n_cells + 1:03}.out"
        return Output(path, limits, room=self._room)

    def cell(self, code: str, outcome: Outcome, output: Output) -> int:
        """Keep a cell that has ended; return its number."""
        self._cells.append((code, outcome))
        number = self.n_cells
        (self._out / CELLS / f"{number:03}.py").write_text(code, "utf-8", "backslashreplace")
        self._room -= output.kept
        self.event(
            "cell",
            number=number,
            code=code,
            status=outcome.status,
            note=outcome.note,
            seconds=outcome.seconds,
            characters=output.n_characters,
            output=output.shown(),
            whole=f"{CELLS}/{output.path.name}",
        )
        script = as_script(self._cells)
        (self._out / SCRIPT).write_text(script, "utf-8", "backslashreplace")
        return number
