"""The output of one cell: its two ends in memory, the whole on disk up to a cap."""

from collections import deque
from pathlib import Path
from typing import Any, Self

from purple_agent.sandbox.limits import MB, Limits


class Output:
    """Takes the messages of a kernel and keeps what they print.

    Parameters
    ----------
    path : Path
        Where the whole is written; it is closed at the end of the ``with`` block.
    room : int, optional
        How many bytes are kept at most, if that is less than the limit.
    """

    def __init__(self, path: Path, limits: Limits, *, room: int | None = None) -> None:
        self.path = path
        self.n_characters = 0
        self._half = max(1, limits.shown // 2)
        self._head = ""
        self._tail: deque[str] = deque()
        self._tail_length = 0
        most = limits.output_mb * MB
        self._most = most if room is None else max(0, min(room, most))
        self._room = self._most

    def __enter__(self) -> Self:
        """Open the file."""
        self._file = self.path.open("wb")
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file, and say in it where its end is missing."""
        with self._file as file:
            if self._room < 0:
                file.write(b"\n[the rest was not kept]\n")

    @property
    def kept(self) -> int:
        """How many bytes are on disk."""
        return min(self._most, self._most - self._room)

    def take(self, message: dict[str, Any]) -> None:
        """Take one message of the kernel's output channel."""
        content = message["content"]
        kind = message["header"]["msg_type"]
        if kind == "stream":
            self.add(str(content.get("text", "")))
        elif kind in ("execute_result", "display_data"):
            self.add(str(content.get("data", {}).get("text/plain", "")) + "\n")
        elif kind == "error":
            self.add("\n".join(map(str, content.get("traceback", ()))) + "\n")

    def add(self, text: str) -> None:
        """Keep a piece of text."""
        self.n_characters += len(text)
        data = text.encode("utf-8", "backslashreplace")
        if self._room >= 0:
            self._file.write(data[: self._room])
            self._room -= len(data)
        missing = self._half - len(self._head)
        self._head += text[:missing]
        self._keep(text[missing:][-self._half :])

    def _keep(self, text: str) -> None:
        if not text:
            return
        self._tail.append(text)
        self._tail_length += len(text)
        while self._tail_length - len(self._tail[0]) >= self._half:
            self._tail_length -= len(self._tail.popleft())

    def shown(self) -> str:
        """Return the output, its middle cut out if it is long."""
        tail = "".join(self._tail)[-self._half :]
        cut = self.n_characters - len(self._head) - len(tail)
        if cut <= 0:
            return self._head + tail
        return f"{self._head}\n[... {cut:,} characters cut ...]\n{tail}"
