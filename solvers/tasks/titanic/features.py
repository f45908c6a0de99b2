"""Features in named groups.

Each sees train and test rows together, after the rules (`rows`) and before them (`raw`), and never
the target.
"""

import numpy as np
import pandas as pd

# Women and children first, the upper class before the lower, and a party shares its fate: the
# models may not learn the opposite from a few rows.
DIRECTIONS = (
    ("class", -1),
    ("female", 1),
    ("woman_or_child", 1),
    ("women_surplus", 1),
    ("men_surplus", 1),
)


def person(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Class, sex, title and age; women and boys first."""
    title = rows["Title"]
    return pd.DataFrame(
        {
            "class": rows["Pclass"].astype("float64"),
            "female": rows["Sex"].eq("female").astype("float64"),
            "woman_or_child": rows["WomanOrChild"],
            "man": 1.0 - rows["WomanOrChild"],
            "master": title.eq("Master").astype("float64"),
            "miss": title.eq("Miss").astype("float64"),
            "mrs": title.eq("Mrs").astype("float64"),
            "clergy": rows["Written"].eq("Rev").astype("float64"),
            "age": rows["Age"],
            "age_known": raw["Age"].notna().astype("float64"),
            "woman_class": rows["Pclass"] * rows["WomanOrChild"],
        }
    )


def cabin(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Fare for each head, deck, port and whether a cabin is told."""
    heads = rows.groupby("Ticket")["Ticket"].transform("size")
    deck = rows["Deck"].map({d: n for n, d in enumerate("TABCDEFG")})
    return pd.DataFrame(
        {
            "fare": np.log1p(rows["Fare"]),
            "fare_a_head": np.log1p(rows["Fare"] / heads),
            "cabin_known": raw["Cabin"].notna().astype("float64"),
            "deck": deck.astype("float64"),
            "from_cherbourg": rows["Embarked"].eq("C").fillna(False).astype("float64"),
            "from_queenstown": rows["Embarked"].eq("Q").fillna(False).astype("float64"),
        }
    )


def company(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """The party's number, missing for who travels alone, and what its members' ends are held to.

    Not for the models themselves: `WithMates` makes of them what mates' ends tell, in each fit.
    """
    party = rows["Party"].astype("float64")
    return pd.DataFrame(
        {
            "party": party.where(rows.groupby("Party")["Party"].transform("size") > 1),
            "kind": rows["Pclass"] + 3.0 * rows["WomanOrChild"],
        }
    )


FEATURES = (person, cabin, company)
