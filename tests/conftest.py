"""Fixtures and marks that every test may use."""

import os
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    # First, so that `-m` sees the mark: who asks for the data is a data test.
    for item in items:
        if "known_tasks_data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)


@pytest.fixture(scope="session")
def known_tasks_data():
    """Folder of the real competition data, one subfolder a task."""
    named = os.environ.get("KNOWN_TASKS_DATA")
    if not named:
        pytest.skip("needs real data: set KNOWN_TASKS_DATA to a folder with one subfolder a task")
    folder = Path(named).resolve()
    # Not a skip: whoever names a folder expects these tests to run.
    if not folder.is_dir():
        pytest.fail(f"KNOWN_TASKS_DATA names {folder}, which is not a folder")
    return folder
