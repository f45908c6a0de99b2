"""Which file is the training table, which the test table: found by name, wherever they lie."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from signatures.archive import list_archive
from signatures.errors import BundleError
from signatures.folder import list_folder
from signatures.members import PACKINGS, TABLES, Member, split
from signatures.reading import reading
from signatures.roles import TEST, TRAIN, beside, description, folder, may_be_table, named, samples
from signatures.wording import quoted


@dataclass(frozen=True)
class Bundle:
    """What was handed over, sorted by role.

    Attributes
    ----------
    path : Path
        The folder or archive.
    train, test, sample, description : Member or None
        The training and test tables, the sample submission and the text that explains them.
    members : tuple of Member
        All files by name, those without a role too, but no hidden ones.
    is_archive : bool
        Whether `path` is an archive.
    """

    path: Path
    train: Member | None
    test: Member | None
    sample: Member | None
    description: Member | None
    members: tuple[Member, ...]
    is_archive: bool


def find(path: str | Path) -> Bundle:
    """Find the tables in a folder or in an archive (tar, tar.gz, tar.bz2, tar.xz, zip).

    No table is read. A file plays a role by its name, in any case and under any compression:

    - train and test: ``train.csv``, else a name with that word in it, as ``train_v2.csv``;
    - sample: ``sample_submission.csv`` in its many spellings, ``gender_submission.csv``,
      ``*_null.csv``, else the only name with "submission" in it;
    - description: ``description.md``, ``data_description.txt``.

    Files that lie with the training table come first. Of one table in several forms, the plain
    one is taken, and of several formats the first of csv, tsv, parquet, jsonl and json.

    Raises
    ------
    BundleError
        If there is nothing at `path`, it cannot be read, or two files could play one role.
    """
    path = Path(path)
    is_archive = _is_file(path)
    members = list_archive(path) if is_archive else list_folder(path)
    tables = [member for member in members if may_be_table(member)]
    train = _pick(path, "training table", None, named(tables, TRAIN))
    return Bundle(
        path=path,
        train=train,
        test=_pick(path, "test table", train, named(tables, TEST)),
        sample=_pick(path, "sample submission", train, samples(tables)),
        description=description(members, train),
        members=members,
        is_archive=is_archive,
    )


def _is_file(path: Path) -> bool:
    """Tell a file from a folder, and both from what cannot be a bundle."""
    with reading(str(path)):
        if not path.exists():
            raise BundleError(str(path), "does not exist", "Check the path")
        if not path.is_dir() and not path.is_file():  # opening a pipe would wait for ever
            raise BundleError(
                str(path), "is neither a folder nor a file", "Hand over the dataset's folder"
            )
        return path.is_file()


def _pick(path: Path, role: str, train: Member | None, tiers: list[list[Member]]) -> Member | None:
    """Return the one table in the first tier that has any, looking beside the training table first.

    Raises
    ------
    BundleError
        If that tier has several.
    """
    near = [[member for member in tier if beside(member, train)] for tier in tiers]
    for tier in near + tiers:
        found = [member for form in _forms(tier) for member in _first_readable(form)]
        if len(found) > 1:
            names = [member.name for member in found]
            raise BundleError(
                str(path),
                f"holds {len(names):,} files that could be the {role}: {quoted(names)}",
                "Hand over the folder of one dataset, or keep one of these files in it",
            )
        if found:
            return found[0]
    return None


def _forms(tier: Iterable[Member]) -> list[list[Member]]:
    """Put together the files that hold one table in several forms: train.json and train.zip."""
    forms: defaultdict[tuple[str, str], list[Member]] = defaultdict(list)
    for member in tier:
        forms[folder(member), split(member.name)[0]].append(member)
    return list(forms.values())


def _first_readable(form: list[Member]) -> list[Member]:
    """Return the plainest of several forms, or two that are equally plain (Train.csv, train.csv).

    A zip counts if it holds one table. It is opened only when there is nothing plainer.
    """
    ranked: defaultdict[tuple[int, int], list[Member]] = defaultdict(list)
    for member in form:
        _, format, packing = split(member.name)
        rank = TABLES.index(format) if format in TABLES else len(TABLES)
        ranked[PACKINGS.index(packing) + 1 if packing else 0, rank].append(member)
    for equals in [ranked[rank] for rank in sorted(ranked)]:
        opened = [_look_inside(member) for member in equals]
        if found := [member for member in opened if member is not None]:
            return found
    return []


def _look_inside(member: Member) -> Member | None:
    """Return the member, with the table it holds if it is a zip, or None if it holds no table."""
    if split(member.name)[2] != ".zip":
        return member
    inner = member.find_inner()
    return replace(member, inner=inner) if inner else None
