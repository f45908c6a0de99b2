"""What a report reads beside the record: tables of the run.

Only NumPy and pyarrow are imported: a report must not cost a run what pandas costs to import.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from signatures import RunFolderError
from solvers.target import Array

OOF, TEST = "oof_predictions.parquet", "test_predictions.parquet"
IMPORTANCE = "feature_importance.parquet"
_AGAIN = "Make the run again with: solvers solve"


class Table:
    """One parquet file of a run. Whatever is wrong with it is said in a sentence.

    Raises
    ------
    RunFolderError
        On opening or reading, if the file is not there, or not what a run writes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            self.refuse("is missing")
        try:
            self._file = parquet.ParquetFile(path, memory_map=True)
        except (pa.ArrowException, OSError) as error:
            self.refuse("is not a parquet file that can be read", error)
        self.names: list[str] = self._file.schema_arrow.names
        self.n_rows: int = self._file.metadata.num_rows

    def __enter__(self) -> Self:
        """Keep the file open."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file."""
        self._file.close()

    def refuse(self, problem: str, cause: Exception | None = None) -> NoReturn:
        """Say what is wrong with this file, and what to do."""
        raise RunFolderError(str(self.path), problem, _AGAIN) from cause

    def numbers(self, columns: Sequence[str], n_rows: int | None = None) -> Array:
        """Read columns of finite numbers side by side, as ``(n_rows, n_columns)``."""
        table = self._read(columns, n_rows)
        arrays = []
        for column in columns:
            values = table.column(column)
            if not (pa.types.is_floating(values.type) or pa.types.is_integer(values.type)):
                self.refuse(f"has no numbers in column {column!r}")
            array = _to_numpy(values)
            if values.null_count or not np.isfinite(array).all():
                self.refuse(f"has missing or infinite numbers in column {column!r}")
            arrays.append(array)
        return np.column_stack(arrays)

    def texts(self, column: str) -> list[str]:
        """Read a column of words."""
        return [str(value) for value in self._read([column], None).column(column).to_pylist()]

    def classes(self, column: str, labels: Sequence[str], n_rows: int | None = None) -> Array:
        """Read a column of labels as class indices."""
        values = self._read([column], n_rows).column(column)
        try:
            coded = compute.cast(values, pa.string()).combine_chunks().dictionary_encode()
        except pa.ArrowException as error:
            self.refuse(f"has no labels in column {column!r}", error)
        index = {label: number for number, label in enumerate(labels)}
        words = coded.dictionary.to_pylist()
        if coded.null_count or not index.keys() >= set(words):
            self.refuse(f"has values in column {column!r} that are no labels of the record")
        codes = _to_numpy(coded.indices).astype(np.intp)
        return np.array([index[word] for word in words], dtype=np.float64)[codes]

    def _read(self, columns: Sequence[str], n_rows: int | None) -> Any:
        """Read columns, all rows or the first few, as an Arrow table."""
        for column in columns:
            if self.names.count(column) != 1:
                found = "no" if column not in self.names else "more than one"
                self.refuse(f"has {found} column {column!r}")
        try:
            if n_rows is None or n_rows >= self.n_rows:
                return self._file.read(columns=list(columns))
            # Batch by batch: a large table is not decoded beyond the rows that are wanted.
            # (Threads are of no help for that: they wait for the pages of the mapped file.)
            batches = self._file.iter_batches(n_rows, columns=list(columns), use_threads=False)
            return pa.Table.from_batches([next(batches)])
        except (pa.ArrowException, OSError, StopIteration) as error:
            self.refuse("is damaged: its columns cannot be read", error)


def _to_numpy(values: Any) -> Array:
    """Take an Arrow column of numbers as doubles; of a missing one, something.

    Arrow's own ``to_numpy`` would import pandas for it.
    """
    whole = compute.cast(values, pa.float64())
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.combine_chunks()
    if not len(whole):
        return np.empty(0)
    return np.frombuffer(whole.buffers()[1], np.float64, len(whole), 8 * whole.offset)
