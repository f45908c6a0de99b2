"""Rules of the domain, each a function that fills in missing values and changes nothing else.

Found by looking at the competition's data and its data page. They see train and test rows
together, sorted by id, and never the target. A rule that says "from the party" asks the
passengers of the same party who know.
"""

import numpy as np
import pandas as pd

from solvers.tasks.spaceship_titanic.parts import BILLS

PLANET_OF_DECK = {"A": "Europa", "B": "Europa", "C": "Europa", "T": "Europa", "G": "Earth"}
FIRST_SPENDING_AGE = 13  # years
ADULT_AGE = 18  # years


def planet_from_deck(rows: pd.DataFrame) -> pd.DataFrame:
    """Decks A, B, C and T are Europa's, G is Earth's."""
    return _fill(rows, "HomePlanet", rows["Deck"].map(PLANET_OF_DECK))


def planet_from_party(rows: pd.DataFrame) -> pd.DataFrame:
    """A party shares its home planet."""
    return _fill(rows, "HomePlanet", _agreed(rows, "Party", "HomePlanet"))


def planet_from_surname(rows: pd.DataFrame) -> pd.DataFrame:
    """One surname, one planet."""
    return _fill(rows, "HomePlanet", _agreed(rows, "Surname", "HomePlanet"))


def side_from_party(rows: pd.DataFrame) -> pd.DataFrame:
    """A party shares its side of the ship."""
    return _fill(rows, "Side", _agreed(rows, "Party", "Side"))


def spenders_are_awake(rows: pd.DataFrame) -> pd.DataFrame:
    """Whoever left credits anywhere was not asleep."""
    return _fill(rows, "CryoSleep", False, where=rows[BILLS].sum(axis=1) > 0)


def sleepers_spend_nothing(rows: pd.DataFrame) -> pd.DataFrame:
    """A sleeper is confined to the cabin: a missing bill is zero."""
    return _fill_bills(rows, _asleep(rows))


def children_spend_nothing(rows: pd.DataFrame) -> pd.DataFrame:
    """Nobody under 13 has a bill."""
    return _fill_bills(rows, rows["Age"] < FIRST_SPENDING_AGE)


def no_vip_is_from_earth(rows: pd.DataFrame) -> pd.DataFrame:
    """Nobody from Earth is a VIP."""
    return _fill(rows, "VIP", False, where=_from_earth(rows))


def no_vip_is_a_minor(rows: pd.DataFrame) -> pd.DataFrame:
    """Nobody under 18 is a VIP."""
    return _fill(rows, "VIP", False, where=rows["Age"] < ADULT_AGE)


def idle_adults_sleep(rows: pd.DataFrame) -> pd.DataFrame:
    """Whoever is 13 or older with five bills of zero was asleep (nearly always)."""
    idle = rows[BILLS].eq(0).all(axis=1) & (rows["Age"] >= FIRST_SPENDING_AGE)
    return _fill(rows, "CryoSleep", True, where=idle)


def deck_from_party(rows: pd.DataFrame) -> pd.DataFrame:
    """A party whose known cabins are all on one deck is on that deck (mostly)."""
    return _fill(rows, "Deck", _agreed(rows, "Party", "Deck"))


def earth_sleepers_are_on_deck_g(rows: pd.DataFrame) -> pd.DataFrame:
    """Sleepers from Earth are on deck G (nearly always)."""
    return _fill(rows, "Deck", "G", where=_asleep(rows) & _from_earth(rows))


def number_from_party(rows: pd.DataFrame) -> pd.DataFrame:
    """A party has one cabin on a deck."""
    return _fill(rows, "CabinNumber", _agreed(rows, ["Party", "Deck"], "CabinNumber"))


def number_from_neighbours(rows: pd.DataFrame) -> pd.DataFrame:
    """Cabin numbers rise with the party's: interpolate along the corridor, or else the deck."""
    numbers = rows["CabinNumber"].copy()
    for stretch in (["Deck", "Side"], ["Deck"]):
        for _, cabins in rows.groupby(stretch):
            unknown = cabins.index[numbers.loc[cabins.index].isna()]
            known = cabins.dropna(subset=["CabinNumber"]).drop_duplicates("Party")
            if len(known) and len(unknown):
                parties = cabins.loc[unknown, "Party"]
                between = np.interp(parties, known["Party"], known["CabinNumber"])
                numbers.loc[unknown] = np.round(between)
    return rows.assign(CabinNumber=numbers)


def bill_from_usual_total(rows: pd.DataFrame) -> pd.DataFrame:
    """One missing bill is what is left to the planet's median total, if anything (an estimate)."""
    spends = ~_asleep(rows) & ~(rows["Age"] < FIRST_SPENDING_AGE)
    total = rows[BILLS].sum(axis=1)
    whole = spends & rows[BILLS].notna().all(axis=1)
    usual = rows["HomePlanet"].map(total[whole].groupby(rows["HomePlanet"]).median())
    one_missing = spends & rows[BILLS].isna().sum(axis=1).eq(1)
    return _fill_bills(rows, one_missing, (usual - total).clip(lower=0))


RULES = (
    planet_from_deck,
    planet_from_party,
    planet_from_surname,
    side_from_party,
    spenders_are_awake,
    sleepers_spend_nothing,
    children_spend_nothing,
    no_vip_is_from_earth,
    no_vip_is_a_minor,
    idle_adults_sleep,
    deck_from_party,
    earth_sleepers_are_on_deck_g,
    number_from_party,
    number_from_neighbours,
    bill_from_usual_total,
)


def _asleep(rows: pd.DataFrame) -> pd.Series:
    """Tell who is known to sleep."""
    return rows["CryoSleep"].fillna(False).astype(bool)


def _from_earth(rows: pd.DataFrame) -> pd.Series:
    """Tell who is known to come from Earth."""
    return rows["HomePlanet"].eq("Earth").fillna(False)


def _agreed(rows: pd.DataFrame, key: str | list[str], column: str) -> pd.Series:
    """Give each row the one `column` value known for its `key`; missing where they differ."""
    groups = rows.groupby(key)[column]
    return groups.transform("first").where(groups.transform("nunique") == 1)


def _fill(
    rows: pd.DataFrame, column: str, values: object, where: pd.Series | None = None
) -> pd.DataFrame:
    """Fill missing values of one column, in all rows or in some."""
    gaps = rows[column].isna() if where is None else rows[column].isna() & where
    return rows.assign(**{column: rows[column].mask(gaps, values)})


def _fill_bills(
    rows: pd.DataFrame, where: pd.Series, credits: pd.Series | float = 0.0
) -> pd.DataFrame:
    return rows.assign(
        **{bill: rows[bill].mask(rows[bill].isna() & where, credits) for bill in BILLS}
    )
