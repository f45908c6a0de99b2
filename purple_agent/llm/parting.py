"""The data as the sandbox sees them: without the answers of the rows on which we count a score.

The training table lacks those rows; they lie beside it as test does, without what is to be
predicted. No other file is shown that may hold their answers: no table with a column that only
train has, and nothing of which a look at a header does not tell all. What a table calls by another
name, or a file's name gives away, is not found out. Code that runs without walls can still find the
data.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from signatures import Bundle, BundleError, Member, read_header
from signatures.members import PACKINGS
from solvers.baseline.contest import Contest
from solvers.sample_keys import letters

HELD_BACK = "held_back.csv"
_FLAT = ("csv", "tsv")  # a header says all of their columns; in other formats tables may nest
# Pictures, sounds and texts for people: what they show is for the model to find out.
_SHOWN = frozenset(
    {".bmp", ".dcm", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
    | {".flac", ".mp3", ".mp4", ".ogg", ".wav"}
    | {".html", ".md", ".pdf"}
)


@dataclass(frozen=True)
class Parted:
    """The data without the answers of the rows that are held back.

    Attributes
    ----------
    folder : Path
        Holds them.
    contest : Contest
        Knows the rows.
    rows : str
        The file of these rows, by its name in the folder.
    left_out : tuple of str
        Files that are not there.
    """

    folder: Path
    contest: Contest
    rows: str
    left_out: tuple[str, ...]


def part(bundle: Bundle, contest: Contest, folder: Path) -> Parted:
    """Write the data to a folder that does not exist yet; nothing in `bundle` is changed.

    Raises
    ------
    BundleError
        If a file of the data cannot be read.
    """
    assert bundle.train is not None
    train = PurePosixPath(_unpacked(bundle.train)).with_suffix(".csv")
    rows = train.with_name(HELD_BACK)
    for name, table in ((train, contest.shown), (rows, contest.held_back)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(path, index=False, lineterminator="\n")
    left_out = []
    roles = (bundle.test, bundle.sample, bundle.description)
    for member in bundle.members:
        role = next((one for one in roles if one is not None and one.name == member.name), None)
        if role is not None:
            _write(role, folder / _unpacked(role))
        elif member.name != bundle.train.name and _is_clear(member, contest.hidden):
            _show(bundle, member, folder / member.name)
        elif member.name != bundle.train.name:
            left_out.append(member.name)
    return Parted(folder, contest, str(rows), tuple(left_out))


def _unpacked(member: Member) -> str:
    """Name a table as it is called once it is unpacked: nothing else that a zip holds is shown."""
    name = member.name.removesuffix(member.packing) if member.packing in PACKINGS else member.name
    if member.inner and not PurePosixPath(name).suffix:
        name += PurePosixPath(member.inner).suffix
    return name


def _is_clear(member: Member, hidden: frozenset[str]) -> bool:
    """Tell a file that cannot hold the answers from one that may."""
    if PurePosixPath(member.name).name == HELD_BACK:
        return False
    if member.format not in _FLAT or member.packing == ".zip":
        return PurePosixPath(member.name).suffix.lower() in _SHOWN
    try:
        columns = {letters(name) for name in read_header(member).columns}
    except BundleError:
        return False
    return columns.isdisjoint(map(letters, hidden))


def _write(member: Member, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with member.open() as source, path.open("wb") as target:
        shutil.copyfileobj(source, target)


def _show(bundle: Bundle, member: Member, path: Path) -> None:
    """Let a file be seen, without a copy where the disk knows how."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link((bundle.path / member.name).resolve(strict=True), path)
    except OSError:
        with member.source.open() as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
