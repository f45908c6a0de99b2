"""The files that a run reads, told apart from others by their digests."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from signatures import REGISTRY, Bundle, Member
from signatures.side_files import read_all, select

Files = Mapping[str, Mapping[str, str]]


def of_inputs(bundle: Bundle, task: str | None) -> dict[str, Any]:
    """Name every file that was used, with its SHA-256; for an archive, its own too.

    The files that the task reads beside its tables have one digest together.
    """
    files: dict[str, Any] = {}
    for role in ("train", "test", "sample", "description"):
        member = getattr(bundle, role)
        if member is not None:
            with member.open() as stream:
                digest = sha256_of_stream(stream)
            files[role] = {"name": member.name, "sha256": digest}
    side = REGISTRY[task].side if task is not None and task in REGISTRY else ()
    if found := select(bundle.members, side):
        files["side"] = {"name": f"{len(found)} files", "sha256": _sha256_of_all(found)}
    record: dict[str, Any] = {"path": str(bundle.path), "files": files}
    if bundle.is_archive:
        record["archive_sha256"] = sha256_of_file(Path(bundle.path))
    return record


def _sha256_of_all(members: Sequence[Member]) -> str:
    """Digest files by name, in whatever order they are read."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in read_all(members)}
    text = json.dumps([digests[member.name] for member in members])
    return hashlib.sha256(text.encode()).hexdigest()


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
