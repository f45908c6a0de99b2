from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from signatures import find
from solvers.features import apply_rules, build_features, prepare
from solvers.recipe import SideFilesUnused
from solvers.solver import StackedSolver

ROWS = pd.DataFrame({"a": [1.0, None, None], "b": [None, 2.0, None]})


def a_from_b(rows):
    return rows.assign(a=rows["a"].fillna(rows["b"]))


def zero(rows):
    return rows.fillna(0.0)


def doubled(rows):
    return rows.assign(a=2 * rows["a"])


def test_rules_are_applied_in_order_and_counted():
    rows, filled = apply_rules(ROWS, (a_from_b, zero))
    assert rows.to_dict("list") == {"a": [1.0, 2.0, 0.0], "b": [0.0, 2.0, 0.0]}
    assert filled == {"a_from_b": 1, "zero": 3}


def test_a_rule_that_changes_what_is_known_is_a_bug():
    with pytest.raises(ValueError, match="not missing, in a"):
        apply_rules(ROWS, (zero, doubled))


def test_groups_stand_side_by_side():
    features = build_features(
        ROWS, ROWS, (lambda rows, raw: rows[["a"]], lambda rows, raw: rows[["b"]])
    )
    pd.testing.assert_frame_equal(features, ROWS)


def short(rows, raw):
    return rows.head(2)


def test_a_group_that_drops_rows_is_a_bug():
    with pytest.raises(ValueError, match="short does not keep the rows"):
        build_features(ROWS, ROWS, (short,))


def test_two_features_of_one_name_are_a_bug():
    with pytest.raises(ValueError, match="share a name"):
        build_features(ROWS, ROWS, (lambda rows, raw: rows, lambda rows, raw: rows))


def solver_with(side):
    return StackedSolver(
        contract=None, features=(lambda rows, raw: rows.drop(columns="b"),), models=(),
        example=None, side=side,
    )  # fmt: skip


def declines(files, rows, is_train):
    msg = "the scales are broken"
    raise SideFilesUnused(msg)


@pytest.mark.parametrize(
    ("side", "columns", "without"),
    [
        (None, ["a"], ""),
        (lambda files, rows, is_train: pd.DataFrame({"c": [1, 2, 3]}), ["a", "c"], ""),
        (lambda files, rows, is_train: pd.DataFrame(index=rows.index), ["a"], "not complete"),
        (declines, ["a"], "the scales are broken"),
    ],
)
def test_why_files_beside_the_tables_are_not_used_is_told(tmp_path, side, columns, without):
    (tmp_path / "train.csv").write_text("a\n1\n", encoding="utf-8")
    members = find(tmp_path).members
    data = SimpleNamespace(rows=ROWS, is_train=np.array([True, True, False]))
    ready = prepare(data, solver_with(side), members)
    assert list(ready.X) == columns
    assert without in ready.without
    assert bool(without) == bool(ready.without)


def test_no_files_beside_the_tables_are_told_of():
    data = SimpleNamespace(rows=ROWS, is_train=np.array([True, True, False]))
    assert "no files beside" in prepare(data, solver_with(declines), ()).without
