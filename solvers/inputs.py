"""The files that a run reads, told apart from others by their digests."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from signatures import Bundle

Files = Mapping[str, Mapping[str, str]]


def of_inputs(bundle: Bundle) -> dict[str, Any]:
    """Name every file that was used, with its SHA-256; for an archive, its own too."""
    files: dict[str, Any] = {}
    for role in ("train", "test", "sample", "description"):
        member = getattr(bundle, role)
        if member is not None:
            with member.open() as stream:
                digest = sha256_of_stream(stream)
            files[role] = {"name": member.name, "sha256": digest}
    record: dict[str, Any] = {"path": str(bundle.path), "files": files}
    if bundle.is_archive:
        record["archive_sha256"] = sha256_of_file(Path(bundle.path))
    return record


def changed_inputs(before: Files, now: Files) -> list[str]:
    """Name the roles whose file has other bytes, is gone, or has come; its name may be another."""
    digests = [{role: file["sha256"] for role, file in files.items()} for files in (before, now)]
    return [role for role in {**before, **now} if digests[0].get(role) != digests[1].get(role)]


def sha256_of_file(path: Path) -> str:
    """Digest a file's bytes."""
    with path.open("rb") as stream:
        return sha256_of_stream(stream)


def sha256_of_stream(stream: io.BufferedReader) -> str:
    """Digest a stream's bytes, a megabyte at a time."""
    return hashlib.file_digest(stream, "sha256").hexdigest()
