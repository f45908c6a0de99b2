"""What is made of checked rows, and what is fitted to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.models import CatBoost, LightGBM, Model, XGBoost
from solvers.models.sturdy import Sturdy

Rule = Callable[[pd.DataFrame], pd.DataFrame]
SideReader = Callable[
    [Iterator[tuple[str, bytes]], pd.DataFrame, npt.NDArray[np.bool_]], pd.DataFrame
]
FeatureGroup = Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]


def name_of(function: Callable[..., Any]) -> str:
    """Name a rule or a group of features, which may be an object that is called."""
    return str(getattr(function, "__name__", type(function).__name__))


class SideFilesUnused(Exception):
    """A solver does without the files beside the tables; its text says why, in a sentence."""


def _as_it_is(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


def columns_as_they_are(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Numbers stay numbers, flags are 0 and 1, and all else is a category."""
    return pd.DataFrame({name: _as_feature(rows[name]) for name in rows.columns}, index=rows.index)


def _as_feature(column: pd.Series) -> pd.Series:
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype("Float64").astype("float64")
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column
    return column.astype("category")


BOOSTED: tuple[Model, ...] = (Sturdy(CatBoost()), Sturdy(XGBoost()), Sturdy(LightGBM()))


# Not frozen, since a solver's parameters may be set as scikit-learn sets them.
@dataclass(kw_only=True, eq=False, repr=False)
class Recipe:
    """What is made of checked rows, and what is fitted to it.

    Attributes
    ----------
    features : tuple of functions
        Named groups of features. Each, called with the filled rows and the parsed rows before any
        rule (for what was missing), gives columns of numbers, of categories and, for models that
        read, of text; never from the target. By default the columns as they are.
    models : tuple of Model
        The base models, slowest first; by default three boosting libraries.
    parse : function, optional
        Adds what is written inside columns as columns of their own. It, the rules and `features`
        see train and test rows together, sorted by id.
    side : function, optional
        Reads the files that the signature names beside the tables: ``side(files, rows, is_train)``
        gets name and content of each and gives columns for `rows`; none, where there is no file.
        Where it raises `SideFilesUnused`, there are none and the run says why.
    rules : tuple of functions, optional
        Rules of the domain that fill in missing values, applied in order; none changes a value
        that is there.
    groups : function, optional
        Gives each row's group, such as a party that travels together.
    periods : function, optional
        For a test that comes later than the train: ``periods(rows, n_folds)`` numbers the period
        of each train row in order of time, from 0 to ``n_folds - 1``, and -1 for what is earlier
        than all of them. Each period is predicted from what is earlier.
    parts : tuple of str, optional
        Columns of the train table that add up to the only target, a number: every model is fitted
        to each of them, and what it predicts for them is added.
    """

    features: tuple[FeatureGroup, ...] = (columns_as_they_are,)
    models: tuple[Model, ...] = BOOSTED
    parse: Rule = _as_it_is
    side: SideReader | None = None
    rules: tuple[Rule, ...] = ()
    groups: Callable[[pd.DataFrame], pd.Series] | None = None
    periods: Callable[[pd.DataFrame, int], pd.Series] | None = None
    parts: tuple[str, ...] = ()
