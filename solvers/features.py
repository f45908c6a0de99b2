"""A solver's rules and groups of features, applied to checked rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from signatures import Member
from signatures.side_files import read_all
from signatures.wording import counted
from solvers.intake import Dataset
from solvers.models import is_text
from solvers.recipe import FeatureGroup, Recipe, Rule, SideFilesUnused, name_of


def apply_rules(rows: pd.DataFrame, rules: Sequence[Rule]) -> tuple[pd.DataFrame, dict[str, int]]:
    """Apply rules in order and count the values that each filled in.

    Each is given a copy, so that one that works in place is held against what was there.

    Raises
    ------
    ValueError
        If a rule changed what was not missing, or gave other rows or columns: a bug in it.
    """
    filled: dict[str, int] = {}
    for rule in rules:
        after = rule(rows.copy())
        _check_rule(f"the rule {name_of(rule)}", after, rows)
        filled[name_of(rule)] = _n_known(after) - _n_known(rows)
        rows = after
    return rows, filled


def _n_known(rows: pd.DataFrame) -> int:
    return int(rows.notna().to_numpy().sum())


def _check_rule(who: str, after: pd.DataFrame, before: pd.DataFrame) -> None:
    _check_rows(who, after, before)
    if added := [str(c) for c in after if c not in before]:
        msg = f"{who} added {', '.join(added)}: a rule fills gaps, and `parse` adds columns"
        raise ValueError(msg)
    if gone := [str(c) for c in before if c not in after]:
        msg = f"{who} dropped {', '.join(gone)}: a rule fills gaps and keeps the columns"
        raise ValueError(msg)
    known = before.notna()
    changed = [
        str(c) for c in before if not after[c].where(known[c]).equals(before[c].where(known[c]))
    ]
    if changed:
        msg = f"{who} changed values that were not missing, or their dtype, in {', '.join(changed)}"
        raise ValueError(msg)


def _check_rows(who: str, told: pd.DataFrame, rows: pd.DataFrame) -> None:
    if not isinstance(told, pd.DataFrame):
        msg = f"{who} returned {type(told).__name__}, expected a DataFrame: is its `return` right?"
        raise ValueError(msg)
    if not told.index.equals(rows.index):
        msg = f"{who} does not keep the rows"
        raise ValueError(msg)


def build_features(
    rows: pd.DataFrame, raw: pd.DataFrame, groups: Sequence[FeatureGroup]
) -> pd.DataFrame:
    """Put groups of features side by side, each made from copies of the rows.

    Raises
    ------
    ValueError
        If a group adds or drops rows or gives them another index, two columns share a name, or a
        column is none that models take: a bug in the group. That rows were shuffled and numbered
        anew cannot be seen.
    """
    parts = [_features_of(group, rows, raw) for group in groups]
    features = pd.concat(parts, axis=1)
    if not features.columns.is_unique:
        names = features.columns[features.columns.duplicated()].unique()
        shared = ", ".join(map(str, names))
        owners = [name_of(g) for g, p in zip(groups, parts, strict=True) if names[0] in p]
        msg = f"features share a name: {shared}; the first is of {' and '.join(owners)}"
        raise ValueError(msg)
    return features


def _features_of(group: FeatureGroup, rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Call one group, and see that models can be given what it returns."""
    who = f"feature group {name_of(group)}"
    part = group(rows.copy(), raw.copy())
    _check_rows(who, part, rows)
    for name, column in part.items():
        if problem := _not_taken(column):
            msg = f"{who}: {name} {problem}"
            raise ValueError(msg)
    return part


def _not_taken(column: pd.Series) -> str:
    """Say why no model can be given a feature; empty where one can."""
    if isinstance(column.dtype, pd.CategoricalDtype) or is_text(column):
        return ""
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return f"is of dtype {column.dtype}, expected numbers, categories or text of dtype string"
    infinite = int(np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan)).sum())
    if infinite:
        return f"holds {counted(infinite, 'infinite number')}, expected finite ones or NaN"
    return ""


@dataclass(frozen=True)
class Prepared:
    """What the models are given: the filled rows, what each rule filled, and the features.

    `without` says why the files beside the tables are not used; empty where they are.
    """

    rows: pd.DataFrame
    filled: Mapping[str, int]
    X: pd.DataFrame
    X_test: pd.DataFrame
    without: str = ""


def prepare(data: Dataset, recipe: Recipe, side: Sequence[Member] = ()) -> Prepared:
    """Parse, fill in and describe checked rows, then part train from test.

    `side` are the files that lie beside the tables, for a recipe that reads them.
    """
    parsed = recipe.parse(data.rows.copy())
    _check_rows("`parse`", parsed, data.rows)
    raw, without = _with_side_files(parsed, data, recipe, side)
    rows, filled = apply_rules(raw, recipe.rules)
    features = build_features(rows, raw, recipe.features)
    X, X_test = (features[part].reset_index(drop=True) for part in (data.is_train, ~data.is_train))
    return Prepared(rows, filled, X, X_test, without)


def _with_side_files(
    raw: pd.DataFrame, data: Dataset, recipe: Recipe, side: Sequence[Member]
) -> tuple[pd.DataFrame, str]:
    """Add what the files beside the tables tell, or say why there is nothing to add."""
    if recipe.side is None:
        return raw, ""
    if not side:
        return raw, "there are no files beside the tables, so the tables are used alone"
    try:
        told = recipe.side(read_all(side), raw.copy(), data.is_train)
    except SideFilesUnused as reason:
        return raw, str(reason)
    if told.shape[1] == 0:
        return raw, "the files beside the tables are not complete, so the tables are used alone"
    return raw.join(told), ""
