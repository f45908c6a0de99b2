"""What is written inside the columns: party, cabin parts, surname; and the vocabulary."""

import pandas as pd

BILLS = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
LUXURY = ["RoomService", "Spa", "VRDeck"]
BASIC = ["FoodCourt", "ShoppingMall"]
PLANETS = ["Earth", "Europa", "Mars"]
DESTINATIONS = ["55 Cancri e", "PSO J318.5-22", "TRAPPIST-1e"]
DECKS = ["A", "B", "C", "D", "E", "F", "G", "T"]
SIDES = ["P", "S"]


def parse(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the parts of ids, cabins and names as columns of their own."""
    # Ids read gggg_pp: the party's number, then the passenger's place in it.
    ids = rows["PassengerId"].str.extract(r"^([0-9]+)_([0-9]+)$")
    cabins = rows["Cabin"].str.extract(r"^(?P<deck>.)/(?P<number>[0-9]+)/(?P<side>.)$")
    return rows.assign(
        Party=ids[0].astype("int64"),
        Place=ids[1].astype("int64"),
        Deck=cabins["deck"],
        CabinNumber=pd.to_numeric(cabins["number"]).astype("float64"),
        Side=cabins["side"],
        Surname=rows["Name"].str.extract(r"(\S+)\s*$", expand=False),
    )


def party_of(rows: pd.DataFrame) -> pd.Series:
    """Tell the party each passenger travels in."""
    return rows["Party"]
