"""A solver's rules and groups of features, applied to checked rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from solvers.intake import Dataset
from solvers.solver import FeatureGroup, Rule, StackedSolver


def apply_rules(rows: pd.DataFrame, rules: Sequence[Rule]) -> tuple[pd.DataFrame, dict[str, int]]:
    """Apply rules in order and count the values that each filled in.

    Raises
    ------
    ValueError
        If a rule changes a value that was there, or forgets one: a bug in the rule.
    """
    filled: dict[str, int] = {}
    for rule in rules:
        after = rule(rows)
        known = rows.notna()
        if not after.where(known).equals(rows.where(known)):
            msg = f"rule {rule.__name__} changed a value that was not missing"
            raise ValueError(msg)
        filled[rule.__name__] = int(after.notna().sum().sum() - known.sum().sum())
        rows = after
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
    """What the models are given: the filled rows, what each rule filled, and the features."""

    rows: pd.DataFrame
    filled: Mapping[str, int]
    X: pd.DataFrame
    X_test: pd.DataFrame


def prepare(data: Dataset, solver: StackedSolver) -> Prepared:
    """Parse, fill in and describe checked rows, then part train from test."""
    raw = solver.parse(data.rows)
    rows, filled = apply_rules(raw, solver.rules)
    features = build_features(rows, raw, solver.features)
    X, X_test = (features[part].reset_index(drop=True) for part in (data.is_train, ~data.is_train))
    return Prepared(rows, filled, X, X_test)
