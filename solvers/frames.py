"""Tables as people hold them in memory, typed already or as arrays, to rows that a solver takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from signatures import TaskRejectedError
from solvers import contract, metrics
from solvers.contract import Contract
from solvers.target import LINKS, Array, Target

LARGEST = 1e30  # of targets: boosting libraries hold numbers, and their squares too, with bounds


def typed_by(declared: Contract, X: pd.DataFrame, *, name: str) -> pd.DataFrame:
    """Hold a table against a contract, whatever types its columns have by now.

    Raises
    ------
    TypeError
        If it is no table with names.
    TaskRejectedError
        With one sentence for each thing that is wrong; a `ValueError`.
    """
    if not isinstance(X, pd.DataFrame):
        msg = f"expected a DataFrame with the contract's columns, not {type(X).__name__}"
        raise TypeError(msg)
    _refuse_empty(X)
    checked = contract.check(as_text(X), declared, name=name)
    if checked.failures:
        raise TaskRejectedError(declared.__name__, list(checked.failures))
    return checked.rows


def as_text(X: pd.DataFrame) -> pd.DataFrame:
    """Write values as a file would hold them; what is missing is None."""
    table = {name: [_written(value) for value in X[name]] for name in X.columns}
    return pd.DataFrame(table, dtype=object)


def _written(value: Any) -> str | None:
    if value is None or (not isinstance(value, str) and pd.isna(value)):
        return None
    # A column of whole numbers with gaps was read as floats.
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def as_frame(estimator: Any, X: Any, *, reset: bool) -> pd.DataFrame:
    """Check a table without a contract as scikit-learn does; arrays get names of columns.

    Raises
    ------
    ValueError
        If it is empty, holds infinite numbers, or has other columns than the table of the fit.
    """
    if not isinstance(X, pd.DataFrame):
        values = validate_data(
            estimator, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return pd.DataFrame(values, columns=[f"x{place}" for place in range(values.shape[1])])
    if twice := X.columns[X.columns.duplicated()].tolist():
        msg = f"X has columns of the same name: {twice[0]!r}; give each a name of its own"
        raise ValueError(msg)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    _refuse_empty(X)
    rows = X.rename(columns=str).reset_index(drop=True)
    infinite = [name for name in rows if _has_infinity(rows[name])]
    if infinite:
        msg = f"{infinite[0]!r} holds infinity or a value too large; leave it out or make it NaN"
        raise ValueError(msg)
    return rows


def _has_infinity(column: pd.Series) -> bool:
    if not pd.api.types.is_float_dtype(column.dtype):
        return False
    return bool(np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan)).any())


def _refuse_empty(X: pd.DataFrame) -> None:
    if 0 in X.shape:
        msg = f"expected a row and a column at least; found {len(X)} rows, {X.shape[1]} columns"
        raise ValueError(msg)


def targets_in(
    y: Any, metric: str
) -> tuple[tuple[Target, ...], list[Array], list[npt.NDArray[Any]]]:
    """Turn what is to be predicted into class indexes, or numbers, as the metric wants it.

    Returns
    -------
    targets : tuple of Target
    ys : list of ndarray of shape (n_rows,)
    classes : list of ndarray of shape (n_classes,)
        Of each target; empty for numbers.

    Raises
    ------
    ValueError
        If there is nothing to tell apart, or a number that the metric cannot compare.
    """
    if y is None:
        msg = "a solver requires y to be passed, but the target y is None"
        raise ValueError(msg)
    if metric in metrics.OF_NUMBERS:
        numbers = check_array(y, ensure_2d=False, dtype=np.float64)
        columns = [np.ascontiguousarray(column) for column in numbers.reshape(len(numbers), -1).T]
        link = LINKS.get(metric, "identity")
        targets = tuple(Target(name, link=link) for name in _names(y, len(columns)))
        if np.abs(numbers).max() > LARGEST:
            msg = f"y holds numbers above {LARGEST:g}, which base models cannot hold; scale it down"
            raise ValueError(msg)
        if numbers.min() < targets[0].least:
            msg = f"{metric} compares logarithms: y must be {targets[0].least:.3g} or more"
            raise ValueError(msg)
        return targets, columns, []
    table = np.asarray(y)
    several = table.ndim == 2 and table.shape[1] > 1
    columns = list(table.T) if several else [column_or_1d(y, warn=True)]
    found = [_classes_in(column, metric) for column in columns]
    names = _names(y, len(found))
    return (
        tuple(
            Target(name, tuple(map(str, classes)))
            for name, (classes, _) in zip(names, found, strict=True)
        ),
        [index for _, index in found],
        [classes for classes, _ in found],
    )


def _classes_in(y: npt.NDArray[Any], metric: str) -> tuple[npt.NDArray[Any], Array]:
    y = pd.Series(y).infer_objects().to_numpy()  # a table of flags and words is one of objects
    if pd.isna(y).any():
        msg = "Input y contains NaN: a row has no class; leave it out, or give it one"
        raise ValueError(msg)
    check_classification_targets(y)
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        msg = f"expected classes to tell apart, found one class only: {str(classes[0])!r}"
        raise ValueError(msg)
    if metric == "auc" and len(classes) > 2:
        msg = f"auc is of two classes, found {len(classes)}; choose log_loss or accuracy"
        raise ValueError(msg)
    return classes, index.astype(np.float64)


def _names(y: Any, n_targets: int) -> Sequence[str]:
    columns = [str(name) for name in getattr(y, "columns", [])]
    return columns or [f"y{place}" for place in range(n_targets)]
