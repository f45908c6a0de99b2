"""Write files so that nobody meets half of one."""

import os
import shutil
from pathlib import Path

from signatures import RunFolderError


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


def drop_half_a_line(path: Path) -> None:
    """Cut off what an earlier sitting could not write to its end, if the file is there."""
    if path.exists():
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def refuse_another(path: Path, mark: bytes, option: str) -> None:
    """Refuse to write where something lies that is not what we write: it may be the user's work.

    Parameters
    ----------
    mark : bytes
        What each file that we write there has in its first 4,096 bytes.
    option : str
        Which option names another place.

    Raises
    ------
    RunFolderError
        If there is anything else, a device for one.
    """
    if not os.path.lexists(path):
        return
    problem = "is not a plain file"
    if path.is_file():
        with path.open("rb") as stream:
            if mark in stream.read(4096):
                return
        problem = "is there already, and is none of ours; it is left as it is"
    raise RunFolderError(str(path), problem, f"Choose another file with {option}.")
