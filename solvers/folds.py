"""Which rows are held out together: folds that copy how the test was cut from the train."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold

from solvers.target import Array, FoldIndex, Target


@dataclass(frozen=True)
class Cut:
    """How the test rows were cut from the train rows, as far as it can be seen.

    Attributes
    ----------
    kind : {"row", "group", "time"}
        Which folds copy the cut.
    n_with_mates : int
        Test rows that share a group with any other row.
    n_straddling : int
        Test rows that share a group with a train row.
    reason : str
        One sentence for the record.
    """

    kind: Literal["row", "group", "time"]
    n_with_mates: int
    n_straddling: int
    reason: str


def look_at_cut(groups: pd.Series | None, test_groups: pd.Series | None) -> Cut:
    """Look whether groups straddle train and test.

    A cut by rows leaves nearly every test row that has a group mate with one in train; a cut by
    groups leaves none. The answer is by rows when more than half of them have one.
    """
    if groups is None or test_groups is None:
        return Cut("row", 0, 0, "Row folds.")
    together = pd.concat([groups, test_groups], ignore_index=True)
    crowded = together.value_counts().loc[lambda counts: counts > 1].index
    n_with_mates = int(test_groups.isin(crowded).sum())
    n_straddling = int(test_groups.isin(groups).sum())
    kind: Literal["row", "group"] = "row" if 2 * n_straddling > n_with_mates else "group"
    if not n_with_mates:
        return Cut("group", 0, 0, "Group folds, to be safe: no test row has a mate in its group.")
    reason = (
        f"{kind.capitalize()} folds: of the {n_with_mates} test rows with a mate in their group, "
        f"{n_straddling} have one in train."
    )
    return Cut(kind, n_with_mates, n_straddling, reason)


def fold_index(
    y: Array, target: Target, *, groups: pd.Series | None, n_folds: int, seed: int
) -> FoldIndex:
    """Give each row the number of the fold that holds it out.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class index, or the target in its own unit for regression.
    groups : Series of length n_rows, optional
        Rows of one group are held out together.
    seed : int
        Seeds the shuffle; the rows' order matters too, so sort them first.

    Classes are spread evenly over folds, if each has a row for every fold.

    Returns
    -------
    ndarray of shape (n_rows,)
        Numbers from 0 to ``n_folds - 1``.
    """
    splitter: KFold | StratifiedKFold | StratifiedGroupKFold
    strata = y if target.kind != "regression" else _tenths(y)
    if groups is not None:
        splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    elif target.kind == "regression" or np.bincount(strata.astype(np.intp)).min() < n_folds:
        splitter = KFold(n_folds, shuffle=True, random_state=seed)
    else:
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    held_out_by = np.full(len(y), -1, dtype=np.int16)
    for number, (_, valid) in enumerate(splitter.split(np.zeros(len(y)), strata, groups)):
        held_out_by[valid] = number
    return held_out_by


def _tenths(y: Array) -> npt.NDArray[np.intp]:
    """Number each value's tenth by rank, so that group folds of a regression are alike."""
    ranks = np.argsort(np.argsort(y, kind="stable"), kind="stable")
    return ranks * 10 // len(y)
