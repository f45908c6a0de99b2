import gzip
import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import signatures
from signatures import BundleError, parquet, read_header

# A role may have no file. Here it always has one.
find: Any = signatures.find


def written(table, **options):
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


@pytest.fixture
def nested():
    return pa.table(
        {
            "id": pa.array([1, 2]),
            "struct": pa.array([{"x": 1, "y": {"z": "a"}}, None]),
            "list": pa.array([[1, 2], []]),
            "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
            "list of structs": pa.array([[{"deep": [1]}], None]),
            "décimal": pa.array([1, 2], pa.decimal128(10, 2)),
            "when": pa.array([0, 1], pa.timestamp("us", tz="UTC")),
            "last": pa.array([True, None]),
        }
    )


@pytest.mark.parametrize("version", ["1.0", "2.4", "2.6"])
def test_top_level_columns_of_a_nested_table_are_read(dataset, nested, version):
    folder = dataset({"train.parquet": written(nested, version=version)})
    assert read_header(find(folder).train).columns == tuple(nested.column_names)


def test_wide_table_is_read(dataset):
    names = [f"column {number}" for number in range(1000)]
    table = pa.table({name: pa.array([], pa.int8()) for name in names})
    assert read_header(find(dataset({"train.parquet": written(table)})).train).columns == tuple(
        names
    )


def test_index_of_pandas_is_no_column(dataset):
    table = pa.table({"a": [1], "__index_level_0__": [7]})
    assert read_header(find(dataset({"train.parquet": written(table)})).train).columns == ("a",)


@pytest.mark.parametrize("name", ["data.tar.gz", "data.zip"])
def test_parquet_in_an_archive_is_read(packed, nested, name):
    train = find(packed({"home/train.parquet": written(nested)}, name)).train
    assert read_header(train).columns == tuple(nested.column_names)
    with train.open() as stream:
        assert pq.read_table(stream).equals(nested)


def test_compressed_parquet_is_read(dataset, nested):
    folder = dataset({"train.parquet.gz": gzip.compress(written(nested))})
    assert read_header(find(folder).train).columns == tuple(nested.column_names)


def test_columns_of_one_name_are_named(dataset):
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(BundleError, match="same name: 'a'"):
        read_header(find(dataset({"train.parquet": written(table)})).train)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2\n", b"PAR1\xff\xff\xff\x7fPAR1"])
def test_something_else_under_the_name_is_refused(dataset, content):
    with pytest.raises(BundleError, match="not a parquet file, or is damaged"):
        read_header(find(dataset({"train.parquet": content})).train)


def test_encrypted_footer_is_named(dataset, nested):
    folder = dataset({"train.parquet": written(nested)[:-4] + b"PARE"})
    with pytest.raises(BundleError, match="is encrypted"):
        read_header(find(folder).train)


def test_any_damaged_footer_is_a_bundle_error_or_a_list_of_names(dataset, nested):
    content = written(nested, compression="none")
    length = int.from_bytes(content[-8:-4], "little")
    train = find(dataset({"train.parquet": content})).train
    start = len(content) - 8 - length  # the schema comes first in it
    for place in range(start, start + 300, 3):
        for value in (0, 0x2C, 0xFF):
            damaged = bytearray(content)
            damaged[place] = value
            with open(train.where, "wb") as stream:
                stream.write(damaged)
            try:
                columns = parquet.read_columns(train)
            except BundleError:
                continue
            assert all(isinstance(name, str) for name in columns)
