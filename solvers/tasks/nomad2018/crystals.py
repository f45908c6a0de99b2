"""Read crystals and find each atom's neighbours, periodic images included."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
KINDS = ("Al", "Ga", "In", "O")
OXYGEN = KINDS.index("O")


@dataclass(frozen=True)
class Crystal:
    """One unit cell.

    Attributes
    ----------
    lattice : ndarray of shape (3, 3)
        The three edges, in angstroms.
    places : ndarray of shape (n_atoms, 3)
        Cartesian, in angstroms.
    kinds : ndarray of shape (n_atoms,)
        Positions in `KINDS`.
    """

    lattice: Array
    places: Array
    kinds: Ints

    @property
    def volume(self) -> float:
        """Of the cell, in cubic angstroms."""
        return float(abs(np.linalg.det(self.lattice)))


@dataclass(frozen=True)
class Pairs:
    """All ordered pairs of atoms nearer than a cutoff: who, whom, how far and whither."""

    first: Ints
    second: Ints
    distance: Array
    step: Array


def read_crystal(text: str) -> Crystal:
    """Read the lines ``lattice_vector x y z`` and ``atom x y z kind``."""
    words = [line.split() for line in text.splitlines()]
    lattice = [word[1:4] for word in words if word and word[0] == "lattice_vector"]
    atoms = [word for word in words if word and word[0] == "atom"]
    return Crystal(
        np.array(lattice, dtype=np.float64),
        np.array([atom[1:4] for atom in atoms], dtype=np.float64),
        np.array([KINDS.index(atom[4]) for atom in atoms], dtype=np.intp),
    )


def pairs(crystal: Crystal, cutoff: float) -> Pairs:
    """Find all pairs up to `cutoff` angstroms, over as many copies of the cell as that takes.

    Atoms are first moved into the cell. A cell's height over a face is the volume over that face's
    area, so ``cutoff / height`` copies on either side, and one more, hold every neighbour.
    """
    inverse = np.linalg.inv(crystal.lattice)
    places = (crystal.places @ inverse % 1.0) @ crystal.lattice
    reach = np.ceil(cutoff * np.linalg.norm(inverse, axis=0)).astype(np.intp)
    axes = [np.arange(-n, n + 1) for n in reach]
    copies = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    shifts = copies @ crystal.lattice
    steps = (places[None, None] + shifts[None, :, None]) - places[:, None, None]
    squares = np.einsum("icjk,icjk->icj", steps, steps)
    near = (squares < cutoff**2) & (squares > 1e-6)
    first, copy, second = np.nonzero(near)
    step = steps[first, copy, second]
    return Pairs(first, second, np.linalg.norm(step, axis=1), step)
