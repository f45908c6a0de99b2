"""A dataset of synthetic passengers, and runs on it that several tests look at."""

import json
from pathlib import Path

import pytest

from signatures import REGISTRY
from solvers import solve

FILES = ("train.csv", "test.csv", "sample_submission.csv")


def write_passengers(folder: Path, *, n_train: int = 240, n_test: int = 60, seed: int = 1) -> Path:
    """Write synthetic passengers as a competition hands them over."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = REGISTRY["spaceship-titanic"].load_solver().example(n_train, n_test, seed)
    for name, table in zip(FILES, tables, strict=True):
        table.to_csv(folder / name, index=False, lineterminator="\n")
    return folder


@pytest.fixture
def passengers(tmp_path):
    """Folder of a fresh synthetic dataset, to be spoiled by the test that asked for it."""
    return write_passengers(tmp_path / "data")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """One quick run on synthetic passengers: its solution and the folder of its data."""
    root = tmp_path_factory.mktemp("finished")
    data = write_passengers(root / "data")
    return solve(data, out=root / "run", profile="quick", jobs=1), data


@pytest.fixture(scope="session")
def run_record(finished):
    """``run.json`` of that run."""
    return json.loads((finished[0].run / "run.json").read_text(encoding="utf-8"))
