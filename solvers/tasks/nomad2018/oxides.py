"""What a crystal's row looks like, and synthetic crystals."""

from typing import Any

import numpy as np
import pandas as pd
import pandera.pandas as pa

SPACEGROUPS = (12, 33, 167, 194, 206, 227)
LENGTHS = [f"lattice_vector_{axis}_ang" for axis in (1, 2, 3)]
ANGLES = [f"lattice_angle_{name}_degree" for name in ("alpha", "beta", "gamma")]
SHARES = [f"percent_atom_{name}" for name in ("al", "ga", "in")]


def _share() -> Any:
    return pa.Field(ge=0, le=1, description="a share of 0 to 1")


def _length() -> Any:
    return pa.Field(gt=0, le=100, description="a length of up to 100 angstroms")


def _angle() -> Any:
    return pa.Field(gt=0, lt=180, description="an angle of 0 to 180 degrees")


class Oxide(pa.DataFrameModel):
    """One crystal, as train and test hold it."""

    id: int = pa.Field(unique=True)
    spacegroup: int = pa.Field(isin=SPACEGROUPS, description="12, 33, 167, 194, 206 or 227")
    number_of_total_atoms: float = pa.Field(ge=5, le=100, description="5 to 100 atoms")
    percent_atom_al: float = _share()
    percent_atom_ga: float = _share()
    percent_atom_in: float = _share()
    lattice_vector_1_ang: float = _length()
    lattice_vector_2_ang: float = _length()
    lattice_vector_3_ang: float = _length()
    lattice_angle_alpha_degree: float = _angle()
    lattice_angle_beta_degree: float = _angle()
    lattice_angle_gamma_degree: float = _angle()

    class Config:
        """Columns arrive typed."""

        coerce = True


def oxides(n_train: int, n_test: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables, ids starting again in test."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    shares = np.round(random.dirichlet([1.0, 1.0, 1.0], n), 4)
    rows = pd.DataFrame({"id": [*range(1, n_train + 1), *range(1, n_test + 1)]})
    rows["spacegroup"] = random.choice(SPACEGROUPS, n)
    rows["number_of_total_atoms"] = random.choice([20.0, 40.0, 80.0], n)
    rows[SHARES] = shares
    rows[LENGTHS] = np.round(random.uniform(5.0, 12.0, (n, 3)), 4)
    rows[ANGLES] = np.round(random.normal(90.0, 0.01, (n, 3)), 4)
    noise = random.normal(0.0, 0.02, (2, n))
    energy = 0.1 + 0.2 * shares[:, 2] * shares[:, 0] + noise[0]
    rows["formation_energy_ev_natom"] = np.maximum(0.0, energy).round(4)
    gap = 5 * shares[:, 0] + 3 * shares[:, 1] + shares[:, 2]
    rows["bandgap_energy_ev"] = np.maximum(0.0, gap + noise[1]).round(4)
    targets = ["formation_energy_ev_natom", "bandgap_energy_ev"]
    test = rows.iloc[n_train:].drop(columns=targets).reset_index(drop=True)
    sample = test[["id"]].assign(**dict.fromkeys(targets, 0.5))
    return rows.iloc[:n_train], test, sample
