"""The table in a README: what is between two markers is written anew, and nothing else."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from signatures import RunFolderError
from signatures.wording import quoted
from solvers.bench.cells import plain
from solvers.files import write_whole

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
# A marker is a line by itself; a text may speak of it.
_LINE = re.compile(
    rb"^[ \t]*(?P<marker>" + re.escape(BEGIN).encode() + b"|" + re.escape(END).encode() + rb")"
    rb"[ \t]*(?P<ending>\r\n|\n|\Z)",
    re.MULTILINE,
)


def check(path: Path) -> None:
    """Make sure that a file can be rewritten, before there is anything to write.

    Raises
    ------
    RunFolderError
        If it is not there, cannot be written to, or its markers are not one pair in order.
    """
    _between(path, _read(path))
    mode = path.stat().st_mode
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise RunFolderError(str(path), "is read-only", _OTHER)
    if not os.access(path.resolve().parent, os.W_OK):
        raise RunFolderError(str(path), "lies in a folder that cannot be written to", _OTHER)


_OTHER = "Name another file with --readme."
# The head and the rule below it are the first two lines of the table.
_FIRST_CELL = re.compile(rb"^\| (?P<cell>[^|]*) \|", re.MULTILINE)


def refuse_loss(path: Path, names: Iterable[str]) -> None:
    """Refuse a bench whose table would lack a task that the table in the file has.

    A table is that of one bench: rows of other code or seeds are not carried over.

    Raises
    ------
    RunFolderError
        Naming the tasks that would be lost; also as `check` does.
    """
    content = _read(path)
    begin, end, _ = _between(path, content)
    cells = [match["cell"].decode() for match in _FIRST_CELL.finditer(content[begin:end])][2:]
    kept = {plain(name) for name in names}
    if lost := sorted(set(cells) - kept):
        problem = f"has a table with {quoted(lost)}, which this bench lacks and would remove"
        cure = (
            "Give these datasets too, and the --out of the bench that solved them: what is "
            "finished there is not solved again. Or delete their rows by hand first."
        )
        raise RunFolderError(str(path), problem, cure)


def rewrite(path: Path, block: str) -> None:
    """Put `block` between the markers, with the file's own line endings; as a whole or not at all.

    Raises
    ------
    RunFolderError
        As `check` does; the file may have changed since.
    """
    content = _read(path)
    begin, end, ending = _between(path, content)
    lines = block.strip("\n").split("\n")
    middle = b"".join(line.encode("utf-8") + ending for line in lines)
    check(path)
    write_whole(path, content[:begin] + middle + content[end:])


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise RunFolderError(str(path), problem, _OTHER) from error


def _between(path: Path, content: bytes) -> tuple[int, int, bytes]:
    """Find where the old block begins and ends, and the line ending of the first marker."""
    found = list(_LINE.finditer(content))
    begins = [match for match in found if match["marker"] == BEGIN.encode()]
    ends = [match for match in found if match["marker"] == END.encode()]
    problem = ""
    for marker, matches in ((BEGIN, begins), (END, ends)):
        if len(matches) != 1:
            number = "no line" if not matches else f"{len(matches)} lines"
            problem = problem or f"has {number} {marker}, expected one"
    if not problem and ends[0].start() < begins[0].start():
        problem = f"has {END} before {BEGIN}"
    if problem:
        cure = f"Put the two lines around the table: {BEGIN} before it and {END} after it."
        raise RunFolderError(str(path), problem, cure)
    return begins[0].end(), ends[0].start(), begins[0]["ending"]
