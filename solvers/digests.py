"""SHA-256 of files, tables and predictions."""

import hashlib
import io

import numpy as np
import pandas as pd

from solvers.target import Array


def of_stream(stream: io.BufferedReader) -> str:
    """Digest a stream's bytes, a megabyte at a time."""
    return hashlib.file_digest(stream, "sha256").hexdigest()


def of_table(rows: pd.DataFrame) -> str:
    """Digest a typed table by the csv text of its values.

    The caller sorts rows by id and columns by the contract, so the digest does not depend on the
    input's format or order.
    """
    return hashlib.sha256(rows.to_csv(index=False, lineterminator="\n").encode()).hexdigest()


def of_predictions(predictions: Array) -> str:
    """Digest predictions rounded to 1e-9, as little-endian doubles."""
    rounded = np.round(predictions, 9) + 0.0  # adding zero turns -0.0 into 0.0
    return hashlib.sha256(np.ascontiguousarray(rounded, dtype="<f8").tobytes()).hexdigest()
