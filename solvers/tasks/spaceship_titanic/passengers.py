"""Synthetic passengers: made from a seed, obeying the rules of the domain, with a signal to learn.

No row comes from the competition. Names are syllables, amounts are drawn, and whether a passenger
is transported follows a formula of our own, so a score on them says nothing about the real task.
"""

import numpy as np
import pandas as pd

BILLS = ("RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck")
_DECKS = {"Earth": ("G", "F", "E"), "Europa": ("B", "C", "A", "D"), "Mars": ("F", "E", "D")}
_DESTINATIONS = ("TRAPPIST-1e", "55 Cancri e", "PSO J318.5-22")
_ENDINGS = {"Earth": "son", "Europa": "iel", "Mars": "ock"}
_SYLLABLES = ("ba", "do", "fi", "ka", "lu", "mo", "ne", "pa", "ri", "so", "ta", "vu")
# How much an awake adult leaves at each counter, as the mean of a log-normal, by planet.
_TASTES = {
    "Earth": (3.5, 4.5, 4.0, 3.5, 3.5),
    "Europa": (3.0, 6.5, 3.5, 6.0, 6.0),
    "Mars": (6.0, 3.0, 5.0, 3.5, 3.0),
}


def passengers(
    n_train: int, n_test: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make train, test and sample submission as text, rows cut at random as in the public split.

    Returns
    -------
    train, test, sample : DataFrames of text, None where a value is missing
    """
    random = np.random.default_rng(seed)
    people = _parties(n_train + n_test, random)
    people = _habits(people, random)
    people["Transported"] = _fate(people, random)
    people = _forget(people, random)
    people = people.iloc[random.permutation(len(people))].reset_index(drop=True)
    train, test = people.iloc[:n_train], people.iloc[n_train:].reset_index(drop=True)
    sample = pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": "False"})
    return train, test.drop(columns="Transported"), sample


def _parties(n: int, random: np.random.Generator) -> pd.DataFrame:
    """Parties board in order: one planet and one side each, cabin numbers rising on every deck."""
    rows: list[dict[str, object]] = []
    next_number: dict[tuple[str, str], int] = {}
    party = 0
    while len(rows) < n:
        party += 1
        if party > 9999:
            msg = f"{n} passengers are too many: ids have room for 9999 parties"
            raise ValueError(msg)
        planet = str(random.choice(["Earth", "Europa", "Mars"], p=[0.54, 0.25, 0.21]))
        side = str(random.choice(["P", "S"]))
        deck = str(random.choice(_DECKS[planet]))
        number = next_number.get((deck, side), 0)
        next_number[deck, side] = number + 1
        surname = _name(random, 2) + _ENDINGS[planet]
        size = int(random.choice([1, 2, 3, 5], p=[0.6, 0.2, 0.1, 0.1]))
        for place in range(1, min(size, n - len(rows)) + 1):
            rows.append(
                {
                    "PassengerId": f"{party:04d}_{place:02d}",
                    "HomePlanet": planet,
                    "Cabin": f"{deck}/{number}/{side}",
                    "Destination": str(random.choice(_DESTINATIONS, p=[0.7, 0.2, 0.1])),
                    "Name": f"{_name(random, 2)} {surname}",
                }
            )
    return pd.DataFrame(rows)


def _name(random: np.random.Generator, syllables: int) -> str:
    return "".join(random.choice(_SYLLABLES, size=syllables)).capitalize()


def _habits(people: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Sleepers and children under 13 spend nothing; nobody from Earth is a VIP."""
    n = len(people)
    age = np.clip(np.round(random.gamma(4.0, 7.5, n)), 0, 79)
    asleep = random.random(n) < 0.35
    spends = ~asleep & (age >= 13)
    vip = (random.random(n) < 0.05) & (people["HomePlanet"] != "Earth") & (age >= 18)
    tastes = np.array([_TASTES[planet] for planet in people["HomePlanet"]])
    visits = random.random((n, len(BILLS))) < 0.65
    amounts = np.round(np.exp(random.normal(tastes, 1.2)))
    bills = np.where(visits & spends[:, None], amounts, 0.0)
    # An awake adult always leaves something somewhere.
    idle = spends & (bills.sum(axis=1) == 0)
    bills[idle, 1] = amounts[idle, 1] + 1
    return people.assign(
        CryoSleep=np.where(asleep, "True", "False"),
        Age=age,
        VIP=np.where(vip, "True", "False"),
        **dict(zip(BILLS, bills.T, strict=True)),
    )


def _fate(people: pd.DataFrame, random: np.random.Generator) -> np.ndarray:
    """Sleepers are mostly transported, big spenders on luxury mostly not."""
    luxury = np.sqrt(people[["RoomService", "Spa", "VRDeck"]].sum(axis=1))
    basic = np.sqrt(people[["FoodCourt", "ShoppingMall"]].sum(axis=1))
    odds = (
        -0.5
        + 3.0 * (people["CryoSleep"] == "True")
        + 1.2 * (people["HomePlanet"] == "Europa")
        + 0.8 * people["Cabin"].str.endswith("S")
        - 0.15 * luxury
        + 0.10 * basic
    )
    chance = 1 / (1 + np.exp(-odds))
    return np.where(random.random(len(people)) < chance, "True", "False")


def _forget(people: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Write everything as text and lose about 2 % of each column but the id and the target."""
    columns = ["PassengerId", "HomePlanet", "CryoSleep", "Cabin", "Destination", "Age", "VIP"]
    columns += [*BILLS, "Name", "Transported"]
    text = people[columns].astype(object).map(str)
    for column in columns[1:-1]:
        lost = random.random(len(text)) < 0.02
        text[column] = [
            None if gone else value for gone, value in zip(lost, text[column], strict=True)
        ]
    return text
