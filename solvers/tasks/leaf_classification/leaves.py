"""What a leaf's row looks like, and synthetic leaves."""

from typing import Any

import numpy as np
import pandas as pd
import pandera.pandas as pa

from signatures import REGISTRY

KINDS = ("margin", "shape", "texture")
N_EACH = 64
LEAST = 5  # rows of each species in an example: as many as there are folds


def columns(kind: str) -> list[str]:
    """Name the columns of one kind."""
    return [f"{kind}{number}" for number in range(1, N_EACH + 1)]


def _contract() -> type[pa.DataFrameModel]:
    """Declare 192 columns of one form, which nobody would read as 192 lines."""
    names = [name for kind in KINDS for name in columns(kind)]
    body: dict[str, Any] = {
        name: pa.Field(ge=0, le=1, description="a number of 0 to 1") for name in names
    }
    body["id"] = pa.Field(unique=True, ge=0, description="a whole number, each once")
    body["__annotations__"] = {"id": int, **dict.fromkeys(names, float)}
    body["__doc__"] = "One leaf, as train and test hold it; nothing is missing."
    body["__module__"] = __name__
    body["Config"] = type("Config", (), {"coerce": True})
    return type("Leaf", (pa.DataFrameModel,), body)


Leaf = _contract()


def leaves(n_train: int, n_test: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables; of each species, train has `LEAST` at least."""
    random = np.random.default_rng(seed)
    species = REGISTRY["leaf-classification"].labels
    n_train = max(n_train, LEAST * len(species))
    kind = np.arange(n_train + n_test) % len(species)
    rows = pd.DataFrame({"id": random.permutation(len(kind)) + 1})
    rows["species"] = np.array(species)[kind]
    parts = {}
    for name, scale in zip(KINDS, (0.02, 0.001, 0.02), strict=True):
        middle = random.gamma(1.0, scale, (len(species), N_EACH))
        noise = random.normal(0.0, scale / 3, (len(kind), N_EACH))
        parts[name] = pd.DataFrame(
            np.clip(middle[kind] + noise, 0.0, 1.0).round(6), columns=columns(name)
        )
    rows = pd.concat([rows, *parts.values()], axis=1)
    test = rows.iloc[n_train:].drop(columns="species").reset_index(drop=True)
    sample = pd.concat(
        [test[["id"]], pd.DataFrame(1 / len(species), index=test.index, columns=list(species))],
        axis=1,
    )
    return rows.iloc[:n_train], test, sample
