"""What is removed, however deep or closed it is, and what is not followed."""

import os
import subprocess

import pytest

from purple_agent.removal import remove


@pytest.fixture
def deep(tmp_path):
    """Folders that go deeper than Python can."""
    top = tmp_path / "deep"
    top.mkdir()
    folder = os.open(top, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=folder)
        deeper = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = deeper
    os.close(folder)
    yield top
    subprocess.run(["rm", "-rf", str(top)], check=True)


def test_folders_of_any_depth_files_and_what_is_not_there(tmp_path, deep):
    file = tmp_path / "file"
    file.write_text("x")
    remove(deep, file, tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []


def test_closed_folders_are_opened_and_removed(tmp_path):
    closed = tmp_path / "closed"
    (closed / "in it").mkdir(parents=True)
    closed.chmod(0o500)
    remove(closed)
    assert list(tmp_path.iterdir()) == []


def test_link_is_removed_and_what_it_leads_to_stays(tmp_path):
    (tmp_path / "kept").mkdir(mode=0o500)
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove(tmp_path / "link")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o500
