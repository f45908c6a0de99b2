"""Files beside the tables, such as images: read in one pass, whatever they are packed in."""

import fnmatch
from collections import defaultdict
from collections.abc import Iterable, Iterator

from signatures.archive import TarSource, read_tar
from signatures.members import Member


def select(members: Iterable[Member], patterns: Iterable[str]) -> list[Member]:
    """Pick the files whose path ends in one of the shell patterns, by name.

    ``images/*.jpg`` is found at the top of a folder and deeper in an archive alike.
    """
    wanted = [pattern for one in patterns for pattern in (one, f"*/{one}")]
    return [m for m in members if any(fnmatch.fnmatchcase(m.name, one) for one in wanted)]


def read_all(members: Iterable[Member]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file.

    Those of a tar come in the order in which they lie there: it is unpacked once from start to
    end, and not once for each.

    Raises
    ------
    BundleError
        If one of them cannot be read.
    """
    of_tar: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        if isinstance(member.source, TarSource):
            of_tar[member.source.path].append(member)
            continue
        with member.open() as stream:
            yield member.name, stream.read()
    for path, inside in of_tar.items():
        yield from read_tar(path, inside)
