"""What a hand-written solver declares, and the profiles it can be run at."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd

from solvers.contract import Contract
from solvers.models import Model

Rule = Callable[[pd.DataFrame], pd.DataFrame]
FeatureGroup = Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Profile:
    """How much work a run does, counted in fits and rounds and never in seconds.

    Attributes
    ----------
    fold_seeds : int
        How many times the rows are cut into folds.
    folds : int
        Into how many.
    work : float
        Share of each model's rounds, 0 to 1.
    """

    name: str
    fold_seeds: int
    folds: int
    work: float


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "full": Profile("full", fold_seeds=5, folds=5, work=1.0),
        "quick": Profile("quick", fold_seeds=1, folds=3, work=0.25),
    }
)


@dataclass(frozen=True)
class StackedSolver:
    """A known task's solver: what it accepts, what it adds to the data, and what it fits.

    Attributes
    ----------
    contract : pandera DataFrameModel
        The columns that train and test share.
    parse : function
        Adds what is written inside columns as columns of their own. It, the rules and `features`
        see train and test rows together, sorted by id.
    rules : tuple of functions
        Rules of the domain that fill in missing values, applied in order; none changes a value
        that is there.
    features : tuple of functions
        Named groups of features. Each, called with the filled rows and the parsed rows before any
        rule (for what was missing), gives numeric and categorical columns; never from the target.
    models : tuple of Model
        The base models, slowest first.
    example : function
        ``example(n_train, n_test, seed)`` makes synthetic train, test and sample tables as text,
        for the demo and the tests.
    groups : function, optional
        Gives each row's group, such as a party that travels together.
    """

    contract: Contract
    parse: Callable[[pd.DataFrame], pd.DataFrame]
    rules: tuple[Rule, ...]
    features: tuple[FeatureGroup, ...]
    models: tuple[Model, ...]
    example: Callable[[int, int, int], tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]
    groups: Callable[[pd.DataFrame], pd.Series] | None = None


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
