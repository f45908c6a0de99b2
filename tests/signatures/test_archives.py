import gzip
import io
import struct
import tarfile
import zipfile
from typing import Any

import pytest

import signatures
from signatures import BundleError, archive, match, members, read_header, safety

# A role may have no file. Here it always has one.
find: Any = signatures.find

ROWS = b"a,b\n1,2\n"


def tar_of(tmp_path, *infos, name="data.tar.gz", mode="w:gz"):
    """Write a tar of the honest train.csv and then of `infos` as they are."""
    path = tmp_path / name
    with tarfile.open(path, mode) as tar:
        for info in (tarfile.TarInfo("train.csv"), *infos):
            info.size = len(ROWS) if info.isreg() else 0
            tar.addfile(info, io.BytesIO(ROWS))
    return path


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "name",
    ["data.tar.gz", "data.tgz", "data.tar", "data.tar.bz2", "data.tar.xz", "data.zip"],
)
def test_archive_of_any_kind_matches(packed, spaceship, name):
    files = {"home/data/train.csv": ",".join(spaceship), "home/data/test.csv": "PassengerId"}
    found: Any = match(packed(files, name))
    assert found.slug == "spaceship-titanic"
    assert found.bundle.is_archive
    assert found.bundle.test.name == "home/data/test.csv"


@pytest.mark.parametrize("name", ["data.tar.gz", "data.tar", "data.zip"])
def test_archive_is_known_by_its_content(packed, name):
    path = packed({"train.csv": ROWS}, name)
    renamed = path.rename(path.with_name("download"))
    with find(renamed).train.open() as stream:
        assert stream.read() == ROWS


def test_names_that_start_with_a_dot_and_slash_are_cleaned(packed):
    for name in ("data.tar.gz", "data.zip"):
        bundle = find(packed({"./home/train.csv": ROWS}, name))
        assert [member.name for member in bundle.members] == ["home/train.csv"]
        assert read_header(bundle.train).columns == ("a", "b")


def test_junk_in_an_archive_is_ignored(packed):
    files = {"train.csv": ROWS, "__MACOSX/._train.csv": b"", ".git/train.csv": b""}
    for name in ("data.tar.gz", "data.zip"):
        assert [member.name for member in find(packed(files, name)).members] == ["train.csv"]


def test_size_of_a_member_is_known(packed):
    for name in ("data.tar.gz", "data.zip"):
        assert find(packed({"train.csv": ROWS}, name)).train.size == len(ROWS)


def test_tar_that_ends_in_a_zip_is_a_tar(packed):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as zipped:
        zipped.writestr("other.csv", ROWS)
    path = packed({"train.csv": ROWS, "z.zip": inner.getvalue()}, "data.tar")
    assert [member.name for member in find(path).members] == ["train.csv", "z.zip"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.csv", "climbs out"),
        ("a/../../evil.csv", "climbs out"),
        ("/etc/passwd", "absolute name"),
        ("C:/evil.csv", "names a drive"),
        ("..\\evil.csv", "backslash"),
        ("\\\\server\\evil.csv", "backslash"),
    ],
)
def test_archive_with_a_name_that_leads_elsewhere_is_refused(tmp_path, name, problem):
    tar = tar_of(tmp_path, tarfile.TarInfo(name))
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as zipped:
        zipped.writestr("train.csv", ROWS)
        zipped.writestr(name, ROWS)
    for path in (tar, tmp_path / "data.zip"):
        with pytest.raises(BundleError, match="refused as a whole") as error:
            find(path)
        assert problem in str(error.value)
        assert repr(name) in str(error.value)


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        (special("evil", tarfile.SYMTYPE, "/etc/passwd"), "a symbolic link"),
        (special("evil", tarfile.LNKTYPE, "train.csv"), "a hard link"),
        (special("evil", tarfile.CHRTYPE), "a device"),
        (special("evil", tarfile.BLKTYPE), "a device"),
        (special("evil", tarfile.FIFOTYPE), "a named pipe"),
        (special("../evil", tarfile.DIRTYPE), "climbs out"),
    ],
)
def test_tar_with_anything_but_files_and_folders_is_refused(tmp_path, info, problem):
    with pytest.raises(BundleError, match=f"member .*evil' .*{problem}"):
        find(tar_of(tmp_path, info))


def test_sparse_file_is_refused(tmp_path):
    info = tarfile.TarInfo("evil")
    info.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "evil",
        "GNU.sparse.realsize": "999999999999",
    }
    path = tmp_path / "data.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(tarfile.TarInfo("train.csv"))
        content = b"1\n0\n1\n".ljust(512, b"\0")
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
    with pytest.raises(BundleError, match="'evil' is a sparse file"):
        find(path)


@pytest.mark.parametrize("second", ["train.csv", "./train.csv"])
def test_member_that_is_there_twice_is_refused(tmp_path, second):
    tar = tar_of(tmp_path, tarfile.TarInfo(second))
    with pytest.raises(BundleError, match="is there twice"):
        find(tar)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_member_that_is_twice_in_a_zip_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as zipped:
        zipped.writestr("train.csv", ROWS)
        zipped.writestr("train.csv", ROWS)
    with pytest.raises(BundleError, match=r"'train\.csv' is there twice"):
        find(tmp_path / "data.zip")


def test_link_in_a_zip_is_refused(tmp_path):
    info = zipfile.ZipInfo("evil")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as zipped:
        zipped.writestr(info, "/etc/passwd")
    with pytest.raises(BundleError, match="'evil' is a symbolic link"):
        find(tmp_path / "data.zip")


