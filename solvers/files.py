"""Write files so that nobody meets half of one."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside the place, then move: the old file, or the new one, and never half of it.

    The permissions of a file that is replaced stay; what is half written is a hidden file.

    Raises
    ------
    OSError
        If it cannot be written; what was there is still there.
    """
    target = path.resolve()
    half = target.with_name(f".{target.name}.{os.getpid()}")
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        with half.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            half.chmod(target.stat().st_mode & 0o7777)
        os.replace(half, target)
    finally:
        half.unlink(missing_ok=True)


def append_line(path: Path, line: str) -> None:
    """Add a line to a file; half a line at its end, which a kill may leave, is left alone.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    with path.open("ab+") as stream:
        torn = False
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            torn = stream.read(1) != b"\n"
        stream.write((b"\n" if torn else b"") + line.encode("utf-8") + b"\n")
