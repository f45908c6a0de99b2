"""Bad input ends in one clear sentence and the right exit code, and leaves nothing behind."""

import gzip
import io
import json
import os
import sys
import tarfile
import zipfile

import pandas as pd
import pytest
from typer.testing import CliRunner

from solvers.cli.commands import app

USAGE, UNKNOWN, REJECTED = 2, 3, 4


def solve(path, out, *options):
    return CliRunner().invoke(app, ["solve", str(path), "--out", str(out), "--jobs", "1", *options])


def edit(name, change):
    """Spoil one table of the dataset."""

    def spoil(folder):
        table = pd.read_csv(folder / name, dtype=str, keep_default_na=False)
        change(table).to_csv(folder / name, index=False, lineterminator="\n")

    return spoil


def write(name, change):
    """Spoil the bytes of one file."""

    def spoil(folder):
        (folder / name).write_bytes(change((folder / name).read_bytes()))

    return spoil


def put(column, value, row=3):
    def change(table):
        table.loc[row, column] = value
        return table

    return change


def lines(count):
    return lambda content: b"".join(content.splitlines(keepends=True)[:count])


def few_of_a_class(table):
    rare = table[table["Transported"] == "True"].head(2)
    return pd.concat([rare, table[table["Transported"] == "False"]])


def move(name, to):
    def spoil(folder):
        (folder / to).parent.mkdir(exist_ok=True)
        (folder / name).rename(folder / to)

    return spoil


def copy(name, to):
    def spoil(folder):
        (folder / to).parent.mkdir(exist_ok=True)
        (folder / to).write_bytes((folder / name).read_bytes())

    return spoil


CASES = {
    "no train": (lambda f: (f / "train.csv").unlink(), UNKNOWN, "train"),
    "no test": (lambda f: (f / "test.csv").unlink(), REJECTED, "no table was found"),
    "two trains": (copy("train.csv", "old/train.csv"), REJECTED, "training table"),
    "train has a header only": (write("train.csv", lines(1)), REJECTED, "found 0"),
    "train is empty": (write("train.csv", lambda _: b""), REJECTED, "empty"),
    "test is empty": (write("test.csv", lambda _: b""), REJECTED, "empty"),
    "sample is empty": (write("sample_submission.csv", lambda _: b""), REJECTED, "empty"),
    "one training row": (write("train.csv", lines(2)), REJECTED, "at least 5 rows"),
    "few rows of a class": (edit("train.csv", few_of_a_class), REJECTED, "True; found 2"),
    "one class only": (
        edit("train.csv", lambda t: t.assign(Transported="True")), REJECTED, "False; found 0",
    ),
    "test without rows": (write("test.csv", lines(1)), REJECTED, "no rows"),
    "duplicate ids": (
        edit("train.csv", lambda t: pd.concat([t, t.iloc[[4]]])), REJECTED, "each value once",
    ),
    "an id in train and test": (
        lambda f: put_train_id_into_test(f), REJECTED, "are also in train",
    ),
    "duplicate column names": (
        write("train.csv", lambda b: b.replace(b"Spa,", b"VRDeck,", 1)), REJECTED, "VRDeck",
    ),
    "a key column missing": (
        edit("train.csv", lambda t: t.drop(columns="Cabin")), UNKNOWN, "Cabin",
    ),
    "a key column in another case": (
        write("train.csv", lambda b: b.replace(b"Cabin", b"cabin", 1)), UNKNOWN, "cabin",
    ),
    "a column with a space": (
        write("train.csv", lambda b: b.replace(b"Age,", b"Age ,", 1)), REJECTED, "rename it",
    ),
    "a column missing from test": (
        edit("test.csv", lambda t: t.drop(columns="Age")), REJECTED, "'Age' is missing",
    ),
    "latin-1 bytes": (
        write("train.csv", lambda b: b.replace(b"Earth", b"\xc9arth", 1)),
        REJECTED, "not UTF-8",
    ),
    "utf-16": (
        write("train.csv", lambda b: b.decode().encode("utf-16")), REJECTED, "UTF-8",
    ),
    "a quote never closed": (
        write("train.csv", lambda b: b.replace(b",Earth,", b',"Earth,', 1)), REJECTED, "quot",
    ),
    "a row too long": (
        write("train.csv", lambda b: b.replace(b",Earth,", b",Earth,,", 1)), REJECTED, "15 fields",
    ),
    "the last row cut off": (write("train.csv", lambda b: b[:-30]), REJECTED, "fields"),
    "text in Age": (edit("train.csv", put("Age", "abc")), REJECTED, "Age: expected"),
    "a negative bill": (edit("test.csv", put("Spa", "-1")), REJECTED, "test: Spa: expected"),
    "an infinite bill": (edit("train.csv", put("Spa", "inf")), REJECTED, "'inf'"),
    "a missing label": (
        edit("train.csv", put("Transported", "")), REJECTED, "Transported: expected one of",
    ),
    "a label of no class": (edit("train.csv", put("Transported", "Maybe")), REJECTED, "'Maybe'"),
    "an id of another form": (edit("train.csv", put("PassengerId", "13")), REJECTED, "gggg_pp"),
    "digits of another script": (
        edit("train.csv", put("Cabin", "G/٣/P")), REJECTED, "Cabin: expected deck/number/side",
    ),
    "an id with a line end": (
        edit("test.csv", put("PassengerId", "0013_01\n")), REJECTED, "expected gggg_pp",
    ),
    "a missing id": (edit("test.csv", put("PassengerId", "")), REJECTED, "PassengerId"),
    "CryoSleep in other words": (
        edit("train.csv", put("CryoSleep", "asleep")), REJECTED, "True or False",
    ),
    "a planet that no one knows": (
        edit("test.csv", put("HomePlanet", "Venus")), REJECTED, "'Venus'",
    ),
    "a sample with other ids": (
        edit("sample_submission.csv", put("PassengerId", "9999_99")), REJECTED, "9999_99",
    ),
    "a sample with other columns": (
        edit("sample_submission.csv", lambda t: t.rename(columns={"Transported": "Survived"})),
        REJECTED, "Survived",
    ),
    "a train.csv that is a picture": (
        write("train.csv", lambda _: b"\x89PNG\r\n\x1a\n" + bytes(range(256))), REJECTED, "train",
    ),
    "a train.json with a trailing comma": (
        lambda f: to_json(f, lambda text: text[:-1] + ",]"), REJECTED, "JSON",
    ),
}  # fmt: skip


