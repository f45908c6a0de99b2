"""Crystals and their features, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY, find
from signatures.side_files import read_all, select
from solvers import solve, verify
from solvers.tasks.nomad2018 import cell, crystal
from solvers.tasks.nomad2018.bonds import R0, density, describe, oxygens, strain
from solvers.tasks.nomad2018.crystals import Crystal, pairs, read_crystal
from solvers.tasks.nomad2018.geometry import geometry
from solvers.tasks.nomad2018.oxides import Oxide, oxides

ROCK_SALT = Crystal(  # Al and O, 2 angstroms apart along x, y and z
    4.0 * np.eye(3),
    np.array([[0, 0, 0], [2, 2, 0], [2, 0, 2], [0, 2, 2],
              [2, 0, 0], [0, 2, 0], [0, 0, 2], [2, 2, 2]], dtype=float),
    np.array([0, 0, 0, 0, 3, 3, 3, 3]),
)  # fmt: skip


def test_reads_lattice_atoms_and_skips_comments():
    text = "#made by hand\nlattice_vector 1 0 0\nlattice_vector 0 2 0\nlattice_vector 0 0 3\n"
    crystal = read_crystal(text + "atom 0.5 0 0 In\natom 0 1 0 O\n")
    assert crystal.volume == 6
    assert crystal.kinds.tolist() == [2, 3]
    assert crystal.places.tolist() == [[0.5, 0, 0], [0, 1, 0]]


def test_an_atom_is_its_own_neighbour_in_the_next_cell():
    alone = Crystal(2.0 * np.eye(3), np.zeros((1, 3)), np.array([0]))
    near = pairs(alone, 2.9)  # 6 at 2, 12 at 2.83
    assert sorted(np.round(near.distance, 3)) == [2.0] * 6 + [2.828] * 12


def test_a_skewed_cell_of_the_same_lattice_has_the_same_neighbours():
    straight = Crystal(2.0 * np.eye(3), np.zeros((1, 3)), np.array([0]))
    skewed = Crystal(
        np.array([[2.0, 0, 0], [10.0, 2, 0], [0, 6, 2.0]]), np.zeros((1, 3)), np.array([0])
    )
    a, b = pairs(straight, 5.1), pairs(skewed, 5.1)
    np.testing.assert_allclose(sorted(a.distance), sorted(b.distance), atol=1e-9)


def test_six_bonds_of_two_angstroms_and_their_valence():
    near = pairs(ROCK_SALT, 5.2)
    found = strain(ROCK_SALT, near)
    valence = 6 * np.exp((R0[0] - 2.0) / 0.37)
    assert found["metal_bonds"] == found["oxygen_bonds"] == 6
    assert found["bond_mean"] == pytest.approx(2.0)
    assert found["oxygen_valence_max"] == pytest.approx(valence)
    assert found["oxygen_instability"] == pytest.approx(abs(valence - 2))


def test_words_of_oxygens():
    near = pairs(ROCK_SALT, 5.2)
    words = oxygens(ROCK_SALT, near)
    assert words["oxygen_Ga_0"] == 1
    assert words["oxygen_Al_4"] == 0  # six, not four
    assert words["oxygen_mixed"] == pytest.approx(0)


def test_density():
    found = density(ROCK_SALT)
    assert found["volume_per_atom"] == pytest.approx(8)
    assert found["density"] == pytest.approx(4 * (26.982 + 15.999) / 64)


def test_turning_the_crystal_or_moving_atoms_by_a_cell_changes_nothing():
    # Off the lattice's special distances, which rounding would push over a shell's edge.
    random = np.random.default_rng(0)
    places = ROCK_SALT.places * 1.013 + random.normal(0, 0.03, (8, 3))
    loose = Crystal(ROCK_SALT.lattice * 1.013, places, np.array([0, 1, 2, 0, 3, 3, 3, 3]))
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    moved = loose.places + 3 * loose.lattice[1] * (np.arange(8) == 2)[:, None]
    other = Crystal(loose.lattice @ turn, moved @ turn, loose.kinds)
    assert describe(other) == pytest.approx(describe(loose), nan_ok=True)


LATTICE = "lattice_vector 4 0 0\nlattice_vector 0 4 0\nlattice_vector 0 0 {}\n"
SALT = LATTICE + "atom 0 0 0 Al\natom 2 0 0 O\n"


def test_each_row_gets_the_crystal_of_its_own_table():
    rows = pd.DataFrame({"id": [1, 1, 2]})
    heights = {"a/train/1/geometry.xyz": 4, "a/test/1/geometry.xyz": 5, "a/train/2/geometry.xyz": 6}
    files = ((name, SALT.format(height).encode()) for name, height in heights.items())
    frame = geometry(files, rows, np.array([True, False, True]))
    assert frame["cell_volume"].tolist() == pytest.approx([64, 80, 96])
    # Of what lies beside the tables all is a feature, and none of the table.
    table = rows.reindex(columns=list(Oxide.to_schema().columns)).assign(id=rows["id"])
    assert list(crystal(table.join(frame), table)) == list(frame)


def test_without_all_crystals_there_are_no_columns():
    rows = pd.DataFrame({"id": [1, 1]})
    files = iter([("train/1/geometry.xyz", SALT.format(4).encode())])
    assert geometry(files, rows, np.array([True, False])).shape == (2, 0)
    assert geometry(iter([]), rows, np.array([True, False])).shape == (2, 0)


@pytest.fixture
def folder(tmp_path):
    """A small synthetic dataset with its files."""
    random = np.random.default_rng(0)
    tables = oxides(60, 12, 0)
    for name, table in zip(("train", "test", "sample_submission"), tables, strict=True):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    for part, table in zip(("train", "test"), tables[:2], strict=True):
        for number in table["id"]:
            place = tmp_path / part / str(number)
            place.mkdir(parents=True)
            text = SALT.format(round(random.uniform(4, 6), 3))
            (place / "geometry.xyz").write_text(text, encoding="utf-8")
    return tmp_path


def test_files_beside_the_tables_are_found_used_recorded_and_verified(folder, tmp_path_factory):
    patterns = REGISTRY["nomad2018-predict-transparent-conductors"].side
    assert len(list(read_all(select(find(folder).members, patterns)))) == 72
    out = tmp_path_factory.mktemp("nomad") / "run"
    run = solve(folder, out=out, profile="quick", jobs=1, report=False)
    assert "cell_volume" in run.record["features"]
    assert run.record["input"]["files"]["side"]["name"] == "72 files"
    path = folder / "train" / "7" / "geometry.xyz"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    result = verify(run.run)
    assert result.verdict == "different"
    assert [factor.name for factor in result.factors] == ["side file 72 files"]


def test_cell_has_one_column_for_each_spacegroup_and_the_example_fits_the_contract():
    train, test, sample = oxides(30, 10, 0)
    Oxide.validate(train[list(Oxide.to_schema().columns)])
    assert sample["id"].tolist() == test["id"].tolist() == list(range(1, 11))
    features = cell(train, train)
    assert (features.filter(like="sg_").sum(axis=1) == 1).all()
