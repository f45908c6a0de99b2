"""Files beside the tables: picked by pattern, read in one pass."""

import shutil
import tarfile
from pathlib import Path

import pytest

from signatures import BundleError, find
from signatures import archive as module
from signatures.side_files import read_all, select

FILES = {
    "train.csv": "id,y\n1,2\n",
    "images/1.jpg": b"\xff\xd81",
    "images/10.jpg": b"\xff\xd810",
    "images/deep/2.jpg": b"deep",
    "images/notes.txt": "no",
    "other/1.jpg": b"other",
}


@pytest.mark.parametrize("packing", ["folder", "tar", "tar.gz", "zip"])
@pytest.mark.parametrize("depth", ["", "home/data/"])
def test_files_are_picked_by_pattern_and_read(dataset, packed, packing, depth):
    root = dataset({depth + name: content for name, content in FILES.items()})
    bundle = find(root if packing == "folder" else packed(root, packing))
    chosen = select(bundle.members, ["images/[0-9]*.jpg"])
    found = {name.removeprefix(depth): content for name, content in read_all(chosen)}
    assert found == {"images/1.jpg": b"\xff\xd81", "images/10.jpg": b"\xff\xd810"}


def test_without_a_pattern_there_is_no_file(dataset):
    assert select(find(dataset(FILES)).members, []) == []


def test_a_tar_is_unpacked_once(dataset, packed, monkeypatch):
    opened = []
    decompressed = module._decompressed
    monkeypatch.setattr(
        module, "_decompressed", lambda path: (opened.append(path), decompressed(path))[1]
    )
    bundle = find(packed(dataset(FILES), "tar.gz"))
    before = len(opened)
    assert len(list(read_all(select(bundle.members, ["*.jpg"])))) == 4
    assert len(opened) == before + 1


def test_a_tar_that_was_cut_short_meanwhile_is_told(dataset, packed):
    path = packed(dataset({**FILES, "images/big.jpg": b"x" * 100_000}), "tar")
    bundle = find(path)
    with path.open("r+b") as stream:
        stream.truncate(1000)
    with pytest.raises(BundleError, match="cut short"):
        list(read_all(select(bundle.members, ["big.jpg"])))


@pytest.fixture
def packed(tmp_path):
    """Pack a folder."""

    def pack(root, packing):
        if packing == "zip":
            return Path(shutil.make_archive(str(tmp_path / "packed"), "zip", root))
        path = tmp_path / f"packed.{packing}"
        with tarfile.open(path, "w:gz" if packing == "tar.gz" else "w") as archive:
            archive.add(root, arcname=".")
        return path

    return pack