def put_train_id_into_test(folder):
    first = pd.read_csv(folder / "train.csv", dtype=str)["PassengerId"][0]
    for name in ("test.csv", "sample_submission.csv"):
        edit(name, put("PassengerId", first))(folder)


def to_json(folder, change):
    table = pd.read_csv(folder / "train.csv", dtype=str)
    (folder / "train.json").write_text(change(table.to_json(orient="records")), encoding="utf-8")
    (folder / "train.csv").unlink()


def snapshot(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_bad_data_is_refused_with_a_sentence(passengers, tmp_path, case):
    spoil, code, words = CASES[case]
    spoil(passengers)
    before = snapshot(tmp_path)
    result = solve(passengers, tmp_path / "run")
    assert result.exit_code == code, result.output
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert snapshot(tmp_path) == before
    assert not (tmp_path / "run").exists()


FINE = {
    "extra columns": edit("train.csv", lambda t: t.assign(Deck="x")),
    "semicolons": write("train.csv", lambda b: b.replace(b",", b";")),
    "tabs": write("test.csv", lambda b: b.replace(b",", b"\t")),
    "a byte order mark": write("train.csv", lambda b: b"\xef\xbb\xbf" + b),
    "carriage returns": write("test.csv", lambda b: b.replace(b"\n", b"\r\n")),
    "flags in capitals": write("train.csv", lambda b: b.replace(b"True", b"TRUE")),
    "no sample": lambda f: (f / "sample_submission.csv").unlink(),
    "data at some depth": lambda f: [move(n, f"home/{n}")(f) for n in ("train.csv", "test.csv")],
}  # fmt: skip


@pytest.mark.parametrize("case", FINE)
def test_data_written_in_another_usual_way_gives_the_same_answer(
    finished, passengers, tmp_path, case
):
    solution, _ = finished
    FINE[case](passengers)
    result = solve(passengers, tmp_path / "run", "--profile", "quick")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "run" / "submission.csv").read_bytes() == solution.submission.read_bytes()


def test_extra_columns_are_reported(passengers, tmp_path):
    FINE["extra columns"](passengers)
    result = CliRunner().invoke(app, ["match", str(passengers)])
    assert result.exit_code == 0
    assert "unexpected columns, not used: Deck" in result.stdout


