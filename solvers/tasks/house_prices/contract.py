"""What a house's row has to look like. Source: the competition's data description."""

from typing import Any

import pandera.pandas as pa

from solvers.tasks.house_prices.words import WORDS


def _word(column: str) -> Any:
    words = WORDS[column]
    shown = ", ".join(words[:4]) + (", ..." if len(words) > 4 else "")
    return pa.Field(isin=words, nullable=True, description=f"a word such as {shown}, or NA")


def _amount(most: int, what: str, alias: str | None = None) -> Any:
    return pa.Field(nullable=True, ge=0, le=most, alias=alias, description=f"{what}, 0 to {most:,}")


def _feet(alias: str | None = None) -> Any:
    return _amount(1_000_000, "an area in square feet", alias)


def _year() -> Any:
    # A garage of Kaggle's own test is from 2207: a slip of the pen, not a reason to refuse.
    return pa.Field(nullable=True, ge=1700, le=2300, description="a year of 1700 to 2300")


class House(pa.DataFrameModel):
    """One house sold in Ames, Iowa, as train and test hold it."""

    Id: int = pa.Field(unique=True)
    MSSubClass: str = _word("MSSubClass")
    MSZoning: str = _word("MSZoning")
    LotFrontage: float = _amount(10_000, "a length in feet")
    LotArea: float = _feet()
    Street: str = _word("Street")
    Alley: str = _word("Alley")
    LotShape: str = _word("LotShape")
    LandContour: str = _word("LandContour")
    Utilities: str = _word("Utilities")
    LotConfig: str = _word("LotConfig")
    LandSlope: str = _word("LandSlope")
    Neighborhood: str = _word("Neighborhood")
    Condition1: str = _word("Condition1")
    Condition2: str = _word("Condition2")
    BldgType: str = _word("BldgType")
    HouseStyle: str = _word("HouseStyle")
    OverallQual: float = pa.Field(nullable=True, ge=1, le=10, description="a grade, 1 to 10")
    OverallCond: float = pa.Field(nullable=True, ge=1, le=10, description="a grade, 1 to 10")
    YearBuilt: float = _year()
    YearRemodAdd: float = _year()
    RoofStyle: str = _word("RoofStyle")
    RoofMatl: str = _word("RoofMatl")
    Exterior1st: str = _word("Exterior1st")
    Exterior2nd: str = _word("Exterior2nd")
    MasVnrType: str = _word("MasVnrType")
    MasVnrArea: float = _feet()
    ExterQual: str = _word("ExterQual")
    ExterCond: str = _word("ExterCond")
    Foundation: str = _word("Foundation")
    BsmtQual: str = _word("BsmtQual")
    BsmtCond: str = _word("BsmtCond")
    BsmtExposure: str = _word("BsmtExposure")
    BsmtFinType1: str = _word("BsmtFinType1")
    BsmtFinSF1: float = _feet()
    BsmtFinType2: str = _word("BsmtFinType2")
    BsmtFinSF2: float = _feet()
    BsmtUnfSF: float = _feet()
    TotalBsmtSF: float = _feet()
    Heating: str = _word("Heating")
    HeatingQC: str = _word("HeatingQC")
    CentralAir: str = _word("CentralAir")
    Electrical: str = _word("Electrical")
    first_floor: float = _feet("1stFlrSF")
    second_floor: float = _feet("2ndFlrSF")
    LowQualFinSF: float = _feet()
    GrLivArea: float = _feet()
    BsmtFullBath: float = _amount(50, "a number of rooms, cars or fireplaces")
    BsmtHalfBath: float = _amount(50, "a number of rooms, cars or fireplaces")
    FullBath: float = _amount(50, "a number of rooms, cars or fireplaces")
    HalfBath: float = _amount(50, "a number of rooms, cars or fireplaces")
    BedroomAbvGr: float = _amount(50, "a number of rooms, cars or fireplaces")
    KitchenAbvGr: float = _amount(50, "a number of rooms, cars or fireplaces")
    KitchenQual: str = _word("KitchenQual")
    TotRmsAbvGrd: float = _amount(50, "a number of rooms, cars or fireplaces")
    Functional: str = _word("Functional")
    Fireplaces: float = _amount(50, "a number of rooms, cars or fireplaces")
    FireplaceQu: str = _word("FireplaceQu")
    GarageType: str = _word("GarageType")
    GarageYrBlt: float = _year()
    GarageFinish: str = _word("GarageFinish")
    GarageCars: float = _amount(50, "a number of rooms, cars or fireplaces")
    GarageArea: float = _feet()
    GarageQual: str = _word("GarageQual")
    GarageCond: str = _word("GarageCond")
    PavedDrive: str = _word("PavedDrive")
    WoodDeckSF: float = _feet()
    OpenPorchSF: float = _feet()
    EnclosedPorch: float = _feet()
    three_season_porch: float = _feet("3SsnPorch")
    ScreenPorch: float = _feet()
    PoolArea: float = _feet()
    PoolQC: str = _word("PoolQC")
    Fence: str = _word("Fence")
    MiscFeature: str = _word("MiscFeature")
    MiscVal: float = _amount(1_000_000, "an amount of dollars")
    MoSold: float = pa.Field(nullable=True, ge=1, le=12, description="a month, 1 to 12")
    YrSold: float = _year()
    SaleType: str = _word("SaleType")
    SaleCondition: str = _word("SaleCondition")

    class Config:
        """Text becomes pandas' own text dtype; the other columns arrive typed."""

        coerce = True
