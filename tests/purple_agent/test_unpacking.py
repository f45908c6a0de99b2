"""Archives that an honest client would not send are refused, and nothing of them is written."""

import gzip
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.unpacking import UnpackingError, unpack

HONEST = ("home/data/train.csv", b"id,y\n1,0\n")


def order(**more: int) -> Order:
    limits = {"max_members": 50, "max_unpacked": 5_000_000, **more}
    return Order(
        seed=0, profile="quick", jobs=1, report=False, baseline="", agent="", **limits
    )  # fmt: skip


def tar(
    *members: "tuple[str, bytes] | tarfile.TarInfo", mode: str = "w:gz", **more: object
) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode, **more) as archive:
        for member in (HONEST, *members):
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member, io.BytesIO(bytes(member.size)))
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return buffer.getvalue()


def special(kind: bytes, name: str = "home/data/x", link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def lying() -> bytes:
    """Say of a short last member that it is long."""
    raw = bytearray(gzip.decompress(tar()))
    header = tarfile.TarInfo(HONEST[0])
    header.size = 4_000_000
    raw[:512] = header.tobuf()[:512]
    return gzip.compress(bytes(raw))


def long_name_bomb() -> bytes:
    """Say that a name is two gigabytes long, which a careless reader takes into memory."""
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2**31
    return gzip.compress(header.tobuf(tarfile.GNU_FORMAT) + bytes(100_000))


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(*HONEST)
    return buffer.getvalue()


def pax(name: str) -> bytes:
    info = tarfile.TarInfo("x")
    info.pax_headers = {"path": name}
    return tar(info, format=tarfile.PAX_FORMAT)


HOSTILE = {
    "symbolic link": (tar(special(tarfile.SYMTYPE, link="/etc/passwd")), "symbolic link"),
    "link out": (tar(special(tarfile.SYMTYPE, link="../../..")), "symbolic link"),
    "hard link": (tar(special(tarfile.LNKTYPE, link=HONEST[0])), "hard link"),
    "character device": (tar(special(tarfile.CHRTYPE)), "device"),
    "block device": (tar(special(tarfile.BLKTYPE)), "device"),
    "named pipe": (tar(special(tarfile.FIFOTYPE)), "named pipe"),
    "absolute": (tar(("/tmp/x", b"")), "absolute name"),
    "parent": (tar(("home/../../x", b"")), "climbs out"),
    "backslash": (tar(("home\\..\\x", b"")), "backslash"),
    "drive": (tar(("C:/x", b"")), "names a drive"),
    "control character": (tar(("home/a\x07b", b"")), "control character"),
    "line break": (pax("home/a\nb"), "control character"),
    "too many": (tar(*((f"home/{n}", b"") for n in range(60))), "50 are allowed"),
    "too big": (tar(("home/x", bytes(6_000_000))), "unpacks to more"),
    "goes on": (gzip.compress(tar(mode="w") + bytes(3_000_000)), "goes on after its end"),
    "lying size": (lying(), "damaged or cut short"),
    "long name bomb": (long_name_bomb(), "damaged"),
    "cut short": (tar(("home/x", b"x" * 100_000))[:-60], "damaged or cut short"),
    "damaged": (tar(("home/x", b"x" * 1000))[:-8] + bytes(8), "damaged or cut short"),
    "no archive": (b"PassengerId,Transported\n1,True\n", "no tar archive"),
    "text in gzip": (gzip.compress(b"PassengerId,Transported\n" * 100), ""),
    "zip": (zipped(), "is a zip"),
    "nothing": (b"", "is empty"),
    "empty gzip": (gzip.compress(b""), ""),
    "no members": (gzip.compress(bytes(10_240)), "holds no files"),
    "twice": (tar(HONEST), "is there twice"),
    "twice in disguise": (tar(("./home/data/train.csv", b"")), "is there twice"),
    "file as folder": (tar(("home/data/train.csv/x", b"")), "a file and a folder"),
    "deep": (tar(("/".join("a" * 40), b"")), "folders deep"),
    "long name": (tar(("home/" + "a" * 300, b"")), "more than 255 bytes"),
    "long path": (tar(("/".join(["a" * 100] * 15), b"")), "more than 1,000 bytes"),
    "sparse": (tar(special(tarfile.GNUTYPE_SPARSE)), ""),
}


@pytest.fixture
def folder(tmp_path: Path) -> TaskFolder:
    (tmp_path / "task").mkdir()
    return TaskFolder(tmp_path / "task")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archive_is_refused_with_a_sentence(folder, name):
    data, why = HOSTILE[name]
    folder.archive.write_bytes(data)
    before = sorted(folder.path.parent.rglob("*"))
    with pytest.raises(UnpackingError) as caught:
        unpack(folder, order())
    said = str(caught.value)
    assert why in said
    assert said.startswith("The archive ")
    assert said.endswith("with relative names.")
    assert str(folder.path) not in said
    assert sorted(folder.path.parent.rglob("*")) == before


def test_bomb_is_refused_before_it_is_unpacked(folder):
    header = tarfile.TarInfo("home/x")
    header.size = 5 * 2**30
    folder.archive.write_bytes(gzip.compress(header.tobuf() + bytes(2_000_000)))
    with pytest.raises(UnpackingError, match="decompression bomb"):
        unpack(folder, order(max_unpacked=2**40))
    assert not folder.data.exists()


def test_second_pass_counts_for_itself(folder, monkeypatch):
    folder.archive.write_bytes(tar(("home/x", bytes(1000))))
    monkeypatch.setattr("purple_agent.work.unpacking._looked_through", _nobody_looked)
    with pytest.raises(UnpackingError, match="unpacks to more"):
        unpack(folder, order(max_unpacked=500))
    assert not folder.data.exists()
    assert not folder.unpacking.exists()


class _Named:
    name = "home/x"


def _nobody_looked(archive: Path, order: Order) -> tuple[_Named, ...]:
    return (_Named(),)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_honest_archive_is_unpacked_once_and_removed(folder, mode):
    folder.archive.write_bytes(tar(("home/data/images/1.txt", b"one"), mode=mode))
    unpack(folder, order())
    found = {str(path.relative_to(folder.data)) for path in folder.data.rglob("*.*")}
    assert found == {"home/data/train.csv", "home/data/images/1.txt"}
    assert (folder.data / HONEST[0]).read_bytes() == HONEST[1]
    assert not folder.archive.exists()
    unpack(folder, order())  # what a later sitting does


def test_half_of_an_earlier_sitting_is_thrown_away(folder):
    folder.archive.write_bytes(tar())
    shutil.copytree(folder.path, folder.unpacking, dirs_exist_ok=False)
    unpack(folder, order())
    assert [path.name for path in folder.data.iterdir()] == ["home"]


def test_files_are_plain_whatever_the_archive_says_of_them(folder):
    info = tarfile.TarInfo("home/run.sh")
    info.mode, info.uid = 0o6777, 0
    folder.archive.write_bytes(tar(info))
    unpack(folder, order())
    assert (folder.data / "home/run.sh").stat().st_mode & 0o7111 == 0
