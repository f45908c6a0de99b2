"""Made-up datasets of several kinds, as somebody might hand them over."""

import numpy as np
import pandas as pd

N_TRAIN, N_TEST = 120, 40
N = N_TRAIN + N_TEST


def parted(folder, rows, targets, *, sample=None, write=None):
    """Write train, test and, where there is one, a sample submission."""
    folder.mkdir(parents=True, exist_ok=True)
    write = write or (lambda table, name: table.to_csv(folder / f"{name}.csv", index=False))
    write(rows.iloc[:N_TRAIN], "train")
    write(rows.iloc[N_TRAIN:].drop(columns=targets), "test")
    if sample is not None:
        write(sample(rows.iloc[N_TRAIN:]), "sample_submission")
    return folder


def answering(id_, **answers):
    return lambda test: test[[id_]].assign(**answers)


def gaps(values, random):
    return pd.Series(values).astype(object).mask(random.random(len(values)) < 0.1)


def flowers(folder):
    """Two classes by accuracy, with flags, categories, gaps; semicolons between the fields."""
    random = np.random.default_rng(1)
    height = random.normal(30, 8, N).round(1)
    rows = pd.DataFrame(
        {
            "flower_id": [f"F{number:04d}" for number in random.permutation(N)],
            "height": gaps(height, random),
            "petals": random.integers(4, 9, N),
            "fragrant": gaps(np.where(random.random(N) < 0.5, "yes", "no"), random),
            "colour": gaps(random.choice(["red", "white", "blue"], N), random),
            "greenhouse": "north",
            "bloomed": np.where(height > 30, "Yes", "No"),
        }
    )

    def write(table, name):
        table.to_csv(folder / f"{name}.csv", index=False, sep=";")

    return parted(
        folder, rows, ["bloomed"], sample=answering("flower_id", bloomed="No"), write=write
    )


def birds(folder):
    """Three classes with a column for each, one table as JSON, dates and codes."""
    random = np.random.default_rng(2)
    wing = random.uniform(5, 40, N)
    rows = pd.DataFrame(
        {
            "ring": random.permutation(N) + 1000,
            "seen": pd.date_range("2019-05-01", periods=N, freq="5h").strftime("%Y-%m-%d %H:%M"),
            "hatched": pd.date_range("2015-03-01", periods=N).strftime("%Y-%m-%d"),
            "hide": [f"H{a}/{b}" for a, b in random.integers(0, 40, (N, 2))],
            "wing": wing,
            "species": np.select([wing < 15, wing < 28], ["finch", "thrush"], "gull"),
        }
    )

    def write(table, name):
        table.to_json(folder / f"{name}.json", orient="records")

    species = {"finch": 0.3, "gull": 0.3, "thrush": 0.4}
    return parted(folder, rows, ["species"], sample=answering("ring", **species), write=write)


def ponds(folder):
    """Two targets, no sample, an id by uniqueness alone, tabs, numbers as people write them."""
    random = np.random.default_rng(3)
    depth = random.uniform(-3, 4, N)
    clear = depth.round(3).astype(str).astype(object)
    clear[random.permutation(N)[:4]] = "n.a."
    rows = pd.DataFrame(
        {
            "pond": [f"pond {number}" for number in random.permutation(N)],
            "depth": depth,
            "price": [f"${1000 * one:,.2f}" for one in random.uniform(0.5, 9, N)],
            "clear": clear,
            "frogs": 3 * depth + random.normal(size=N),
            "newts": random.normal(size=N) - depth,
        }
    )

    def write(table, name):
        table.to_csv(folder / f"{name}.tsv", index=False, sep="\t")

    return parted(folder, rows, ["frogs", "newts"], write=write)


def letters(folder):
    """Text, and a description that asks for the area under the curve."""
    random = np.random.default_rng(4)
    words = ["dear", "friend", "the", "rain", "has", "come", "again", "and", "all", "roads"]
    kind = random.random(N) < 0.5
    texts = [" ".join([*random.choice(words, 9), "regards" if one else "farewell"]) for one in kind]
    rows = pd.DataFrame({"id": range(N), "letter": texts, "kind": kind.astype(int)})
    parted(folder, rows, ["kind"], sample=answering("id", kind=0.5))
    (folder / "description.md").write_text("## Evaluation\nThe area under the ROC curve.\n")
    return folder


LONG = "How likely are you to recommend this garden to a friend, a colleague or a passer-by?"


def awkward(folder):
    """Names that Python or a formatter takes ill: digits, keywords, quotes, long ones, others."""
    random = np.random.default_rng(5)
    floor = random.integers(400, 3000, N)
    rows = pd.DataFrame(
        {
            "Id": range(1, N + 1),
            "1st Flr SF": floor,
            "1st-flr sf": floor * 2.5,
            "class": random.choice(["it's", 'a "b"', "back\\slash", "\u2013", "naïve"], N),
            "naïve Größe": random.normal(size=N),
            "Цена": gaps(random.normal(size=N), random),
            'say "hi"': random.choice(["a" * 70, "b" * 70], N),
            "validate": random.normal(size=N) * 1e-4,
            "float": random.normal(size=N) * 1e22,
            "_hidden": random.choice(["T", "F"], N),
            "NUMBERS": random.normal(size=N),
            LONG: random.choice([f"choice number {place}" for place in range(30)], N),
            "Sale Price": floor * 100.0,
        }
    )
    return parted(folder, rows, ["Sale Price"], sample=answering("Id", **{"Sale Price": 0.0}))


ALL = {kind.__name__: kind for kind in (flowers, birds, ponds, letters, awkward)}
