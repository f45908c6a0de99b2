"""A table in a README: what is between its two markers is written anew, and nothing else."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from signatures import RunFolderError
from signatures.wording import quoted
from solvers.bench.cells import plain
from solvers.files import write_whole

_OTHER = "Name another file with --readme."
_NAME = re.compile(r"[a-z0-9-]*")
# The head and the rule below it are the first two lines of the table.
_FIRST_CELL = re.compile(rb"^\| (?P<cell>[^|]*) \|", re.MULTILINE)


@dataclass(frozen=True)
class Table:
    """The table of one bench in a file that people read, between two lines that mark it.

    Attributes
    ----------
    path : Path
        The file.
    name : str
        Tells the tables of one file apart, each of a bench of its own; in lower case.

    Raises
    ------
    ValueError
        If the name has other characters than letters, digits and hyphens.
    """

    path: Path
    name: str = ""

    def __post_init__(self) -> None:
        """Look at the name, which stands inside a comment."""
        if not _NAME.fullmatch(self.name):
            msg = f"{self.name!r} cannot name a table: use lower-case letters, digits and hyphens"
            raise ValueError(msg)

    @property
    def markers(self) -> tuple[str, str]:
        """The lines before and after the table."""
        name = f" {self.name}" if self.name else ""
        return f"<!-- bench:begin{name} -->", f"<!-- bench:end{name} -->"

    def check(self) -> None:
        """Make sure that the file can be rewritten, before there is anything to write.

        Raises
        ------
        RunFolderError
            If it is not there, cannot be written to, or its markers are not one pair in order.
        """
        self._between(self._read())
        mode = self.path.stat().st_mode
        if not mode & 0o222 or not os.access(self.path, os.W_OK):
            raise RunFolderError(str(self.path), "is read-only", _OTHER)
        if not os.access(self.path.resolve().parent, os.W_OK):
            raise RunFolderError(
                str(self.path), "lies in a folder that cannot be written to", _OTHER
            )

    def refuse_loss(self, names: Iterable[str]) -> None:
        """Refuse a bench whose table would lack a task that the table in the file has.

        A table is that of one bench: rows of other code or seeds are not carried over.

        Raises
        ------
        RunFolderError
            Naming the tasks that would be lost; also as `check` does.
        """
        content = self._read()
        begin, end, _ = self._between(content)
        cells = [match["cell"].decode() for match in _FIRST_CELL.finditer(content[begin:end])][2:]
        kept = {plain(name) for name in names}
        if lost := sorted(set(cells) - kept):
            problem = f"has a table with {quoted(lost)}, which this bench lacks and would remove"
            cure = (
                "Give these datasets too, and the --out of the bench that solved them: what is "
                "finished there is not solved again. Or write another table, with --table NAME."
            )
            raise RunFolderError(str(self.path), problem, cure)

    def rewrite(self, block: str) -> None:
        """Put `block` between the markers, with the file's own line endings; whole or not at all.

        Raises
        ------
        RunFolderError
            As `check` does; the file may have changed since.
        """
        content = self._read()
        begin, end, ending = self._between(content)
        lines = block.strip("\n").split("\n")
        middle = b"".join(line.encode("utf-8") + ending for line in lines)
        self.check()
        write_whole(self.path, content[:begin] + middle + content[end:])

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
            raise RunFolderError(str(self.path), problem, _OTHER) from error

    def _between(self, content: bytes) -> tuple[int, int, bytes]:
        """Find where the old block begins and ends, and the line ending of the first marker."""
        begin, end = self.markers
        begins, ends = _lines(content, begin), _lines(content, end)
        problem = ""
        for marker, found in ((begin, begins), (end, ends)):
            if len(found) != 1:
                number = "no line" if not found else f"{len(found)} lines"
                problem = problem or f"has {number} {marker}, expected one"
        if not problem and ends[0].start() < begins[0].start():
            problem = f"has {end} before {begin}"
        if problem:
            cure = f"Put the two lines around the table: {begin} before it and {end} after it."
            raise RunFolderError(str(self.path), problem, cure)
        return begins[0].end(), ends[0].start(), begins[0]["ending"]


def _lines(content: bytes, marker: str) -> list[re.Match[bytes]]:
    """Find a marker where it is a line by itself; a text may speak of it."""
    line = rb"^[ \t]*" + re.escape(marker).encode() + rb"[ \t]*(?P<ending>\r\n|\n|\Z)"
    return list(re.finditer(line, content, re.MULTILINE))
