"""A bundle as the folder that a sandbox can show, whatever it was handed over as."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from purple_agent.removal import remove
from signatures import Bundle, BundleError


@contextmanager
def as_folder(bundle: Bundle) -> Iterator[Path]:
    """Yield the folder, or one for the block into which an archive's files are written."""
    if not bundle.is_archive:
        yield bundle.path
        return
    top = Path(tempfile.mkdtemp(prefix="data")).resolve()
    try:
        for member in bundle.members:
            path = (top / member.name).resolve()
            if not path.is_relative_to(top):
                raise BundleError(member.where, "leads out of its archive", "Pack it again")
            path.parent.mkdir(parents=True, exist_ok=True)
            with member.source.open() as source, path.open("xb") as target:
                shutil.copyfileobj(source, target)
        yield top
    finally:
        remove(top)  # an archive may hold folders as deep as Python does not go
