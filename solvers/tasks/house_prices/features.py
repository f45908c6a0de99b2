"""Features in named groups.

Each sees train and test rows together, after the rules (`rows`) and before them (`raw`), and never
the target.
"""

import numpy as np
import pandas as pd

from solvers.tasks.house_prices.words import GRADED, PLAIN

_SPELLING = {
    "Brk Cmn": "BrkComm", "CmentBd": "CemntBd", "Wd Shng": "WdShing", "2FmCon": "2fmCon",
    "Duplx": "Duplex", "TwnhsI": "Twnhs", "Names": "NAmes",
}  # fmt: skip
_PORCHES = ["OpenPorchSF", "EnclosedPorch", "3SsnPorch", "ScreenPorch"]


def grades(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Graded words as numbers, worst to best; 0 where the house has no such thing."""
    graded = {f"{column}_grade": _grade(rows, column) for column in GRADED}
    return pd.DataFrame(
        {**graded, "OverallQual": rows["OverallQual"], "OverallCond": rows["OverallCond"]}
    )


def areas(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Floors, basement, garage, porches and lot in square feet, and what they come to."""
    columns = [
        "LotArea", "LotFrontage", "MasVnrArea", "BsmtFinSF1", "BsmtFinSF2", "BsmtUnfSF",
        "TotalBsmtSF", "1stFlrSF", "2ndFlrSF", "LowQualFinSF", "GrLivArea", "GarageArea",
        "WoodDeckSF", *_PORCHES, "PoolArea", "MiscVal",
    ]  # fmt: skip
    finished = rows["BsmtFinSF1"] + rows["BsmtFinSF2"]
    return rows[columns].assign(
        whole_area=rows["GrLivArea"] + rows["TotalBsmtSF"],
        finished_area=rows["GrLivArea"] + finished - rows["LowQualFinSF"],
        finished_share=finished / rows["TotalBsmtSF"].where(rows["TotalBsmtSF"] > 0),
        porch_area=rows[_PORCHES].sum(axis=1),
        built_share=rows["1stFlrSF"] / rows["LotArea"],
        upper_share=rows["2ndFlrSF"] / rows["GrLivArea"],
    )


def rooms(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Rooms, baths, fireplaces and places for cars."""
    columns = [
        "FullBath", "HalfBath", "BsmtFullBath", "BsmtHalfBath", "BedroomAbvGr", "KitchenAbvGr",
        "TotRmsAbvGrd", "Fireplaces", "GarageCars",
    ]  # fmt: skip
    whole, half = rows["FullBath"] + rows["BsmtFullBath"], rows["HalfBath"] + rows["BsmtHalfBath"]
    return rows[columns].assign(
        baths=whole + 0.5 * half,
        room_area=rows["GrLivArea"] / rows["TotRmsAbvGrd"].where(rows["TotRmsAbvGrd"] > 0),
    )


def ages(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How old house, remodelling and garage were at the sale, and when that was."""
    sold, built, changed = rows["YrSold"], rows["YearBuilt"], rows["YearRemodAdd"]
    garage = rows["GarageYrBlt"].where(rows["GarageYrBlt"] <= sold)
    return pd.DataFrame(
        {
            "YearBuilt": built,
            "YearRemodAdd": changed,
            "age": (sold - built).clip(lower=0),
            "age_of_change": (sold - changed).clip(lower=0),
            "remodelled": (changed > built).astype("float64"),
            "garage_age": (sold - garage),
            "new": (sold <= built).astype("float64"),
            "month": (sold - 2006) * 12 + rows["MoSold"],
            "summer": np.cos((rows["MoSold"] - 6.5) * np.pi / 6),
        }
    )


def kinds(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Where it stands, how it is built and how it was sold: plain words, spelled one way."""
    out = {}
    for column, words in PLAIN.items():
        one_way = list(dict.fromkeys(_SPELLING.get(word, word) for word in words))
        spelled = rows[column].replace(_SPELLING)
        out[column] = pd.Categorical(spelled, categories=one_way)
    return pd.DataFrame(out, index=rows.index)


def deals(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Quality times size: what buyers pay for is both at once."""
    quality, living = rows["OverallQual"], rows["GrLivArea"]
    total = living + rows["TotalBsmtSF"]
    return pd.DataFrame(
        {
            "quality_area": quality * total,
            "quality_condition": quality * rows["OverallCond"],
            "inside": _grade(rows, "KitchenQual")
            + _grade(rows, "ExterQual")
            + _grade(rows, "BsmtQual")
            + quality / 2,
            "garage_deal": rows["GarageArea"] * _grade(rows, "GarageFinish"),
            "basement_deal": rows["BsmtFinSF1"] * _grade(rows, "BsmtFinType1"),
            "fire_deal": rows["Fireplaces"] * _grade(rows, "FireplaceQu"),
        }
    )


def neighbours(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What houses of the neighbourhood are like, over train and test: better or worse than this."""
    out = {}
    for column in ("OverallQual", "GrLivArea", "YearBuilt", "LotArea"):
        usual = rows.groupby("Neighborhood")[column].transform("median")
        out[f"usual_{column}"] = usual
        out[f"over_usual_{column}"] = rows[column] - usual
    return pd.DataFrame(out)


FEATURES = (grades, areas, rooms, ages, kinds, deals, neighbours)


def _grade(rows: pd.DataFrame, column: str) -> pd.Series:
    """Number a graded word from 1, the worst; 0 where there is none."""
    words = {word: number for number, word in enumerate(GRADED[column], start=1)}
    return rows[column].map(words).astype("float64").fillna(0.0)
