"""Rules and features of the introverts on a few made-up people, worked out by hand."""

import pandas as pd

from solvers import contract
from solvers.features import apply_rules, build_features
from solvers.tasks.playground_series_s5e7 import (
    FEELINGS,
    HABITS,
    SOLVER,
    Person,
    drained_from_fear,
    fear_from_drained,
    people,
)


def answers(*rows):
    """Type people's answers; what a row does not say is missing."""
    columns = contract.columns_of(Person)
    table = pd.DataFrame({c: pd.Series([r.get(c) for r in rows], dtype=object) for c in columns})
    table["id"] = [str(number) for number in range(len(rows))]
    checked = contract.check(table, Person, name="rows")
    assert checked.failures == ()
    return checked.rows


def told(column):
    return [None if value is pd.NA or value != value else value for value in column]


FOUR = (
    {"Drained_after_socializing": "Yes"},
    {"Stage_fear": "No"},
    {"Stage_fear": "Yes", "Drained_after_socializing": "No"},
    {},
)


def test_fear_follows_from_being_drained():
    assert told(fear_from_drained(answers(*FOUR))["Stage_fear"]) == [True, False, True, None]


def test_being_drained_follows_from_fear():
    drained = drained_from_fear(answers(*FOUR))["Drained_after_socializing"]
    assert told(drained) == [True, False, False, None]


def test_rules_count_what_they_filled():
    _, counts = apply_rules(answers(*FOUR), SOLVER.rules)
    assert counts == {"fear_from_drained": 1, "drained_from_fear": 1}


def test_features_are_numbers_and_a_gap_in_both_feelings_stays_one():
    raw = answers({"Time_spent_Alone": "3", "Stage_fear": "Yes"}, {"Stage_fear": "No"}, {})
    rows, _ = apply_rules(raw, SOLVER.rules)
    table = build_features(rows, raw, SOLVER.features)
    assert list(table.columns) == [*HABITS, *FEELINGS]
    assert told(table["Drained_after_socializing"]) == [1, 0, None]
    assert told(table["Stage_fear"]) == [1, 0, None]
    assert told(table["Time_spent_Alone"]) == [3, None, None]


def test_example_satisfies_the_contract_and_has_gaps():
    train, test, sample = people(80, 20, 4)
    for table in (train, test):
        text = table.astype(str).astype(object).where(table.notna(), None)
        assert contract.check(text, Person, name="rows").failures == ()
        assert table.isna().any(axis=None)
    assert set(train["Personality"]) == {"Extrovert", "Introvert"}
    assert list(sample.columns) == ["id", "Personality"]