def test_a_truncated_gz_is_refused(passengers, tmp_path):
    packed = gzip.compress((passengers / "train.csv").read_bytes())
    (passengers / "train.csv.gz").write_bytes(packed[: len(packed) // 2])
    (passengers / "train.csv").unlink()
    result = solve(passengers, tmp_path / "run")
    assert result.exit_code == REJECTED
    assert not (tmp_path / "run").exists()


def member(kind, name):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = "train.csv"
    return info


HOSTILE = {
    "a parent folder": member(tarfile.REGTYPE, "../train.csv"),
    "an absolute name": member(tarfile.REGTYPE, "/tmp/train.csv"),
    "a symbolic link": member(tarfile.SYMTYPE, "data/link.csv"),
    "a hard link": member(tarfile.LNKTYPE, "data/link.csv"),
    "a device": member(tarfile.CHRTYPE, "data/device"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_refused(passengers, tmp_path, case):
    with tarfile.open(tmp_path / "data.tar.gz", "w:gz") as archive:
        archive.add(passengers, arcname="home/data")
        archive.addfile(HOSTILE[case], io.BytesIO(b""))
    result = solve(tmp_path / "data.tar.gz", tmp_path / "run")
    assert result.exit_code == REJECTED
    assert HOSTILE[case].name in result.stderr
    assert not (tmp_path / "run").exists()


def test_a_truncated_archive_is_refused(passengers, tmp_path):
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.write(passengers / "train.csv", "train.csv")
    content = (tmp_path / "data.zip").read_bytes()
    (tmp_path / "data.zip").write_bytes(content[: len(content) // 2])
    result = solve(tmp_path / "data.zip", tmp_path / "run")
    assert result.exit_code == REJECTED
    assert "Traceback" not in result.stderr


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path):
    assert solve(tmp_path / "nowhere", tmp_path / "run").exit_code == USAGE


def test_an_output_folder_that_is_not_empty_is_a_usage_error(passengers, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.txt").write_text("keep", encoding="utf-8")
    result = solve(passengers, tmp_path / "run")
    assert result.exit_code == USAGE
    assert "not empty" in result.stderr
    assert os.listdir(tmp_path / "run") == ["mine.txt"]


def test_an_output_folder_inside_the_input_is_a_usage_error(passengers):
    before = snapshot(passengers)
    assert solve(passengers, passengers / "run").exit_code == USAGE
    assert snapshot(passengers) == before


def test_a_full_disk_is_told_and_leaves_nothing(passengers, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solvers.files.os.fsync", full)
    result = solve(passengers, tmp_path / "run", "--profile", "quick")
    assert result.exit_code == 2
    assert "cannot be written to (No space left on device)" in result.stderr
    assert not (tmp_path / "run").exists()


def test_a_full_stdout_is_told(passengers, monkeypatch):
    from solvers.cli import tasks

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tasks, "print_match", full)
    result = CliRunner().invoke(app, ["match", str(passengers)])
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr


def test_a_library_that_is_not_installed_is_named(passengers, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    result = solve(passengers, tmp_path / "run", "--profile", "quick")
    assert result.exit_code == 1
    assert "'lightgbm' is needed and not installed" in result.stderr
    assert "Kept: 6 finished fits. Go on with" in result.stderr
    monkeypatch.undo()
    assert CliRunner().invoke(app, ["solve", "--resume", str(tmp_path / "run")]).exit_code == 0


def test_errors_are_one_json_object_where_json_is_wanted(passengers, tmp_path):
    (passengers / "train.csv").unlink()
    result = solve(passengers, tmp_path / "run", "--json")
    error = json.loads(result.stdout)
    assert error["error"] == "UnknownTaskError"
    assert error["exit_code"] == result.exit_code == UNKNOWN
    assert error["message"] in result.stderr


def test_a_bug_in_a_solver_surfaces(passengers, tmp_path, monkeypatch):
    from signatures import REGISTRY

    def broken(rows):
        return rows["no such column"]

    solver = REGISTRY["spaceship-titanic"].load_solver()
    monkeypatch.setattr(solver.__class__, "parse", property(lambda self: broken), raising=False)
    result = solve(passengers, tmp_path / "run")
    assert isinstance(result.exception, KeyError)
    assert not (tmp_path / "run").exists()
