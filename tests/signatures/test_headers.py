import codecs
import json
from typing import Any

import pytest

import signatures
from signatures import BundleError, headers, json_header, read_header

# A role may have no file. Here it always has one.
find: Any = signatures.find


@pytest.fixture
def header_of(dataset):
    def read(content, name="train.csv"):
        return read_header(find(dataset({name: content})).train)

    return read


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", [b"", codecs.BOM_UTF8])
def test_any_line_end_and_a_byte_order_mark_are_read(header_of, start, end):
    content = start + f"id,âge{end}1,2{end}".encode()
    if not end:
        content = start + "id,âge".encode()
    assert header_of(content).columns == ("id", "âge")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["train.csv", "train.tsv"])
def test_delimiter_is_found(header_of, delimiter, name):
    header = header_of(delimiter.join(["a", "b", "c"]) + "\n", name)
    assert (header.columns, header.delimiter) == (("a", "b", "c"), delimiter)


def test_delimiter_inside_quotes_does_not_count(header_of):
    header = header_of('"a;b;c;d","e"\n1,2\n')
    assert (header.columns, header.delimiter) == (("a;b;c;d", "e"), ",")
    header = header_of('"a,b,c,d";"e"\n')
    assert (header.columns, header.delimiter) == (("a,b,c,d", "e"), ";")


def test_comma_wins_a_tie(header_of):
    assert header_of("a;b,c\n").delimiter == ","
    assert header_of("a\n").delimiter == ","


def test_tab_wins_a_tie_in_a_tsv(header_of):
    assert header_of("a\n", "train.tsv").delimiter == "\t"


def test_names_are_kept_as_written(header_of):
    assert header_of(' a,b ,"c ""d""","e\nf",5" disc\n').columns == (
        " a",
        "b ",
        'c "d"',
        "e\nf",
        '5" disc',
    )


def test_one_column_without_a_name_is_kept(header_of):
    assert header_of(",a,b\n").columns == ("", "a", "b")


def test_only_the_start_of_a_long_table_is_read(header_of, monkeypatch):
    monkeypatch.setattr(headers, "LINE_LIMIT", 100)
    rows = "é,1\n" * 1000 + '"never closed'
    assert header_of("é,a\n" + rows).columns == ("é", "a")
    assert header_of("éé,a\n" + rows).columns == ("éé", "a")


def test_bytes_beyond_the_header_need_not_be_text(header_of):
    assert header_of(b"a,b\n\xff,\x00\n").columns == ("a", "b")


def test_endless_header_is_refused(header_of, monkeypatch):
    monkeypatch.setattr(headers, "LINE_LIMIT", 100)
    with pytest.raises(BundleError, match="within 100 bytes: it does not end"):
        header_of("a," * 200)


def test_header_of_a_million_bytes_without_an_end_is_refused(header_of):
    with pytest.raises(BundleError, match="no readable first line"):
        header_of(b"a" * (headers.LINE_LIMIT + 10))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"\n1,2\n", "has no column names"),
        (b"\r\n1,2\n", "has no column names"),
        (b"  \n1,2\n", "has no column names"),
        (b",,\n1,2\n", "has no column names"),
        (codecs.BOM_UTF8, "is empty"),
        ("âge,b\n".encode("latin-1"), r"not UTF-8 text: its header has b'\\xe2ge'"),
        ("a,b\n".encode("utf-16"), "UTF-16 or UTF-32"),
        ("a,b\n".encode("utf-32"), "UTF-16 or UTF-32"),
        ("a,b\n".encode("utf-16-le"), "not a text table"),
        (b'"a,b\n1,2\n', "unexpected end of data"),
        (b'a,"b\n1,"2"\n', "no readable first line"),
        (b"\x1f\x8b\x08\x00", "Add .gz to its name"),
        (b"PK\x03\x04", "Add .zip to its name"),
        (b"\x00\x01\x02\x03,\x05\n", "not a text table"),
    ],
)
def test_unusable_csv_says_why(header_of, content, problem):
    with pytest.raises(BundleError, match=problem):
        header_of(content)


def test_not_utf8_says_to_save_it_as_utf8(header_of):
    with pytest.raises(BundleError, match="Save it again as UTF-8"):
        header_of("âge,b\n".encode("latin-1"))


def test_columns_of_one_name_are_named(header_of):
    with pytest.raises(BundleError, match=r"columns of the same name: 'a', 'b'\. Give"):
        header_of("a,b,c,a,b,b\n")


@pytest.mark.parametrize(
    ("content", "layout"),
    [
        ('[{"a": 1, "b": [1, {}]}, {"a": 2}]', "records"),
        ('\ufeff [\n {"a": 1,\n "b": null}\n]', "records"),
        ('{"a": [1, 2], "b": [3, 4]}', "columns"),
        ('{"a": {"0": 1}, "b": {"0": 3}}', "columns"),
        ('{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n', "lines"),
        ('{"a": 1, "b": 2}', "lines"),
    ],
)
def test_json_in_three_layouts_is_read(header_of, content, layout):
    header = header_of(content, "train.json")
    assert (header.columns, header.layout, header.delimiter) == (("a", "b"), layout, None)


def test_jsonl_is_one_record_a_line(header_of):
    header = header_of('{"a": [1], "b": [2]}\n', "train.jsonl")
    assert (header.columns, header.layout) == (("a", "b"), "lines")


def test_first_record_may_be_longer_than_the_first_piece(header_of):
    record = {"a": "é" * json_header.FIRST_PIECE * 3, "b": 1}
    content = json.dumps([record] * 2, ensure_ascii=False)
    assert header_of(content, "train.json").columns == ("a", "b")


def test_json_is_read_no_further_than_its_first_record(header_of):
    content = b'[{"a": 1}, ' + b" " * 2 * json_header.FIRST_PIECE + b"\xff"
    assert header_of(content, "train.json").columns == ("a",)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "holds no record"),
        ("[]", "an object was expected and ']' found"),
        ("[1, 2]", "an object was expected and '1, 2]' found"),
        ("null", "an object was expected"),
        ('[{"a": 1,}]', "not a JSON table"),
        ('[{"a": 1', "not a JSON table"),
        ('[{"a": 1} {"a": 2}]', "followed by '{'"),
        ('[{"a": 1}', "followed by ''"),
        ('{"a": 1}, {"a": 2}', "followed by ','"),
        ("{}", "has no column names"),
        ('{"a": ' + "[" * 100_000, "not a JSON table"),
        (b'[{"a\xff": 1}]', "not UTF-8 text"),
        ("a,b\n", "an object was expected and 'a,b"),
    ],
)
def test_unusable_json_says_why(header_of, content, problem):
    with pytest.raises(BundleError, match=problem):
        header_of(content, "train.json")


def test_json_columns_of_one_name_are_named(header_of):
    with pytest.raises(BundleError, match="columns of the same name: 'a'"):
        header_of('[{"a": 1, "b": {"a": 1}, "a": 2}]', "train.json")


def test_json_object_beyond_the_limit_is_refused(header_of, monkeypatch):
    monkeypatch.setattr(json_header, "LIMIT", 2**18)
    with pytest.raises(BundleError, match="no complete first object"):
        header_of(json.dumps({"a": "x" * 2**20}), "train.json")


def test_description_has_no_header(dataset):
    bundle = find(dataset({"train.csv": "a", "description.md": "a,b"}))
    with pytest.raises(BundleError, match="is not a table"):
        read_header(bundle.description)
