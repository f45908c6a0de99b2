"""Leaves and their silhouettes, worked out by hand."""

import io
import math
import sys

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from signatures import REGISTRY, find
from signatures.side_files import select
from solvers import solve
from solvers.recipe import SideFilesUnused
from solvers.tasks.leaf_classification import histograms, picture, shape
from solvers.tasks.leaf_classification.leaves import LEAST, Leaf, leaves
from solvers.tasks.leaf_classification.outlines import (
    Silhouette,
    describe,
    form,
    radii,
    size,
    teeth,
)
from solvers.tasks.leaf_classification.pictures import silhouettes

TASK = "leaf-classification"


def rectangle():
    white = np.zeros((50, 60), dtype=bool)
    white[10:30, 5:45] = True
    return Silhouette(white, 60, 50)


def lobed(lobes, depth, side=200, turn=0.0):
    """A flower whose radius is ``1 + depth * cos(lobes * angle)``, in a square picture."""
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    radius = side / 3 * (1 + depth * np.cos(lobes * (np.arctan2(y, x) - turn)))
    return Silhouette(np.hypot(x, y) < radius, side, side)


def test_size_is_that_of_the_original():
    small = rectangle()
    found = size(Silhouette(small.white, 240, 200))
    assert found["log_width"] == pytest.approx(math.log(240))
    assert found["log_height"] == pytest.approx(math.log(200))
    assert found["log_area"] == pytest.approx(math.log(800 * 16))


def test_form_of_a_rectangle_of_40_by_20():
    found = form(rectangle())
    unit = math.sqrt(800)
    assert found["filled"] == pytest.approx(800 / 3000)
    # The variance of 1 to n is (n² - 1) / 12.
    assert found["elongation"] == pytest.approx(math.log(1599 / 399) / 2)
    assert found["inertia"] == pytest.approx(math.log((1599 + 399) / 12 / 800))
    assert found["length"] == pytest.approx(math.log(39 / unit))
    assert found["breadth"] == pytest.approx(math.log(19 / unit))
    assert found["hull_area"] == pytest.approx(math.log(39 * 19 / 800))
    assert found["hull_perimeter"] == pytest.approx(math.log(2 * (39 + 19) / unit))
    assert found["edge"] == pytest.approx(math.log((2 * 40 + 2 * 18) / unit))


def test_radii_of_a_disc_and_of_lobes():
    disc = radii(lobed(4, 0.0))
    assert disc["radius_50"] == pytest.approx(1 / math.sqrt(math.pi), abs=0.01)
    assert disc["radius_sd"] < 0.01
    flower = radii(lobed(5, 0.3))
    waves = [flower[f"wave_{number}"] for number in range(1, 10)]
    assert int(np.argmax(waves)) + 1 == 5
    # The radius is 1 ± .3 times its mean, and the amplitude of a cosine is half its height.
    mean = math.exp(waves[4]) / 0.15
    assert mean == pytest.approx(flower["radius_50"], rel=0.05)
    assert flower["radius_100"] / flower["radius_0"] == pytest.approx(1.3 / 0.7, rel=0.05)


def test_a_straight_edge_has_half_a_leaf_around_it_and_a_corner_less():
    found = teeth(rectangle())
    # Blurred over half a pixel: an edge pixel itself is white, so its share is above a half.
    shares = np.array([found[f"bend_0.02_{number}"] ** 2 for number in range(10)])
    assert shares.sum() == pytest.approx(1)
    assert shares.argmax() in (6, 7, 8)
    assert shares[shares.argmax()] == pytest.approx(112 / 116, abs=0.03)  # all but four corners
    wavy, smooth = teeth(lobed(20, 0.1)), teeth(lobed(20, 0.0))
    assert wavy["bend_0.04_3"] > smooth["bend_0.04_3"] == 0


def test_turning_a_leaf_by_a_right_angle_changes_only_which_side_is_the_width():
    leaf = lobed(3, 0.4, turn=0.3)
    turned = Silhouette(np.rot90(leaf.white), leaf.height, leaf.width)
    assert describe(turned) == pytest.approx(describe(leaf), abs=0.02)


def test_a_leaf_that_fills_its_picture_has_an_edge():
    assert np.isfinite(list(describe(Silhouette(np.ones((20, 10), bool), 10, 20)).values())).all()


