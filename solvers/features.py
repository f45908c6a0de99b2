"""A solver's rules and groups of features, applied to checked rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from signatures import Member
from signatures.side_files import read_all
from solvers.intake import Dataset
from solvers.recipe import FeatureGroup, Recipe, Rule, SideFilesUnused


def apply_rules(rows: pd.DataFrame, rules: Sequence[Rule]) -> tuple[pd.DataFrame, dict[str, int]]:
    """Apply rules in order and count the values that each filled in.

    Raises
    ------
    ValueError
        If a value that was there has changed: a bug in a rule.
    """
    filled: dict[str, int] = {}
    before = rows
    known = before.notna()
    n_known = int(known.to_numpy().sum())
    for rule in rules:
        rows = rule(rows)
        now = int(rows.notna().to_numpy().sum())
        filled[rule.__name__] = now - n_known
        n_known = now
    if not rows.where(known).equals(before.where(known)):
        changed = [
            str(c) for c in before if not rows[c].where(known[c]).equals(before[c].where(known[c]))
        ]
        msg = f"a rule changed values that were not missing, in {', '.join(changed)}"
        raise ValueError(msg)
    return rows, filled


def build_features(
    rows: pd.DataFrame, raw: pd.DataFrame, groups: Sequence[FeatureGroup]
) -> pd.DataFrame:
    """Put groups of features side by side.

    Raises
    ------
    ValueError
        If a group adds, drops or reorders rows, or two columns share a name: a bug in the group.
    """
    parts = [group(rows, raw) for group in groups]
    for group, part in zip(groups, parts, strict=True):
        if not part.index.equals(rows.index):
            msg = f"feature group {group.__name__} does not keep the rows"
            raise ValueError(msg)
    features = pd.concat(parts, axis=1)
    if not features.columns.is_unique:
        msg = f"features share a name: {features.columns[features.columns.duplicated()].tolist()}"
        raise ValueError(msg)
    return features


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
    raw, without = _with_side_files(recipe.parse(data.rows), data, recipe, side)
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
        told = recipe.side(read_all(side), raw, data.is_train)
    except SideFilesUnused as reason:
        return raw, str(reason)
    if told.shape[1] == 0:
        return raw, "the files beside the tables are not complete, so the tables are used alone"
    return raw.join(told), ""
