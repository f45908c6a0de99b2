"""Made-up houses, for the demo and the tests: none was ever sold."""

import numpy as np
import pandas as pd

from solvers import contract
from solvers.tasks.house_prices.contract import House
from solvers.tasks.house_prices.words import GRADED, PLAIN

_BASEMENT = ["BsmtQual", "BsmtCond", "BsmtExposure", "BsmtFinType1", "BsmtFinType2"]
_GARAGE = ["GarageType", "GarageFinish", "GarageQual", "GarageCond"]
_SELDOM = {"Alley": 0.06, "PoolQC": 0.02, "Fence": 0.2, "MiscFeature": 0.04}


def houses(n_train: int, n_test: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make train, test and sample submission as text, "NA" where there is nothing to tell."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    table = _words(n, random).assign(Id=np.arange(1, n + 1), **_numbers(n, random))
    price = _price(table, random)
    order = list(contract.columns_of(House))
    text = _without(table, random)[order].assign(SalePrice=price).astype(object).map(_as_text)
    test = text.iloc[n_train:].reset_index(drop=True)
    sample = pd.DataFrame({"Id": test["Id"], "SalePrice": "0"})
    return text.iloc[:n_train], test.drop(columns="SalePrice"), sample


def _words(n: int, random: np.random.Generator) -> pd.DataFrame:
    """Draw a word for each worded column, the better ones more often."""
    drawn = {}
    for column, words in (GRADED | PLAIN).items():
        odds = np.arange(1.0, len(words) + 1)
        drawn[column] = random.choice(words, size=n, p=odds / odds.sum())
    return pd.DataFrame(drawn)


def _numbers(n: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw years, areas and counts that fit each other."""
    built = random.integers(1900, 2008, n)
    first, second = random.integers(600, 1800, n), random.integers(0, 900, n)
    second = np.where(random.random(n) < 0.5, 0, second)
    basement, finished = first, random.integers(0, 500, n)
    few = ["BsmtFullBath", "BsmtHalfBath", "HalfBath", "Fireplaces", "GarageCars"]
    seldom = ["LowQualFinSF", "EnclosedPorch", "3SsnPorch", "ScreenPorch", "MiscVal", "PoolArea"]
    return {
        **{column: random.integers(0, 3, n) for column in few},
        **{c: np.where(random.random(n) < 0.1, random.integers(50, 400, n), 0) for c in seldom},
        "YearBuilt": built,
        "YearRemodAdd": np.maximum(built, random.integers(1950, 2008, n)),
        "GarageYrBlt": built,
        "YrSold": random.integers(2008, 2011, n),
        "MoSold": random.integers(1, 13, n),
        "OverallQual": random.integers(2, 11, n),
        "OverallCond": random.integers(3, 10, n),
        "LotArea": random.integers(3000, 20_000, n),
        "LotFrontage": random.integers(30, 120, n),
        "1stFlrSF": first,
        "2ndFlrSF": second,
        "GrLivArea": first + second,
        "TotalBsmtSF": basement,
        "BsmtFinSF1": finished,
        "BsmtFinSF2": np.zeros(n, dtype=int),
        "BsmtUnfSF": basement - finished,
        "MasVnrArea": random.integers(0, 300, n),
        "GarageArea": random.integers(200, 900, n),
        "WoodDeckSF": random.integers(0, 300, n),
        "OpenPorchSF": random.integers(0, 120, n),
        "FullBath": random.integers(1, 4, n),
        "BedroomAbvGr": random.integers(1, 5, n),
        "KitchenAbvGr": np.ones(n, dtype=int),
        "TotRmsAbvGrd": random.integers(4, 11, n),
    }


def _price(table: pd.DataFrame, random: np.random.Generator) -> np.ndarray:
    """Price by quality, size and age, and a tenth of luck."""
    logs = (
        9.0
        + 0.1 * table["OverallQual"]
        + 0.3 * np.log(table["GrLivArea"] + table["TotalBsmtSF"])
        - 0.003 * (2010 - table["YearBuilt"])
        + random.normal(0, 0.1, len(table))
    )
    return np.asarray(np.round(np.exp(logs)).astype(int))


def _without(table: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Take away basements, garages and the like where a house has none."""
    n = len(table)
    table = table.astype(object)
    for columns, areas in ((_BASEMENT, ["TotalBsmtSF", "BsmtFinSF1", "BsmtUnfSF"]),
                           (_GARAGE, ["GarageCars", "GarageArea"])):  # fmt: skip
        none = random.random(n) < 0.05
        table.loc[none, columns] = None
        table.loc[none, areas] = 0
    table.loc[table["GarageType"].isna(), "GarageYrBlt"] = None
    table.loc[table["Fireplaces"] == 0, "FireplaceQu"] = None
    for column, share in _SELDOM.items():
        table.loc[random.random(n) >= share, column] = None
    table.loc[random.random(n) < 0.2, "LotFrontage"] = None
    return table


def _as_text(value: object) -> str:
    return "NA" if value is None else str(value)
