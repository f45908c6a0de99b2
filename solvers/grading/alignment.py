"""Which row of a submission answers which row of the answers."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.grading.values import id_keys
from solvers.submission import Form, some


def align(
    table: pd.DataFrame, form: Form, *, by_order: bool
) -> tuple[npt.NDArray[np.intp], list[str], list[str]]:
    """Find for each row of the answers the row of the submission with its id.

    Rows of one id are paired in the order in which they come.

    Returns
    -------
    order : ndarray of shape (n_rows,)
        Row numbers of the submission; empty if there are failures.
    failures, notes : list of str
        What makes it invalid, and what may not be meant.
    """
    ids = table[form.id].tolist()
    wanted, found = _keys(form.ids, ids)
    failures = _id_failures(ids, form.ids, found, wanted)
    if by_order and not failures and found != wanted:
        row = next(
            n for n, (key, other) in enumerate(zip(found, wanted, strict=True)) if key != other
        )
        failures.append(
            f"submission: row {row + 1} has the id {ids[row]!r}, expected {form.ids[row]!r}: the "
            "rows have to keep the test file's order, since this task's grader does not read ids."
        )
    if failures:
        return np.empty(0, dtype=np.intp), failures, []
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, key in enumerate(found):
        places[key].append(number)
    order = np.array([places[key].popleft() for key in wanted], dtype=np.intp)
    return order, [], _unequal_twins(table, form, found, ids)


def _keys(expected: Sequence[str], ids: Sequence[str]) -> tuple[list[Hashable], list[Hashable]]:
    """Read both as numbers if both are numbers, else both as text."""
    together = id_keys([*expected, *ids])
    return together[: len(expected)], together[len(expected) :]


def _id_failures(
    ids: Sequence[str],
    expected: Sequence[str],
    found: Sequence[Hashable],
    wanted: Sequence[Hashable],
) -> list[str]:
    n_wanted, n_found = Counter(wanted), Counter(found)
    text = dict(zip(wanted, expected, strict=True)) | dict(zip(found, ids, strict=True))
    missing = [text[key] for key in (n_wanted - n_found).elements()]
    excess = list((n_found - n_wanted).elements())
    repeated = [text[key] for key in excess if key in n_wanted]
    strange = [text[key] for key in excess if key not in n_wanted]
    failures = []
    if len(ids) != len(expected):
        failures.append(f"submission: expected {len(expected)} rows, found {len(ids)}.")
    if missing:
        failures.append(f"submission: {some(missing)} of the answers missing; add a row for each.")
    if repeated:
        failures.append(f"submission: {some(repeated)} too often; leave one row for each.")
    if strange:
        failures.append(f"submission: {some(strange)} not in the answers; remove these rows.")
    return failures


def _unequal_twins(
    table: pd.DataFrame, form: Form, keys: Sequence[Hashable], ids: Sequence[str]
) -> list[str]:
    """Name ids that occur more than once and are answered differently."""
    values = table[[name for name in form.columns if name != form.id and name in table]]
    said: dict[Hashable, tuple[str, ...]] = {}
    unequal = {}
    for key, id_, row in zip(keys, ids, values.itertuples(index=False), strict=True):
        if said.setdefault(key, tuple(row)) != tuple(row):
            unequal[key] = id_
    if not unequal:
        return []
    return [
        f"{some(list(unequal.values()))} more than once, with different predictions: they were "
        "paired in the order of the files, and another grader may pair them otherwise."
    ]
