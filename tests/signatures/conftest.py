"""Small made-up datasets and signatures."""

import json
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from signatures import REGISTRY, Registry


@pytest.fixture(autouse=True)
def no_tasks_of_the_developer(monkeypatch):
    monkeypatch.delenv("KNOWN_TASKS_PATH", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])  # a test's own folders are put there


@pytest.fixture
def spaceship():
    """Columns of the one built-in task."""
    return list(REGISTRY["spaceship-titanic"].columns)


@pytest.fixture
def dataset(tmp_path):
    """Write a folder from file names to their content, text or bytes."""

    def write(files, folder="data"):
        root = tmp_path / folder
        root.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def packed(tmp_path):
    """Pack file names and their content as an archive, whose kind its name tells."""

    def write(files, name="data.tar.gz"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = tmp_path / f"{path.name}.d"
        for number, content in enumerate(files.values()):
            file = source / str(number)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        places = [(source / str(number), member) for number, member in enumerate(files)]
        if name.endswith(".zip"):
            with zipfile.ZipFile(path, "w") as archive:
                for place, member in places:
                    archive.write(place, member)
        else:
            kind = {"tar": "", "tgz": "gz"}.get(name.rpartition(".")[2], name.rpartition(".")[2])
            opener: Any = tarfile.open
            with opener(path, f"w:{kind}") as tar:
                for place, member in places:
                    tar.add(place, member)
        return path

    return write


@pytest.fixture
def signature_file(tmp_path):
    """Write a valid signature, or one with some entries changed (None leaves one out)."""

    def write(slug="fish-weights", folder="tasks", **changes):
        entries = {
            "title": "Fish weights",
            "source": "https://example.org/fish",
            "solver": "fish.solver:SOLVER",
            "key": ["weight", "fins"],
            "columns": ["fish", "fins", "scales", "length", "weight"],
            "id": "fish",
            "target": ["weight"],
            "metric": {"name": "rmse", "higher_is_better": False},
        }
        entries |= changes
        path = Path(tmp_path / folder / f"{slug}.toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{key} = {as_toml(value)}" for key, value in entries.items() if value is not None]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def as_toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {as_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


@pytest.fixture
def fish_registry(signature_file):
    """A registry with one task."""
    return Registry([signature_file().parent])
