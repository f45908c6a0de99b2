"""Rules of the domain, each a function that fills in missing values and changes nothing else."""

import pandas as pd


def age_from_title(rows: pd.DataFrame) -> pd.DataFrame:
    """The median age of the title and class; a Miss with parents aboard is younger."""
    with_parents = (rows["Title"].eq("Miss") & (rows["Parch"] > 0)).astype(int)
    usual = rows.groupby([rows["Title"], rows["Pclass"], with_parents])["Age"].transform("median")
    usual = usual.fillna(rows.groupby("Title")["Age"].transform("median"))
    return _fill(rows, "Age", usual)


def deck_from_party(rows: pd.DataFrame) -> pd.DataFrame:
    """Holders of one ticket are on one deck, where it is told for one of them."""
    decks = rows.groupby("Ticket")["Deck"]
    agreed = decks.transform("first").where(decks.transform("nunique") == 1)
    return _fill(rows, "Deck", agreed)


def port_from_ticket(rows: pd.DataFrame) -> pd.DataFrame:
    """Holders of one ticket boarded at one port; else Southampton, where most did."""
    rows = _fill(rows, "Embarked", rows.groupby("Ticket")["Embarked"].transform("first"))
    return _fill(rows, "Embarked", "S")


def fare_from_class(rows: pd.DataFrame) -> pd.DataFrame:
    """The median fare of the class."""
    return _fill(rows, "Fare", rows.groupby("Pclass")["Fare"].transform("median"))


RULES = (age_from_title, deck_from_party, port_from_ticket, fare_from_class)


def _fill(rows: pd.DataFrame, column: str, values: object) -> pd.DataFrame:
    """Fill missing values of one column."""
    return rows.assign(**{column: rows[column].mask(rows[column].isna(), values)})
