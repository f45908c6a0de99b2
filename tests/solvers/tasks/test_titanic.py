"""Titanic's rules, features and mates on a few made-up passengers, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from solvers import contract
from solvers.features import apply_rules, build_features
from solvers.models import Fitted
from solvers.models.companions import Mates, WithMates
from solvers.models.linear import Logistic
from solvers.target import Target
from solvers.tasks.titanic import SOLVER, features, rules
from solvers.tasks.titanic.contract import Passenger
from solvers.tasks.titanic.parts import parse
from solvers.tasks.titanic.passengers import passengers

TARGET = Target("Survived", ("0", "1"))


def people(*rows):
    """Type and parse passengers; what a row does not say is usual, or missing."""
    usual = {"Pclass": "3", "Sex": "male", "SibSp": "0", "Parch": "0", "Fare": "8"}
    table = pd.DataFrame(
        [
            {"PassengerId": str(n), "Name": f"Q{n}, Mr. X", "Ticket": str(n), **usual, **row}
            for n, row in enumerate(rows, start=1)
        ]
    ).reindex(columns=contract.columns_of(Passenger))
    checked = contract.check(table.astype(object), Passenger, name="rows")
    assert checked.failures == ()
    return parse(checked.rows)


def told(column):
    return [None if value is pd.NA or value != value else value for value in column]


def test_names_cabins_and_tickets_are_taken_apart():
    row = people({"Name": "O'Hara, Mlle. Ada (Eve)", "Sex": "female", "Cabin": "F G73"}).iloc[0]
    assert (row["Surname"], row["Written"], row["Title"], row["Deck"]) == (
        "O'Hara", "Mlle", "Miss", "F",
    )  # fmt: skip


def test_titles_are_four():
    rows = people(
        {"Name": "A, Dr. X"}, {"Name": "B, Dr. X", "Sex": "female"}, {"Name": "C, Master. X"},
        {"Name": "D, the Countess. of X", "Sex": "female"},
    )  # fmt: skip
    assert rows["Title"].tolist() == ["Mr", "Mrs", "Master", "Mrs"]
    assert rows["WomanOrChild"].tolist() == [0, 1, 1, 1]


def test_a_party_shares_a_ticket_or_a_family_and_chains_of_both():
    rows = people(
        {"Ticket": "7"}, {"Ticket": "7", "Name": "Ox, Mr. A", "SibSp": "1"},
        {"Name": "Ox, Mr. B", "SibSp": "1"}, {"Name": "Ox, Mr. C"},
        {"Name": "Ox, Mr. D", "SibSp": "1", "Pclass": "1"}, {"Ticket": "LINE"}, {"Ticket": "LINE"},
    )  # fmt: skip
    # The third is the second's brother; the fourth has no relatives; the fifth is in first class;
    # LINE is no ticket.
    assert rows["Party"].tolist() == [0, 0, 0, 3, 4, 5, 6]


def test_age_follows_from_title_class_and_parents():
    miss = {"Name": "A, Miss. X", "Sex": "female"}
    rows = people(
        miss | {"Age": "4", "Parch": "1"}, miss | {"Age": "30"}, miss | {"Parch": "2"}, miss,
        {"Name": "B, Master. X"},
    )  # fmt: skip
    assert told(rules.age_from_title(rows)["Age"]) == [4, 30, 4, 30, None]


def test_deck_and_port_follow_from_the_ticket():
    rows = people(
        {"Ticket": "7", "Cabin": "E10", "Embarked": "Q"}, {"Ticket": "7"},
        {"Ticket": "8", "Cabin": "E10"}, {"Ticket": "8", "Cabin": "D1"}, {"Ticket": "8"},
    )  # fmt: skip
    assert told(rules.deck_from_party(rows)["Deck"]) == ["E", "E", "E", "D", None]
    assert told(rules.port_from_ticket(rows)["Embarked"]) == ["Q", "Q", "S", "S", "S"]


def test_fare_follows_from_the_class():
    rows = people({"Fare": "10"}, {"Fare": "20"}, {"Fare": None}, {"Fare": "90", "Pclass": "1"})
    assert told(rules.fare_from_class(rows)["Fare"]) == [10, 20, 15, 90]


def test_features_of_four_passengers_are_as_worked_out_by_hand():
    rows = people(
        {"Name": "Ox, Mr. A", "SibSp": "1", "Ticket": "7", "Fare": "20", "Cabin": "C1"},
        {"Name": "Ox, Mrs. B", "Sex": "female", "SibSp": "1", "Ticket": "7", "Fare": "20"},
        {"Name": "Em, Rev. C", "Pclass": "2", "Embarked": "C"},
        {"Name": "Em, Master. D", "Parch": "1", "Pclass": "1"},
    )
    filled, _ = apply_rules(rows, SOLVER.rules)
    table = build_features(filled, rows, SOLVER.features)
    assert table["class"].tolist() == [3, 3, 2, 1]
    assert table["woman_or_child"].tolist() == [0, 1, 0, 1]
    assert table["man"].tolist() == [1, 0, 1, 0]
    assert table["clergy"].tolist() == [0, 0, 1, 0]
    assert table["woman_class"].tolist() == [0, 3, 0, 1]
    assert table["kind"].tolist() == [3, 6, 2, 4]
    assert np.expm1(table["fare_a_head"]).round(9).tolist() == [10, 10, 8, 8]
    assert table["cabin_known"].tolist() == [1, 0, 0, 0]
    assert told(table["deck"]) == [3, 3, None, None]
    assert table["from_cherbourg"].tolist() == [0, 0, 1, 0]
    assert told(table["party"]) == [0, 0, None, None]


def party(key, woman, y=None):
    rows = pd.DataFrame({"party": key, "woman": woman, "kind": 1.0}, dtype="float64")
    return rows if y is None else (rows, np.array(y, dtype=float))


def test_mates_are_told_without_the_row_itself():
    # The mean label is 1/2. Party 0 has two women who lived and a man who died.
    X, y = party([0, 0, 0, 1, np.nan, np.nan], [1, 1, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0])
    new = party([0, 1, 2, np.nan], [1, 1, 1, 1])
    model = WithMates(Logistic(), "party", "kind", (Mates("women", "woman"),))
    seen, seen_new = model.tell(X, y, new)
    assert seen["women_known"].tolist() == [1, 1, 2, 0, 0, 0]
    # One mate with .5 more than expected: .5 / (1 + 1); two of them: 1 / (2 + 1).
    assert seen["women_surplus"].tolist() == pytest.approx([0.25, 0.25, 1 / 3, 0, 0, 0])
    assert seen_new["women_known"].tolist() == [2, 1, 0, 0]
    assert seen_new["women_surplus"].tolist() == pytest.approx([1 / 3, -0.25, 0, 0])


def test_a_row_s_own_label_does_not_reach_what_it_is_told():
    X, y = party([0, 0, 1, 1, 1], [1, 1, 1, 1, 0], [1, 0, 1, 1, 0])
    model = WithMates(Logistic(), "party", "woman", (Mates("women", "woman"),))
    for row in range(len(y)):
        flipped = np.where(np.arange(len(y)) == row, 1 - y, y)
        # Only by way of what is expected of all rows alike, which is no row's own.
        before, after = (model.tell(X, labels, X)[0] for labels in (y, flipped))
        assert before["women_known"].equals(after["women_known"])
    alone, _ = model.tell(*party([np.nan] * 3, [1, 1, 0], [1, 0, 1]), party([np.nan], [1]))
    assert (alone == 0).all(axis=None)


def test_the_key_is_hidden_and_its_account_holds_what_mates_told():
    class Spy:
        name = "spy"

        def fit_predict(self, X, y, X_new, *, target, seed):
            assert list(X) == list(X_new) == ["woman", "kind", "women_known", "women_surplus"]
            return Fitted(np.zeros((len(X_new), 1)), importance=np.array([0.1, 0.2, 0.3, 0.4]))

    X, y = party([0, 0], [1, 1], [1, 0])
    model = WithMates(Spy(), "party", "kind", (Mates("women", "woman"),))
    fitted = model.fit_predict(X, y, X, target=TARGET, seed=0)
    assert fitted.importance.tolist() == pytest.approx([0.7, 0.1, 0.2])


def test_logistic_takes_gaps_and_constants():
    X = pd.DataFrame({"a": [0.0, 1.0, np.nan, 3.0], "b": 1.0})
    p = Logistic(C=10.0).fit_predict(X, np.array([0.0, 0, 1, 1]), X, target=TARGET, seed=0)
    assert p.predictions.shape == (4, 1)
    assert p.predictions[0, 0] < p.predictions[2, 0] < p.predictions[3, 0]


def test_directions_name_features_or_what_mates_tell():
    rows = people({}, {})
    table = build_features(rows, rows, SOLVER.features)
    named = {name for name, _ in features.DIRECTIONS}
    assert named - set(table.columns) == {"women_surplus", "men_surplus"}


def test_made_up_passengers_meet_the_contract():
    train, test, sample = passengers(120, 40, 3)
    assert (len(train), len(test), len(sample)) == (120, 40, 40)
    for table in (train, test):
        assert contract.check(table, Passenger, name="rows").failures == ()
    assert set(train["Survived"]) == {"0", "1"}
