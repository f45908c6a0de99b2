"""Every format ends in the same frame of text."""

import gzip
import json
import zipfile

import pandas as pd
import pytest

from signatures import BundleError, find
from solvers.tables import read_table

TEXT = 'id,name,age\n1,"Ada, ""A""",36.5\n2,,7.0\n'
EXPECTED = {"id": ["1", "2"], "name": ['Ada, "A"', None], "age": ["36.5", "7.0"]}
RECORDS = [{"id": 1, "name": 'Ada, "A"', "age": 36.5}, {"id": 2, "name": None, "age": 7.0}]


def read(folder):
    return read_table(find(folder).train, missing=("", "NA"))


def test_csv_is_read_as_text(tmp_path):
    (tmp_path / "train.csv").write_text(TEXT, encoding="utf-8")
    assert read(tmp_path).to_dict("list") == EXPECTED


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-8-sig"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.rstrip("\n").encode(),
        (TEXT + "\n\n").encode(),
    ],
    ids=["byte order mark", "carriage returns", "no last line end", "blank lines at the end"],
)
def test_csv_may_be_written_in_any_usual_way(tmp_path, content):
    (tmp_path / "train.csv").write_bytes(content)
    assert read(tmp_path).to_dict("list") == EXPECTED


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_csv_may_have_another_delimiter(tmp_path, delimiter):
    text = TEXT.replace('"Ada, ""A"""', "Ada").replace(",", delimiter)
    (tmp_path / "train.csv").write_text(text, encoding="utf-8")
    assert read(tmp_path).to_dict("list") == {**EXPECTED, "name": ["Ada", None]}


def test_compressed_csv_is_read(tmp_path):
    with gzip.open(tmp_path / "train.csv.gz", "wt", encoding="utf-8") as file:
        file.write(TEXT)
    assert read(tmp_path).to_dict("list") == EXPECTED


def test_zip_around_json_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "train.zip", "w") as archive:
        archive.writestr("train.json", json.dumps(RECORDS))
    assert read(tmp_path).to_dict("list") == EXPECTED


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("train.json", json.dumps(RECORDS)),
        ("train.json", pd.DataFrame(RECORDS).to_json()),
        ("train.json", json.dumps({name: [r[name] for r in RECORDS] for name in EXPECTED})),
        ("train.jsonl", "\n".join(map(json.dumps, RECORDS)) + "\n"),
    ],
    ids=["records", "columns by row", "columns", "lines"],
)
def test_json_is_read_in_every_orientation(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert read(tmp_path).to_dict("list") == EXPECTED


def test_columns_of_json_are_put_together_by_their_rows(tmp_path):
    columns = {"id": {"0": 1, "1": 2}, "name": {"1": "b", "0": "a"}}
    (tmp_path / "train.json").write_text(json.dumps(columns), encoding="utf-8")
    assert read(tmp_path).to_dict("list") == {"id": ["1", "2"], "name": ["a", "b"]}


def test_json_lines_may_be_called_json(tmp_path):
    (tmp_path / "train.json").write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    assert read(tmp_path).to_dict("list") == EXPECTED


def test_parquet_is_read(tmp_path):
    pd.DataFrame(RECORDS).to_parquet(tmp_path / "train.parquet")
    assert read(tmp_path).to_dict("list") == EXPECTED


def test_flags_read_alike_from_csv_json_and_parquet(tmp_path):
    frame = pd.DataFrame({"id": [1, 2, 3], "flag": [True, False, None]})
    (tmp_path / "a").mkdir()
    frame.to_csv(tmp_path / "a" / "train.csv", index=False)
    (tmp_path / "b").mkdir()
    frame.to_json(tmp_path / "b" / "train.json", orient="records")
    (tmp_path / "c").mkdir()
    frame.to_parquet(tmp_path / "c" / "train.parquet")
    for folder in "abc":
        assert read(tmp_path / folder)["flag"].tolist() == ["True", "False", None]


def test_text_longer_than_the_csv_module_allows_by_default_is_read(tmp_path):
    (tmp_path / "train.csv").write_text(f"id,text\n1,{'x' * 1_000_000}\n", encoding="utf-8")
    assert len(read(tmp_path)["text"][0]) == 1_000_000


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("train.csv", b'id,name\n1,a\n2,"b\n3,c\n', "never closed"),
        ("train.csv", b'id,name\n1,"a"b\n', "line 2"),
        ("train.csv", b"id,name\n1,a\n2,b,c\n", "3 fields in line 3, and 2 in its header"),
        ("train.csv", b"id,name\n1,a\n2\n", "1 field in line 3"),
        (
            "train.csv",
            b"id,name\n1\n2,b\n3,,\n4\n5\n6\n",
            "1 field in line 2, 3 fields in line 4, 1 field in line 5 and 2 more, and 2 in",
        ),
        ("train.csv", "id,name\n1,a\n2,é\n".encode("latin-1"), "not UTF-8 text in line 3"),
        ("train.json", b'[{"id": 1},]', "JSON"),
        ("train.json", b'[{"id": 1}, 7]', "list of records"),
        ("train.json", b'{"id": [1, 2], "name": ["a"]}', "other rows"),
        ("train.jsonl", b'{"id": 1}\n{"id": \n', "line 2"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BundleError, match=words):
        read(tmp_path)


def test_a_cut_off_parquet_file_is_refused(tmp_path):
    pd.DataFrame(RECORDS).to_parquet(tmp_path / "whole.parquet")
    content = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "train.parquet").write_bytes(b"PAR1" + bytes(40) + content[44:])
    with pytest.raises(BundleError, match="parquet"):
        read(tmp_path)
