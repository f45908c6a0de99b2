"""Features in named groups.

Each sees train and test rows together, after the rules (`rows`) and before them (`raw`), and never
the target.
"""

import numpy as np
import pandas as pd

from solvers.tasks.spaceship_titanic.parts import (
    BASIC,
    BILLS,
    DECKS,
    DESTINATIONS,
    LUXURY,
    PLANETS,
    SIDES,
)
from solvers.tasks.spaceship_titanic.rules import FIRST_SPENDING_AGE


def person(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Who somebody is, where from and where to."""
    age = rows["Age"]
    return pd.DataFrame(
        {
            **_one_hot("planet", rows["HomePlanet"], PLANETS),
            **_one_hot("destination", rows["Destination"], DESTINATIONS),
            "asleep": _number(rows["CryoSleep"]),
            "vip": _number(rows["VIP"]),
            "age_years": age,
            "child": (age < FIRST_SPENDING_AGE).astype("float64").where(age.notna()),
        }
    )


def cabin(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Where on the ship, and how many of the party share that deck.

    The position is the cabin's number, counted upwards on port and downwards on starboard, so that
    one split of a tree can set a stretch of one side apart.
    """
    mates = rows.groupby(["Party", "Deck"])["Party"].transform("size")
    side = rows["Side"].map({"P": 1.0, "S": -1.0}).astype("float64")
    return pd.DataFrame(
        {
            **_one_hot("deck", rows["Deck"], DECKS),
            **_one_hot("side", rows["Side"], SIDES),
            "cabin_number": rows["CabinNumber"],
            "cabin_position": side * (rows["CabinNumber"] + 1),
            "cabin_mates": mates.astype("float64"),
        }
    )


def party(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How many travel together, over train and test, and the place among them."""
    size = rows.groupby("Party")["Party"].transform("size")
    return pd.DataFrame(
        {"party_size": size.astype("float64"), "party_place": rows["Place"].astype("float64")}
    )


def bills(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Credits left at each of the five counters."""
    return rows[BILLS]


def spending(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Credits in all, on luxury and on basics, and how the two compare.

    Luxury bills go with staying, basic ones with being transported. Square roots tame the large
    ones and, unlike logarithms, have the same bits on every machine.
    """
    luxury, basic = rows[LUXURY].sum(axis=1), rows[BASIC].sum(axis=1)
    roots = np.sqrt(rows[BILLS])
    return pd.DataFrame(
        {
            "total_credits": luxury + basic,
            "luxury_credits": luxury,
            "basic_credits": basic,
            "luxury_less_basic": roots[LUXURY].sum(axis=1) - roots[BASIC].sum(axis=1),
            "counters_used": rows[BILLS].gt(0).sum(axis=1).astype("float64"),
        }
    )


FEATURES = (person, cabin, party, bills, spending)

# Sleepers are transported more often, as is who spends on food and shopping; who spends on luxury
# is less often. The models may not learn the opposite from a few rows.
DIRECTIONS = (
    ("asleep", 1),
    ("FoodCourt", 1),
    ("ShoppingMall", 1),
    ("basic_credits", 1),
    ("RoomService", -1),
    ("Spa", -1),
    ("VRDeck", -1),
    ("luxury_credits", -1),
    ("luxury_less_basic", -1),
)


def _one_hot(name: str, values: pd.Series, known: list[str]) -> dict[str, pd.Series]:
    """Give each declared word a column, whether train has it or not; a missing one has none."""
    return {
        f"{name}_{word.lower().replace(' ', '_')}": values.eq(word).fillna(False).astype("float64")
        for word in known
    }


def _number(flags: pd.Series) -> pd.Series:
    """Give 1, 0 or NaN for True, False or missing."""
    return pd.Series(flags.to_numpy(dtype="float64", na_value=np.nan), index=flags.index)
