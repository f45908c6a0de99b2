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


def doubled_in_place(rows):
    rows["a"] = 2 * rows["a"]
    return rows


def flagged(rows):
    return rows.assign(c=1.0)


def without_b(rows):
    return rows.drop(columns="b")


def forgetful(rows):
    rows["a"] = rows["a"].fillna(0.0)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (doubled, "the rule doubled changed values that were not missing, or their dtype, in a"),
        (doubled_in_place, "the rule doubled_in_place changed values .* in a"),
        (flagged, "the rule flagged added c"),
        (without_b, "the rule without_b dropped b"),
        (forgetful, "the rule forgetful returned NoneType"),
        (lambda rows: rows.head(1), "the rule <lambda> does not keep the rows"),
    ],
)
def test_a_rule_that_does_more_than_fill_gaps_is_a_bug_and_is_named(rule, said):
    given = ROWS.copy()
    with pytest.raises(ValueError, match=said):
        apply_rules(given, (zero, rule))
    pd.testing.assert_frame_equal(given, ROWS)


def zero_in_place(rows):
    rows["a"] = rows["a"].fillna(0.0)
    return rows


def test_what_a_rule_fills_in_place_is_counted_and_what_was_read_stays():
    given = ROWS.copy()
    rows, filled = apply_rules(given, (zero_in_place,))
    assert filled == {"zero_in_place": 2}
    assert rows["a"].tolist() == [1.0, 0.0, 0.0]
    pd.testing.assert_frame_equal(given, ROWS)


def test_groups_stand_side_by_side():
    features = build_features(
        ROWS, ROWS, (lambda rows, raw: rows[["a"]], lambda rows, raw: rows[["b"]])
    )
    pd.testing.assert_frame_equal(features, ROWS)


def spoils(rows, raw):
    rows["b"] = raw["b"] = 9.0
    return rows[["a"]]


def both_b(rows, raw):
    return pd.DataFrame({"rows_b": rows["b"], "raw_b": raw["b"]})


def test_what_a_group_writes_into_its_rows_reaches_no_other():
    rows, raw = ROWS.copy(), ROWS.copy()
    features = build_features(rows, raw, (spoils, both_b))
    for name in ("rows_b", "raw_b"):
        assert features[name].tolist()[1] == 2.0
    pd.testing.assert_frame_equal(rows, ROWS)
    pd.testing.assert_frame_equal(raw, ROWS)


def short(rows, raw):
    return rows.head(2)


def dated(rows, raw):
    return pd.DataFrame({"day": pd.to_datetime(["2001-02-03"] * 3)})


def objects(rows, raw):
    return pd.DataFrame({"kind": pd.Series(["x", 1, None], dtype="object")})


def ratio(rows, raw):
    return pd.DataFrame({"ratio": [1.0, np.inf, np.nan]})


def nothing(rows, raw):
    rows["c"] = 1.0


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (short, "short does not keep the rows"),
        (dated, r"dated: day is of dtype datetime64\[.*\], expected numbers"),
        (objects, "objects: kind is of dtype object"),
        (ratio, "ratio: ratio holds 1 infinite number,"),
        (nothing, "nothing returned NoneType, expected a DataFrame"),
    ],
)
def test_a_group_that_no_model_can_be_given_is_a_bug_and_is_named(group, said):
    with pytest.raises(ValueError, match=f"feature group {said}"):
        build_features(ROWS, ROWS, (group,))


def test_two_features_of_one_name_are_a_bug_and_their_groups_are_named():
    with pytest.raises(ValueError, match="share a name: a; the first is of as_they_are and again"):
        build_features(ROWS, ROWS, (as_they_are, again))


def as_they_are(rows, raw):
    return rows


def again(rows, raw):
    return rows[["a"]]


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
