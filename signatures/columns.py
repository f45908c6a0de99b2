"""How the columns of a table differ from those a task expects."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from signatures.frozen import FrozenMap
from signatures.wording import counted, quoted, some

_SEPARATORS = re.compile(r"[\s_-]+")


def plain(name: str) -> str:
    """Return `name` without case, blanks, ``_`` and ``-``: equal for spellings of one column."""
    return _SEPARATORS.sub("", name).casefold()


@dataclass(frozen=True)
class Difference:
    """What sets two lists of columns apart. Each column is counted in one of the three only.

    Attributes
    ----------
    missing : tuple of str
        Expected, and not there under any spelling.
    unexpected : tuple of str
        There, and not expected under any spelling.
    respelled : FrozenMap
        Expected name to the name found: same letters, other case, blanks, ``_`` or ``-``.
    """

    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    respelled: FrozenMap[str] = field(default_factory=FrozenMap)

    @property
    def rank(self) -> tuple[int, int]:
        """Missing and unexpected names, taken literally. Smaller fits better."""
        spelled = len(self.respelled)
        return len(self.missing) + spelled, len(self.unexpected) + spelled

    def __str__(self) -> str:
        """Return it as part of a sentence, with three examples of each kind at most."""
        parts = []
        if self.missing:
            parts.append(f"{counted(len(self.missing), 'column')} missing ({quoted(self.missing)})")
        if self.unexpected:
            parts.append(f"{len(self.unexpected):,} unexpected ({quoted(self.unexpected)})")
        if self.respelled:
            pairs = [f"{name!r} is written {found!r}" for name, found in self.respelled.items()]
            shown = some(pairs[:3], len(pairs))
            parts.append(f"{len(pairs):,} spelled differently ({shown})")
        return ", ".join(parts) or "no difference"


@dataclass(frozen=True)
class Near:
    """The known task that came closest, though it does not fit."""

    slug: str
    difference: Difference

    @property
    def missing(self) -> tuple[str, ...]:
        """Columns the task expects that are not there."""
        return self.difference.missing

    @property
    def unexpected(self) -> tuple[str, ...]:
        """Columns that are there, and that the task does not expect."""
        return self.difference.unexpected

    @property
    def respelled(self) -> FrozenMap[str]:
        """Expected name to the name found, for columns spelled differently."""
        return self.difference.respelled


def compare(expected: Iterable[str], found: Iterable[str]) -> Difference:
    """Compare column names, order aside.

    Examples
    --------
    >>> compare(["Age", "RoomService", "Spa"], ["room service", "Age", "Pool"])
    ... # doctest: +NORMALIZE_WHITESPACE
    Difference(missing=('Spa',), unexpected=('Pool',),
               respelled=FrozenMap({'RoomService': 'room service'}))
    """
    expected, found = dict.fromkeys(expected), dict.fromkeys(found)
    spare: defaultdict[str, list[str]] = defaultdict(list)
    for name in found:
        if name not in expected:
            spare[plain(name)].append(name)
    missing, respelled = [], {}
    for name in expected:
        if name in found:
            continue
        if spellings := spare.get(plain(name)):
            respelled[name] = spellings.pop(0)
        else:
            missing.append(name)
    left = {name for names in spare.values() for name in names}
    unexpected = tuple(name for name in found if name in left)
    return Difference(tuple(missing), unexpected, FrozenMap(respelled))
