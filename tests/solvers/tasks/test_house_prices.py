"""House prices' rules, features and models on a few made-up houses, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from solvers import contract
from solvers.features import apply_rules, build_features
from solvers.models import Fitted
from solvers.models.dense import Dense, skewness
from solvers.models.kernels import KernelRidge, SupportVectors
from solvers.models.wrappers import AsCodes, WithoutRows
from solvers.target import Target
from solvers.tasks.house_prices import SOLVER, rules
from solvers.tasks.house_prices.contract import House
from solvers.tasks.house_prices.houses import houses
from solvers.tasks.house_prices.words import GRADED, WORDS

TARGET = Target("SalePrice")
NUMBERS = [c for c in contract.columns_of(House) if c not in WORDS and c != "Id"]
USUAL = dict.fromkeys(NUMBERS, "0") | {
    "OverallQual": "5", "OverallCond": "5", "YearBuilt": "1990", "YearRemodAdd": "1990",
    "YrSold": "2008", "MoSold": "6", "LotArea": "10000", "GrLivArea": "1000", "1stFlrSF": "1000",
    "TotRmsAbvGrd": "5", "Neighborhood": "NAmes", "BldgType": "1Fam", "GarageYrBlt": None,
}  # fmt: skip


def homes(*rows):
    """Type houses; what a row does not say is usual, or missing."""
    table = pd.DataFrame(
        [{"Id": str(n), **USUAL, **row} for n, row in enumerate(rows, start=1)]
    ).reindex(columns=contract.columns_of(House))
    checked = contract.check(table.astype(object), House, name="rows")
    assert checked.failures == ()
    return checked.rows


def told(column):
    return [None if value is pd.NA or value != value else value for value in column]


def described(rows):
    filled, _ = apply_rules(rows, SOLVER.rules)
    return build_features(filled, rows, SOLVER.features)


def test_frontage_is_that_of_like_lots_for_their_area():
    rows = homes({"LotFrontage": "50"}, {"LotFrontage": None, "LotArea": "40000"})
    assert told(rules.frontage_from_neighbours(rows)["LotFrontage"]) == [50, 100]


def test_zoning_is_the_neighbourhood_s():
    rows = homes({"MSZoning": "RL"}, {"MSZoning": "RL"}, {"MSZoning": "FV"}, {})
    assert told(rules.zoning_from_neighbours(rows)["MSZoning"]) == ["RL", "RL", "FV", "RL"]


def test_none_is_a_word_for_veneer():
    rows = homes(
        {"MasVnrType": "None"}, {"MasVnrArea": None}, {"MasVnrArea": "9", "MasVnrType": None}
    )
    filled = rules.no_veneer(rows)
    assert told(filled["MasVnrType"]) == ["None", "None", None]
    assert told(filled["MasVnrArea"]) == [0, 0, 9]


def test_no_basement_and_gaps_in_one():
    rows = homes(
        {"TotalBsmtSF": None}, {"TotalBsmtSF": None, "BsmtQual": "Gd"}, {"TotalBsmtSF": "900"}
    )
    assert told(rules.no_basement(rows)["TotalBsmtSF"]) == [0, None, 900]
    filled = rules.gaps_in_a_basement(rows)
    assert told(filled["BsmtExposure"]) == [None, None, "No"]
    assert told(filled["BsmtQual"]) == [None, "Gd", "TA"]


def test_no_garage_has_no_place_for_cars():
    rows = homes({"GarageCars": None}, {"GarageCars": None, "GarageType": "Attchd"})
    assert told(rules.no_garage(rows)["GarageCars"]) == [0, None]


def test_the_usual_fills_what_nearly_all_have():
    filled = rules.the_usual(homes({}, {"Functional": "Maj2"}))
    assert told(filled["Functional"]) == ["Typ", "Maj2"]
    assert told(filled["Electrical"]) == ["SBrkr", "SBrkr"]


def test_grades_rise_with_quality_and_are_0_for_none():
    table = described(homes({"PoolQC": None}, *({"PoolQC": word} for word in GRADED["PoolQC"])))
    assert table["PoolQC_grade"].tolist() == [0, 1, 2, 3, 4, 5]


def test_areas_and_rooms_are_as_worked_out_by_hand():
    table = described(
        homes(
            {"GrLivArea": "1500", "2ndFlrSF": "600", "TotalBsmtSF": "800", "BsmtFinSF1": "150",
             "BsmtFinSF2": "50", "OpenPorchSF": "20", "3SsnPorch": "30", "FullBath": "2",
             "BsmtHalfBath": "1", "OverallQual": "7"},
            {},
        )
    )  # fmt: skip
    assert table["whole_area"].tolist() == [2300, 1000]
    assert table["finished_area"].tolist() == [1700, 1000]
    assert told(table["finished_share"]) == [0.25, None]
    assert table["porch_area"].tolist() == [50, 0]
    assert table["upper_share"].tolist() == [0.4, 0]
    assert table["baths"].tolist() == [2.5, 0]
    assert table["room_area"].tolist() == [300, 200]
    assert table["quality_area"].tolist() == [16100, 5000]
    assert table["usual_GrLivArea"].tolist() == [1250, 1250]
    assert table["over_usual_GrLivArea"].tolist() == [250, -250]


def test_ages_count_to_the_sale():
    table = described(
        homes(
            {"YearBuilt": "1950", "YearRemodAdd": "2000", "GarageYrBlt": "1960"},
            {"YearBuilt": "2008", "YearRemodAdd": "2008", "GarageYrBlt": "2207", "MoSold": "12"},
        )
    )
    assert table["age"].tolist() == [58, 0]
    assert table["age_of_change"].tolist() == [8, 0]
    assert table["remodelled"].tolist() == [1, 0]
    assert told(table["garage_age"]) == [48, None]
    assert table["new"].tolist() == [0, 1]
    assert table["month"].tolist() == [30, 36]


def test_spellings_of_one_thing_are_one_category():
    table = described(homes({"Exterior2nd": "CmentBd"}, {"Exterior2nd": "CemntBd"}))
    assert table["Exterior2nd"].tolist() == ["CemntBd", "CemntBd"]


def test_made_up_houses_meet_the_contract():
    train, test, sample = houses(150, 40, 3)
    assert (len(train), len(test), len(sample)) == (150, 40, 40)
    for table in (train, test):
        text = table.where(table != "NA", None)
        assert contract.check(text, House, name="rows").failures == ()


def test_dense_takes_out_skew_gaps_and_rare_words():
    words = pd.Categorical(["a"] * 3 + ["b"], categories=["a", "b"])
    X = pd.DataFrame({"n": [0.0, 0.0, 0.0, 100.0], "m": [1.0, 3.0, np.nan, 2.0], "w": words})
    old, new = Dense(rare=2, clip=1.5)(X, X.assign(n=[1e9, 0, 0, 0]))
    assert old.shape == new.shape == (4, 3)
    assert old[2, 1] == 0
    assert new[0, 0] == 1.5
    # The one word that is common enough, half as far apart: 3 of 4 have it.
    assert old[:, 2] == pytest.approx(np.array([1, 1, 1, -3]) / 3**0.5 / 2, abs=0.12)


def test_skewness_of_a_constant_is_0():
    assert skewness(np.array([2.0, 2.0])) == 0
    assert skewness(np.array([0.0, 0, 3, np.nan])) == pytest.approx(2**-0.5)


@pytest.mark.parametrize(
    "model", [SupportVectors(10.0, 0.01, 0.5), KernelRidge(0.5, 0.1, 0.01)], ids=lambda m: m.name
)
def test_kernel_models_learn_a_curve(model):
    x = np.linspace(-2, 2, 60)
    X = pd.DataFrame({"x": x})
    fitted = model.fit_predict(X, 100 + x**2, X, target=TARGET, seed=0)
    assert fitted.predictions.shape == (60, 1)
    assert np.abs(fitted.predictions[:, 0] - 100 - x**2).max() < 0.3


class Spy:
    """Predicts how many rows it was fitted on."""

    name = "spy"

    def fit_predict(self, X, y, X_new, *, target, seed):
        assert len(X) == len(y)
        assert X.dtypes.eq("float64").all()
        return Fitted(np.full((len(X_new), 1), float(len(X))))


def test_huge_rows_are_left_out_of_the_fit_and_predicted():
    X = pd.DataFrame({"area": [1.0, 4000.0, 4001.0, np.nan]})
    fitted = WithoutRows(Spy(), "area", 4000.0).fit_predict(
        X, np.zeros(4), X, target=TARGET, seed=0
    )
    assert fitted.predictions[:, 0].tolist() == [3, 3, 3, 3]


def test_codes_are_in_the_declared_order():
    X = pd.DataFrame({"w": pd.Categorical(["b", None, "a"], categories=["b", "a"])})
    fitted = AsCodes(Spy()).fit_predict(X, np.zeros(3), X, target=TARGET, seed=0)
    assert len(fitted.predictions) == 3
