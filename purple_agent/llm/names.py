"""Whether a file beside the training table tells of the rows that are held back.

A table may call the answers by another name, or have no header, so the header is not all that is
looked at. What speaks of these rows and not of those of test may hold the answers. What speaks of
both tells a model no more of the ones than of the others.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath

import pandas as pd

from signatures import Member
from solvers.baseline.contest import Contest
from solvers.baseline.foreign_predictions import ROW
from solvers.sample_keys import letters
from solvers.tables import read_table

_LONGEST = 2**27  # characters of a field; the module's own bound would refuse long texts
_ENOUGH = 3  # columns that name rows: numbers that happen to differ are many, and take memory

Key = tuple[frozenset[str], frozenset[str]]


class Names:
    """What names the rows that are held back, and those of test.

    Parameters
    ----------
    contest : Contest
        Knows the rows.
    test : Member
        The test table, which is read once a table has to be looked through.
    """

    def __init__(self, contest: Contest, test: Member) -> None:
        self._contest, self._test = contest, test

    def are_told_by(self, member: Member, delimiter: str) -> bool:
        """Tell whether a table speaks of the rows held back and not of those of test.

        So does one with a line for each training row: it may be in their order.
        """
        n_lines = 0
        found: dict[tuple[int, int], set[str]] = defaultdict(set)
        with member.open() as stream:
            for line in _lines(stream, delimiter):
                n_lines += 1
                if self._is_told_by(line):
                    return True
                for place, value in enumerate(line):
                    for number in self._named.get(value, ()):
                        found[number, place].add(value)
        n_train = len(self._contest.shown) + self._contest.n_rows
        if n_lines in (n_train, n_train + 1):  # without a header, or with one
            return True
        return any(_of_held(self._keys[number], seen) for (number, _), seen in found.items())

    def _is_told_by(self, line: list[str]) -> bool:
        """Tell it of one line, of a table that is turned on its side."""
        if 2 * len(line) <= self._contest.n_rows:
            return False
        seen = set(line)
        return any(_of_held(key, seen) for key in self._keys)

    @cached_property
    def _keys(self) -> list[Key]:
        """For each column that names rows: the rows held back, and those of test.

        A name that both have is in neither.
        """
        shown, held = self._contest.shown, self._contest.held_back
        test = read_table(self._test, missing=())
        keys: list[Key] = []
        for name in held.columns.drop(ROW):
            own, others = _values(held[name]), _values(shown[name])
            if len(own) < len(held) or len(others) < len(shown) or not own.isdisjoint(others):
                continue
            tests = _values(test[name]) if name in test else frozenset()
            if own - tests:
                keys.append((own - tests, tests - own))
            if len(keys) == _ENOUGH:
                break
        return keys

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """For each name, the numbers of the columns that have it."""
        named: dict[str, list[int]] = defaultdict(list)
        for number, (held, tests) in enumerate(self._keys):
            for value in held | tests:
                named[value].append(number)
        return named


def _of_held(key: Key, seen: set[str]) -> bool:
    held, tests = key
    return 2 * len(seen & held) > len(held) and 2 * len(seen & tests) <= len(tests)


def sorted_by_answer(files: Iterable[str], answers: Iterable[str]) -> frozenset[PurePosixPath]:
    """Find folders whose subfolders are all called as classes are: files lie there by answer."""
    words = {letters(answer) for answer in answers}
    inside: dict[PurePosixPath, set[str]] = defaultdict(set)
    for file in files:
        for folder in list(PurePosixPath(file).parents)[:-1]:
            inside[folder.parent].add(letters(folder.name))
    return frozenset(top for top, names in inside.items() if len(names) > 1 and names <= words)


def _values(column: pd.Series) -> frozenset[str]:
    return frozenset(_plain(str(value)) for value in column.dropna())


def _plain(value: str) -> str:
    return value.strip().removesuffix(".0")  # whole numbers may be written as others are


def _lines(stream: Iterable[bytes], delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST)
    with io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="") as text:  # type: ignore[type-var]
        for line in csv.reader(text, delimiter=delimiter):
            if line:
                yield [_plain(value) for value in line]