def test_encrypted_member_is_refused(packed):
    path = packed({"train.csv": ROWS}, "data.zip")
    content = bytearray(path.read_bytes())
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(start) + offset] |= 1
    path.write_bytes(content)
    with pytest.raises(BundleError, match=r"'train\.csv' is encrypted"):
        find(path)


@pytest.mark.parametrize("name", ["data.tar.gz", "data.zip"])
def test_too_many_members_are_refused(packed, monkeypatch, name):
    monkeypatch.setattr(safety, "MAX_MEMBERS", 3)
    with pytest.raises(BundleError, match="more than 3 members"):
        find(packed({str(number): b"" for number in range(4)}, name))


@pytest.mark.parametrize("name", ["data.tar.gz", "data.zip"])
def test_decompression_bomb_is_refused_before_it_is_unpacked(packed, monkeypatch, name):
    monkeypatch.setattr(safety, "FREE_SIZE", 2**10)
    if name == "data.zip":
        monkeypatch.setattr(safety, "MAX_RATIO", 0)
    with pytest.raises(BundleError, match="decompression bomb"):
        find(packed({"train.csv": bytes(2**22)}, name))


def test_header_of_a_forged_length_is_not_read(tmp_path):
    info = tarfile.TarInfo("name")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 2**33
    header = info.tobuf(tarfile.GNU_FORMAT)
    (tmp_path / "data.tar.gz").write_bytes(gzip.compress(tarfile.TarInfo("x").tobuf() + header))
    with pytest.raises(BundleError, match="damaged or cut short"):
        find(tmp_path / "data.tar.gz")


def test_negative_size_is_refused(tmp_path):
    # In base 256, which the tarfile module reads as a signed number.
    header = bytearray(tarfile.TarInfo("evil").tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = b"\xff" * 4 + struct.pack(">q", -1024)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "data.tar").write_bytes(bytes(header) + bytes(1024))
    with pytest.raises(BundleError, match="size of -1,024 bytes"):
        find(tmp_path / "data.tar")


@pytest.mark.parametrize(
    "name", ["data.tar.gz", "data.tar", "data.tar.xz", "data.tar.bz2", "data.zip"]
)
@pytest.mark.parametrize("kept", [3, 40, 0.3, 0.6, 0.9])
def test_truncated_archive_is_named(packed, name, kept):
    files = {"train.csv": bytes(range(256)) * 40, "test.csv": bytes(range(255, -1, -1)) * 40}
    path = packed(files, name)
    content = path.read_bytes()
    if name == "data.tar" and kept == 0.9:
        content = content.rstrip(b"\0")  # a tar is padded with zeros, to 10 KiB
    path.write_bytes(content[: kept if isinstance(kept, int) else int(kept * len(content))])
    with pytest.raises(BundleError, match=f"{name}' .*cut short"):
        find(path)


def test_tar_cut_between_two_members_is_named(tmp_path):
    path = tar_of(tmp_path, tarfile.TarInfo("test.csv"), name="data.tar", mode="w:")
    path.write_bytes(path.read_bytes()[:1024])
    with pytest.raises(BundleError, match="cut short"):
        find(path)


def test_tar_with_a_damaged_header_is_named(tmp_path):
    path = tar_of(tmp_path, tarfile.TarInfo("test.csv"), name="data.tar", mode="w:")
    content = bytearray(path.read_bytes())
    content[1024 + 10] ^= 255
    path.write_bytes(content)
    with pytest.raises(BundleError, match="damaged"):
        find(path)


@pytest.mark.parametrize("name", ["data.tar.gz", "data.zip", "data.tar"])
def test_something_else_under_the_name_of_an_archive_is_named(tmp_path, name):
    (tmp_path / name).write_text("<html>Please log in</html>")
    with pytest.raises(BundleError, match="neither tar nor zip"):
        find(tmp_path / name)


def test_damaged_member_of_a_zip_is_named(packed):
    path = packed({"train.csv": ROWS * 100}, "data.zip")
    content = bytearray(path.read_bytes())
    content[200] ^= 255  # stored as it is: only the checksum tells
    path.write_bytes(content)
    with find(path).train.open() as stream, pytest.raises(BundleError, match=r"zip/train\.csv"):
        stream.read()


def test_nested_zip_beyond_the_limit_is_refused(packed, monkeypatch):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as zipped:
        zipped.writestr("train.csv", ROWS)
    monkeypatch.setattr(members, "MEMORY", 10)
    with pytest.raises(BundleError, match="larger than"):
        find(packed({"train.csv.zip": inner.getvalue()}))


def test_nested_zip_is_checked_too(packed):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as zipped:
        zipped.writestr("../train.csv", ROWS)
    with pytest.raises(BundleError, match=r"data.tar.gz/train.csv.zip' is refused"):
        find(packed({"train.csv.zip": inner.getvalue()}))


def test_nothing_is_written(packed, tmp_path):
    path = packed({"train.csv": ROWS, "test.csv": ROWS})
    before = sorted(tmp_path.rglob("*"))
    read_header(find(path).train)
    assert sorted(tmp_path.rglob("*")) == before


def test_member_can_be_opened_again_and_rewound(packed):
    train = find(packed({"a": b"x" * 5000, "train.csv": ROWS})).train
    for _ in range(2):
        with train.open() as stream:
            assert stream.read(3) == ROWS[:3]
            stream.seek(0)
            assert stream.read() == ROWS


def test_header_limit_leaves_room_for_long_names(packed):
    name = "/".join(["folder" * 10] * 20) + "/train.csv"
    assert 10 * len(name) < archive.HEADER_LIMIT
    assert find(packed({name: ROWS})).train.name == name
