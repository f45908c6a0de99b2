"""Made-up passengers, for the demo and the tests: no name, ticket or end is a real one."""

import numpy as np
import pandas as pd

_SYLLABLES = ("ba", "do", "fi", "ka", "lu", "mo", "ne", "pa", "ri", "so", "ta", "vu")
_COLUMNS = [
    "PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "SibSp", "Parch", "Ticket", "Fare",
    "Cabin", "Embarked",
]  # fmt: skip


def passengers(
    n_train: int, n_test: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make train, test and sample submission as text, None where a value is missing."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    people = pd.DataFrame(_parties(n, random))
    people = people.iloc[random.permutation(n)].reset_index(drop=True)
    people["PassengerId"] = np.arange(1, n + 1)
    people["Age"] = people["Age"].where(random.random(n) < 0.8)
    people["Cabin"] = people["Cabin"].where(random.random(n) < 0.4 / people["Pclass"])
    table = people[_COLUMNS].astype(object)
    table = table.map(lambda value: None if pd.isna(value) else str(value))
    test = table.iloc[n_train:].reset_index(drop=True)
    sample = pd.DataFrame({"PassengerId": test["PassengerId"], "Survived": "0"})
    return table.iloc[:n_train], test.drop(columns="Survived"), sample


def _parties(n: int, random: np.random.Generator) -> list[dict[str, object]]:
    """Couples with children, and people alone; a party holds one ticket and shares some luck."""
    rows: list[dict[str, object]] = []
    while len(rows) < n:
        size = int(random.choice([1, 2, 3, 5], p=[0.65, 0.15, 0.1, 0.1]))
        size = min(size, n - len(rows))
        pclass = int(random.choice([1, 2, 3], p=[0.25, 0.2, 0.55]))
        shared = {
            "Pclass": pclass,
            "Ticket": f"{random.choice(['', 'PC ', 'A/5 '])}{random.integers(1000, 400_000)}",
            "Fare": round(float(size * np.exp(random.normal(4 - 0.7 * pclass, 0.3))), 4),
            "Cabin": f"{random.choice(['C', 'D', 'E'])}{random.integers(1, 120)}",
            "Embarked": str(random.choice(["S", "C", "Q"], p=[0.72, 0.19, 0.09])),
        }
        surname, luck = _name(random), random.normal(0, 1.2)
        for place in range(size):
            rows.append(shared | _person(surname, place, size, pclass, luck, random))
    return rows


def _person(
    surname: str, place: int, size: int, pclass: int, luck: float, random: np.random.Generator
) -> dict[str, object]:
    """A man, a wife, and children after them; women and children first."""
    child = place >= 2
    female = place == 1 or random.random() < (0.5 if child else 0.3)
    title = ("Miss" if child or size == 1 else "Mrs") if female else "Master" if child else "Mr"
    odds = luck + (1.2 if female or child else -1.5) + 0.8 * (2 - pclass)
    return {
        "Name": f"{surname}, {title}. {_name(random)}",
        "Sex": "female" if female else "male",
        "Age": float(random.integers(1, 13) if child else random.integers(16, 70)),
        "SibSp": size - 3 if child else int(size > 1),
        "Parch": 2 if child else max(size - 2, 0),
        "Survived": int(random.random() < 1 / (1 + np.exp(-odds))),
    }


def _name(random: np.random.Generator) -> str:
    return "".join(random.choice(_SYLLABLES, size=2)).capitalize()
