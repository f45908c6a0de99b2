"""Which roles a file's name lets it play."""

import re
from collections.abc import Callable, Iterable

from signatures.members import TABLES, Member, split

_SEPARATORS = re.compile(r"[-_. ]+")
TRAIN = ("train", "training")
TEST = ("test", "testing")
# A name with one of these words beside its own, as sample_train.csv has, is left alone.
_OTHER_ROLES = {*TRAIN, *TEST, "sample", "submission", "null"}


def may_be_table(member: Member) -> bool:
    """Tell whether a name is one of a table, or of a zip that may hold one."""
    _, format, packing = split(member.name)
    return format in TABLES or (not format and packing == ".zip")


def _words(member: Member) -> list[str]:
    return _SEPARATORS.split(split(member.name)[0])


def named(tables: Iterable[Member], names: tuple[str, ...]) -> list[list[Member]]:
    """Return the tables called by each of `names`, then those with one of them in their name."""
    tiers: list[list[Member]] = [[] for _ in (*names, "partly")]
    others = _OTHER_ROLES.difference(names)
    for member in tables:
        words = _words(member)
        if words in [[name] for name in names]:
            tiers[names.index(words[0])].append(member)
        elif not others.intersection(words) and set(names).intersection(words):
            tiers[-1].append(member)
    return tiers


def samples(tables: Iterable[Member]) -> list[list[Member]]:
    """Return the tables that may be the sample submission, the surest spelling first."""
    rules: tuple[Callable[[list[str]], bool], ...] = (
        lambda words: "".join(words) == "samplesubmission",
        lambda words: "".join(words) in ("gendersubmission", "submissionsample"),
        lambda words: "samplesubmission" in "".join(words),
        lambda words: words[-1] == "null",
        lambda words: "submission" in "".join(words),
    )
    tiers: list[list[Member]] = [[] for _ in rules]
    for member in tables:
        words = _words(member)
        place = next((place for place, rule in enumerate(rules) if rule(words)), None)
        if place is not None:
            tiers[place].append(member)
    if len({split(member.name)[0] for member in tiers[-1]}) > 1:
        tiers[-1] = []  # several of someone's own submissions, none of them the sample
    return tiers


def folder(member: Member) -> str:
    """Return the folder a file lies in."""
    return member.name.rpartition("/")[0]


def beside(member: Member, other: Member | None) -> bool:
    """Tell whether two files lie in one folder."""
    return other is not None and folder(member) == folder(other)


def description(members: Iterable[Member], train: Member | None) -> Member | None:
    """Return the text that explains the data: beside train, then description.md, then the rest."""
    found = [
        member
        for member in members
        if "description" in member.name.lower()  # quick, for there may be many thousand files
        and split(member.name)[1] == "text"
        and "".join(_words(member)) in ("description", "datadescription")
    ]
    found.sort(key=lambda member: (not beside(member, train), len(_words(member)), member.name))
    return found[0] if found else None
