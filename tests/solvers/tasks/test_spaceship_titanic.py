"""Rules and features of Spaceship Titanic on a few made-up passengers, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from solvers import contract
from solvers.features import apply_rules, build_features
from solvers.tasks.spaceship_titanic import SOLVER, features, rules
from solvers.tasks.spaceship_titanic.contract import Passenger
from solvers.tasks.spaceship_titanic.parts import BILLS, parse
from solvers.tasks.spaceship_titanic.passengers import passengers

SPENDER = {"RoomService": "10", "FoodCourt": "0", "ShoppingMall": "0", "Spa": "0", "VRDeck": "0"}
IDLE = dict.fromkeys(BILLS, "0")
UNKNOWN = dict.fromkeys(BILLS)


def people(*rows):
    """Type and parse passengers; what a row does not say is missing."""
    columns = contract.columns_of(Passenger)
    table = pd.DataFrame(
        {column: pd.Series([row.get(column) for row in rows], dtype=object) for column in columns}
    )
    table["PassengerId"] = [row.get("id", f"{n:04d}_01") for n, row in enumerate(rows, start=1)]
    checked = contract.check(table, Passenger, name="rows")
    assert checked.failures == ()
    return parse(checked.rows)


def told(column):
    return [None if value is pd.NA or value != value else value for value in column]


def test_ids_cabins_and_names_are_taken_apart():
    row = people({"id": "0013_02", "Cabin": "F/12/S", "Name": "Ada Lovelace"}).iloc[0]
    assert (row["Party"], row["Place"]) == (13, 2)
    assert (row["Deck"], row["CabinNumber"], row["Side"]) == ("F", 12, "S")
    assert row["Surname"] == "Lovelace"


def test_parts_of_what_is_missing_are_missing():
    rows = people({}, {})
    assert rows[["Deck", "CabinNumber", "Side", "Surname"]].isna().all(axis=None)


def test_planet_follows_from_the_deck():
    rows = people(*({"Cabin": f"{deck}/1/P"} for deck in "ABCTGDEF"))
    assert told(rules.planet_from_deck(rows)["HomePlanet"]) == [
        *["Europa"] * 4, "Earth", None, None, None,
    ]  # fmt: skip


def test_planet_follows_from_the_party_where_it_agrees():
    rows = people(
        {"id": "0001_01", "HomePlanet": "Mars"}, {"id": "0001_02"}, {"id": "0002_01"},
        {"id": "0003_01", "HomePlanet": "Mars"}, {"id": "0003_02", "HomePlanet": "Earth"},
        {"id": "0003_03"},
    )  # fmt: skip
    assert told(rules.planet_from_party(rows)["HomePlanet"]) == [
        "Mars", "Mars", None, "Mars", "Earth", None,
    ]  # fmt: skip


def test_planet_follows_from_the_surname():
    rows = people(
        {"Name": "Ada Byron", "HomePlanet": "Earth"}, {"Name": "Anne Byron"}, {"Name": "X"}
    )
    assert told(rules.planet_from_surname(rows)["HomePlanet"]) == ["Earth", "Earth", None]


def test_side_follows_from_the_party():
    rows = people({"id": "0001_01", "Cabin": "F/1/S"}, {"id": "0001_02"}, {"id": "0002_01"})
    assert told(rules.side_from_party(rows)["Side"]) == ["S", "S", None]


def test_who_spends_is_awake():
    rows = people(SPENDER, {"Spa": "1"}, IDLE, {})
    assert told(rules.spenders_are_awake(rows)["CryoSleep"]) == [False, False, None, None]


def test_missing_bill_of_a_sleeper_is_zero():
    rows = people({"CryoSleep": "True"}, {"CryoSleep": "False"}, {})
    assert told(rules.sleepers_spend_nothing(rows)["Spa"]) == [0, None, None]


def test_missing_bill_of_a_child_is_zero():
    rows = people({"Age": "12"}, {"Age": "13"}, {})
    assert told(rules.children_spend_nothing(rows)["VRDeck"]) == [0, None, None]


def test_sleep_and_spending_fill_each_other_in():
    rows = people({"CryoSleep": "True"}, {"Age": "30", **SPENDER}, {"Age": "30", **IDLE})
    filled, counts = apply_rules(rows, SOLVER.rules)
    assert told(filled["CryoSleep"]) == [True, False, True]
    assert told(filled.loc[0, BILLS]) == [0] * 5
    assert counts["sleepers_spend_nothing"] == 5
    assert counts["spenders_are_awake"] == 1
    assert counts["idle_adults_sleep"] == 1


def test_nobody_from_earth_and_no_minor_is_a_vip():
    rows = people({"HomePlanet": "Earth"}, {"HomePlanet": "Mars"}, {"Age": "17"}, {"Age": "18"})
    assert told(rules.no_vip_is_from_earth(rows)["VIP"]) == [False, None, None, None]
    assert told(rules.no_vip_is_a_minor(rows)["VIP"]) == [None, None, False, None]


def test_only_an_idle_adult_with_all_bills_known_is_taken_for_a_sleeper():
    rows = people(
        {"Age": "30", **IDLE}, {"Age": "12", **IDLE}, IDLE, {"Age": "30", **IDLE, "Spa": None}
    )
    assert told(rules.idle_adults_sleep(rows)["CryoSleep"]) == [True, None, None, None]


def test_deck_follows_from_the_party_and_from_sleep():
    rows = people(
        {"id": "0001_01", "Cabin": "E/1/S"}, {"id": "0001_02"},
        {"id": "0002_01", "HomePlanet": "Earth", "CryoSleep": "True"},
        {"id": "0003_01", "HomePlanet": "Mars", "CryoSleep": "True"},
    )  # fmt: skip
    assert told(rules.deck_from_party(rows)["Deck"]) == ["E", "E", None, None]
    assert told(rules.earth_sleepers_are_on_deck_g(rows)["Deck"]) == ["E", None, "G", None]


def test_cabin_number_follows_from_the_party_on_the_same_deck():
    rows = people({"id": "0001_01", "Cabin": "E/7/S"}, {"id": "0001_02"}, {"id": "0001_03"}).assign(
        Deck=["E", "E", "F"]
    )
    assert told(rules.number_from_party(rows)["CabinNumber"]) == [7, 7, None]


def test_cabin_number_follows_from_the_neighbours_on_the_deck():
    rows = people(
        {"id": "0010_01", "Cabin": "G/100/P"}, {"id": "0011_01"}, {"id": "0012_01"},
        {"id": "0014_01", "Cabin": "G/120/P"}, {"id": "0014_02", "Cabin": "G/900/S"},
        {"id": "0020_01"},
    ).assign(Deck="G", Side=["P", "P", None, "P", "S", "P"])  # fmt: skip
    filled = told(rules.number_from_neighbours(rows)["CabinNumber"])
    # Party 11 lies a quarter of the way from 10 to 14 on port; party 12, whose side is not known,
    # halfway along the whole deck; party 20 is past the last known cabin of port.
    assert filled == [100, 105, 110, 120, 900, 120]


def test_one_missing_bill_is_the_rest_to_the_usual_total():
    rows = people(
        *({"HomePlanet": "Mars", "CryoSleep": "False", **SPENDER, "Spa": spa} for spa in "257"),
        {"HomePlanet": "Mars", "CryoSleep": "False", **SPENDER, "Spa": None},
        {"HomePlanet": "Mars", "CryoSleep": "False", **SPENDER, "Spa": None, "VRDeck": None},
        {"HomePlanet": "Mars", "CryoSleep": "True", **IDLE, "Spa": None},
    )  # fmt: skip
    # Totals are 12, 15 and 17: the usual is 15, of which 10 are accounted for.
    assert told(rules.bill_from_usual_total(rows)["Spa"]) == [2, 5, 7, 5, None, None]


@pytest.mark.parametrize("rule", SOLVER.rules, ids=lambda rule: rule.__name__)
def test_a_rule_leaves_an_empty_ship_alone(rule):
    rows = people({}, {})
    assert rule(rows).drop(columns="Party").isna().sum().sum() == rows.isna().sum().sum()


def test_features_of_five_passengers_are_as_worked_out_by_hand():
    rows = people(
        {"id": "0001_01", "HomePlanet": "Earth", "Cabin": "G/3/S", "Age": "30", "VIP": "False",
         "CryoSleep": "False", "Destination": "TRAPPIST-1e", "Name": "Ada Byron",
         "RoomService": "4", "FoodCourt": "9", "ShoppingMall": "0", "Spa": "1", "VRDeck": "0"},
        {"id": "0001_02", "HomePlanet": "Earth", "Cabin": "G/3/S", "Age": "5", **IDLE},
        {"id": "0001_03", "HomePlanet": "Earth", "Cabin": "F/8/S", **IDLE},
        {"id": "0002_01", "HomePlanet": "Mars", "Cabin": "F/0/P", **IDLE},
        {"id": "0003_01"},
    )  # fmt: skip
    table = build_features(rows, rows, SOLVER.features)
    assert table["cabin_mates"].tolist()[:4] == [2, 2, 1, 1]
    assert table["cabin_position"].tolist()[:4] == [-4, -4, -9, 1]
    assert table["party_size"].tolist() == [3, 3, 3, 1, 1]
    assert table["party_place"].tolist() == [1, 2, 3, 1, 1]
    assert table["total_credits"].tolist()[0] == 14
    assert table["luxury_credits"].tolist()[0] == 5
    assert table["basic_credits"].tolist()[0] == 9
    assert table["luxury_less_basic"].tolist()[0] == 2 + 1 + 0 - 3
    assert table["counters_used"].tolist() == [3, 0, 0, 0, 0]
    assert told(table["child"]) == [0, 1, None, None, None]
    assert table["planet_earth"].tolist() == [1, 1, 1, 0, 0]
    assert table["deck_g"].tolist() == [1, 1, 0, 0, 0]
    assert table["destination_trappist-1e"].tolist() == [1, 0, 0, 0, 0]
    assert told(table["asleep"]) == [0, None, None, None, None]


def test_every_direction_names_a_feature():
    rows = people({}, {})
    table = build_features(rows, rows, SOLVER.features)
    assert {name for name, _ in features.DIRECTIONS} <= set(table.columns)


def test_groups_are_the_parties():
    rows = people({"id": "0007_01"}, {"id": "0007_02"}, {"id": "0008_01"})
    assert SOLVER.groups(rows).tolist() == [7, 7, 8]


def test_synthetic_passengers_obey_the_rules_of_the_domain():
    train, test, sample = passengers(300, 80, 5)
    assert (len(train), len(test), len(sample)) == (300, 80, 80)
    everyone = pd.concat([train, test.assign(Transported=None)], ignore_index=True)
    rows = parse(contract.check(everyone, Passenger, name="rows").rows)
    assert (rows.loc[rows["CryoSleep"].fillna(False), BILLS].fillna(0) == 0).all(axis=None)
    assert (rows.loc[rows["Age"] < 13, BILLS].fillna(0) == 0).all(axis=None)
    for column in ("HomePlanet", "Side"):
        assert rows.groupby("Party")[column].nunique().max() == 1
    for _, corridor in rows.dropna(subset=["Cabin"]).groupby(["Deck", "Side"]):
        numbers = corridor.sort_values("PassengerId")["CabinNumber"]
        assert (np.diff(numbers) >= 0).all()
    europa = rows[rows["Deck"].isin(["A", "B", "C", "T"])]["HomePlanet"].dropna()
    assert set(europa) == {"Europa"}
    assert not rows[rows["HomePlanet"].eq("Earth").fillna(False)]["VIP"].fillna(False).any()
