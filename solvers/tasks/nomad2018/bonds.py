"""Numbers that describe one crystal: its bonds, strains and arrangement.

Bond valences: ``exp((R0 - d) / 0.37)`` with R0 of Brown and Altermatt [1]_; at rest they sum to the
ion's charge. Atomic masses are IUPAC's.

References
----------
.. [1] Brown and Altermatt (1985), Bond-valence parameters, Acta Crystallographica B41.
"""

import numpy as np

from solvers.tasks.nomad2018.crystals import KINDS, OXYGEN, Array, Crystal, Pairs, pairs

CUTOFF = 5.2  # angstroms: three shells of metals around a metal
BOND = 2.7  # angstroms: the longest that counts as a bond
R0 = np.array([1.651, 1.730, 1.902])  # Al-O, Ga-O, In-O
MASS = np.array([26.982, 69.723, 114.818, 15.999])  # Al, Ga, In, O
METALS = KINDS[:OXYGEN]


def density(crystal: Crystal) -> dict[str, float]:
    """Volume and mass."""
    mass = float(MASS[crystal.kinds].sum())
    return {
        "cell_volume": crystal.volume,
        "volume_per_atom": crystal.volume / len(crystal.kinds),
        "density": mass / crystal.volume,
    }


def _bonds(crystal: Crystal, near: Pairs) -> tuple[Pairs, Array, Array]:
    """Bonds from metals to oxygens; and of each atom the sum of valences, and their number."""
    kinds, n = crystal.kinds, len(crystal.kinds)
    kept = (kinds[near.first] != OXYGEN) & (kinds[near.second] == OXYGEN) & (near.distance < BOND)
    bonds = Pairs(near.first[kept], near.second[kept], near.distance[kept], near.step[kept])
    valence = np.exp((R0[kinds[bonds.first]] - bonds.distance) / 0.37)
    ends = (bonds.first, bonds.second)
    sums = np.asarray(sum(np.bincount(end, valence, n) for end in ends), dtype=np.float64)
    number = np.bincount(bonds.first, minlength=n) + np.bincount(bonds.second, minlength=n)
    return bonds, sums, number.astype(np.float64)


def strain(crystal: Crystal, near: Pairs) -> dict[str, float]:
    """How far valences are from the ions' charges, and how long bonds are."""
    metal = crystal.kinds != OXYGEN
    bonds, valence, number = _bonds(crystal, near)
    off = valence - np.where(metal, 3.0, 2.0)
    oxygen = valence[~metal]
    return {
        "instability": float(np.sqrt(np.mean(off**2))),
        "oxygen_instability": float(np.sqrt(np.mean(off[~metal] ** 2))),
        "oxygen_valence_sd": float(oxygen.std()),
        "oxygen_valence_min": float(oxygen.min()),
        "oxygen_valence_max": float(oxygen.max()),
        "oxygen_bonds": float(number[~metal].mean()),
        "metal_bonds": float(number[metal].mean()),
        "metal_bonds_sd": float(number[metal].std()),
        "bond_mean": float(bonds.distance.mean()) if len(bonds.distance) else np.nan,
        "bond_sd": float(bonds.distance.std()) if len(bonds.distance) else np.nan,
        "bond_min": float(bonds.distance.min()) if len(bonds.distance) else np.nan,
    }


def sites(crystal: Crystal, near: Pairs) -> dict[str, float]:
    """On which sites each metal sits: bonds, their length, and the sum of their valences."""
    bonds, valence, number = _bonds(crystal, near)
    n, n_metals = len(crystal.kinds), max(1, int((crystal.kinds != OXYGEN).sum()))
    length = np.bincount(bonds.first, bonds.distance, n) / np.maximum(number, 1)
    found: dict[str, float] = {}
    for kind, name in enumerate(METALS):
        mine = crystal.kinds == kind
        there, lengths = mine.any(), bonds.distance[crystal.kinds[bonds.first] == kind]
        found |= {
            f"{name}_bonds": float(number[mine].mean()) if there else np.nan,
            f"{name}_four": float((number[mine] <= 4).sum()) / n_metals,
            f"{name}_length": float(length[mine].mean()) if there else np.nan,
            f"{name}_shortest": float(lengths.min()) if len(lengths) else np.nan,
            f"{name}_valence": float(valence[mine].mean()) if there else np.nan,
            f"{name}_valence_sd": float(valence[mine].std()) if there else np.nan,
        }
    return found


def oxygens(crystal: Crystal, near: Pairs) -> dict[str, float]:
    """Which metals each oxygen is bound to: the words that a crystal is written in."""
    bonds, _, _ = _bonds(crystal, near)
    n, oxygen = len(crystal.kinds), crystal.kinds == OXYGEN
    kinds = crystal.kinds[bonds.first]
    counts = np.stack(
        [np.bincount(bonds.second[kinds == k], minlength=n)[oxygen] for k in range(OXYGEN)], axis=1
    )
    shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    mixed = -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=1)
    found = {"oxygen_mixed": float(mixed.mean())}
    for kind, name in enumerate(METALS):
        found[f"oxygen_{name}_sd"] = float(counts[:, kind].std())
        for times in range(5):
            found[f"oxygen_{name}_{times}"] = float((counts[:, kind] == times).mean())
    both = (crystal.kinds[near.first] == OXYGEN) & (crystal.kinds[near.second] == OXYGEN)
    found["oxygen_apart"] = float(near.distance[both].min()) if both.any() else np.nan
    found["oxygen_close"] = float((both & (near.distance < 3.2)).sum()) / max(1, int(oxygen.sum()))
    return found


GROUPS = {"strain": strain, "sites": sites, "oxygens": oxygens}


def describe(crystal: Crystal) -> dict[str, float]:
    """Describe one crystal by all groups."""
    near = pairs(crystal, CUTOFF)
    found = density(crystal)
    for group in GROUPS.values():
        found |= group(crystal, near)
    return found