def jpeg(white, quality=90):
    content = io.BytesIO()
    Image.fromarray(white.astype(np.uint8) * 255).save(content, "JPEG", quality=quality)
    return content.getvalue()


ROWS = pd.DataFrame({"id": [7, 12]})
NO_TEST = np.array([True, True])


def test_each_row_gets_its_own_picture():
    small, large = lobed(5, 0.3), lobed(5, 0.3, side=600)
    files = [("x/images/12.jpg", jpeg(large.white)), ("x/images/7.jpg", jpeg(small.white))]
    frame = silhouettes(iter([*files, ("x/images/8.jpg", b"of no row")]), ROWS, NO_TEST)
    assert frame["log_width"].tolist() == pytest.approx([math.log(200), math.log(600)])
    # A smaller copy was described, of nearly the same shape.
    assert frame["wave_5"][0] == pytest.approx(frame["wave_5"][1], abs=0.05)
    table = pd.DataFrame(0.5, index=ROWS.index, columns=list(Leaf.to_schema().columns))
    assert list(picture(table.join(frame), table)) == list(frame)
    assert picture(table, table).shape == (2, 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "1 of 2 leaves have no picture"),
        (b"no picture", "images/12.jpg cannot be read as a picture"),
        (jpeg(rectangle().white)[:200], "images/12.jpg cannot be read as a picture"),
        (jpeg(np.zeros((40, 40), bool)), "images/12.jpg shows no leaf"),
        (jpeg(np.eye(40, dtype=bool), 100), "images/12.jpg shows no leaf"),
    ],
)
def test_without_a_good_picture_of_each_leaf_none_is_used(content, reason):
    files = [("images/7.jpg", jpeg(rectangle().white)), ("images/12.jpg", content)]
    with pytest.raises(SideFilesUnused, match=reason):
        silhouettes(iter([file for file in files if file[1] is not None]), ROWS, NO_TEST)


def test_without_pillow_no_picture_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(SideFilesUnused, match=r"Pillow is not installed: .*\[images\]"):
        silhouettes(iter([("images/7.jpg", b"")]), ROWS, NO_TEST)


def test_shares_are_turned_into_roots_and_the_outline_is_not():
    row = pd.DataFrame([dict.fromkeys(Leaf.to_schema().columns, 0.25)])
    assert (histograms(row, row) == 0.5).all(axis=None)
    assert histograms(row, row).shape == (1, 128)
    assert (shape(row, row) == 0.25).all(axis=None)


def test_the_example_has_enough_of_each_species_and_fits_the_contract():
    train, test, sample = leaves(200, 50, 0)
    assert len(train) == 99 * LEAST
    assert train["species"].value_counts().min() == LEAST
    assert tuple(sample.columns[1:]) == REGISTRY[TASK].labels
    assert sample["id"].tolist() == test["id"].tolist()
    Leaf.validate(train[list(Leaf.to_schema().columns)])


def test_pictures_are_found_used_and_recorded(tmp_path):
    train, test, sample = leaves(0, 3, 0)
    (tmp_path / "data" / "images").mkdir(parents=True)
    for name, table in {"train": train, "test": test, "sample_submission": sample}.items():
        table.to_csv(tmp_path / "data" / f"{name}.csv", index=False)
    species = sorted(train["species"])
    for leaf, kind in zip(train["id"], train["species"], strict=True):
        drawn = lobed(3 + species.index(kind) % 7, 0.3, side=40)
        (tmp_path / "data" / "images" / f"{leaf}.jpg").write_bytes(jpeg(drawn.white))
    for leaf in test["id"]:
        (tmp_path / "data" / "images" / f"{leaf}.jpg").write_bytes(jpeg(lobed(3, 0.3, 40).white))
    assert len(select(find(tmp_path / "data").members, REGISTRY[TASK].side)) == len(train) + 3
    run = solve(tmp_path / "data", out=tmp_path / "run", profile="quick", jobs=1, report=False)
    assert "wave_5" in run.record["features"]
    assert run.record["input"]["files"]["side"]["name"] == f"{len(train) + 3} files"
    written = pd.read_csv(run.submission)
    assert written.drop(columns="id").sum(axis=1).to_numpy() == pytest.approx(1)
