"""Texts that are made of each other, on one tree of seven."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from solvers.models.base import Fitted
from solvers.models.families import Links
from solvers.models.relatives import ReadAmongRelatives, labels_of_relatives
from solvers.target import Target

LINKS = Links("n", "whole", "left", "right")
#        0
#     1     2
#    3 4   5 4
#   6 6
TREE = pd.DataFrame(
    {
        "n": range(7),
        "whole": [-1, 0, 0, 1, 1, 2, 3],
        "left": [1, 3, 5, 6, -1, -1, -1],
        "right": [2, 4, 4, 6, -1, -1, -1],
    }
)
FIVE = Target("t", ("0", "1", "2", "3", "4"))
NAN = float("nan")
Y = np.array([4, 3, 2, 1, 0])  # of 0 to 4; 5 and 6 are to be predicted


@dataclass(frozen=True)
class Seen:
    """Keeps what it is shown."""

    kept: list
    name: str = "seen"

    def fit_predict(self, X, y, X_new, *, target, seed):
        self.kept.append(pd.concat([X, X_new]))
        shares = np.arange(X.shape[1], dtype=float)
        return Fitted(np.zeros((len(X_new), 5)), importance=shares / shares.sum())


@dataclass(frozen=True)
class Telling:
    """Gives the highest class of each text its row's number, and says who may be learned from."""

    learned: list
    name: str = "telling"

    def read(self, texts, known):
        return self

    def scores(self, classes, seen, wanted, n_classes):
        self.learned.append(seen)
        scores = np.zeros((1, len(wanted), n_classes))
        scores[0, :, -1] = np.arange(len(wanted))
        return scores[:, wanted]


def labels(y, table=TREE):
    tilt = np.full(len(table), NAN)
    tilt[: len(y)] = np.asarray(y) - 2.0
    return labels_of_relatives(LINKS.family(table), tilt).rename(
        columns=lambda name: name.removeprefix("relatives ")
    )


def told(y=Y, readers=1):
    text = pd.DataFrame({"text": ["a"] * len(TREE)})
    model = ReadAmongRelatives(None, (Telling([]),) * readers, folds=5, links=LINKS)
    return model.tell(text.join(TREE), np.asarray(y), 5, 0)


def test_relatives_are_found_in_whatever_order_rows_stand():
    mixed = TREE.sample(frac=1, random_state=1, ignore_index=True)
    number = mixed["n"].to_numpy()
    for name, rows in LINKS.family(TREE).near.items():
        there = LINKS.family(mixed).near[name]
        assert np.where(there >= 0, number[there], -1).tolist() == rows[number].tolist()


def test_siblings_share_a_whole_and_the_top_is_part_of_nothing():
    family = LINKS.family(TREE)
    assert family.near["sibling"].tolist() == [-1, 2, 1, 4, 3, 4, 6]
    assert family.top.tolist() == [-1, 0, 0, 0, 0, 0, 0]


def test_a_relative_that_is_not_among_the_rows_is_none():
    family = LINKS.family(TREE.drop(index=1).reset_index(drop=True))
    assert family.left[0] == -1
    assert family.whole.tolist() == [-1, 0, -1, -1, 1, 2]


def test_a_text_alone_has_no_relatives():
    one = TREE.iloc[[4]].reset_index(drop=True)
    family = LINKS.family(one)
    assert family.near["whole"].tolist() == [-1]
    assert [family.wholes.nnz, family.above.nnz, family.within.nnz] == [0, 0, 0]


def test_a_row_is_told_its_relatives_labels_as_far_as_they_are_known():
    of = labels(Y)
    assert of["whole"].tolist() == pytest.approx([NAN, 2, 2, 1, 1, 0, -1], nan_ok=True)
    assert of["left"].tolist() == pytest.approx([1, -1] + [NAN] * 5, nan_ok=True)
    assert of["left right"].tolist() == pytest.approx([-2] + [NAN] * 6, nan_ok=True)
    assert of["right left"].isna().all()


def test_several_relatives_are_told_of_by_their_mean_and_their_number():
    of = labels(Y)
    # In 0 there are 1, 2, 3, twice 4, and without a label 5 and twice 6.
    assert of["within known"].tolist() == [5, 2, 1, 0, 0, 0, 0]
    assert of["within unknown"].tolist() == [3, 2, 1, 2, 0, 0, 0]
    assert of["within mean"][0] == pytest.approx((1 + 0 - 1 - 2 - 2) / 6)
    assert of["above up"][6] == pytest.approx((1 + 2) / 4)
    assert of["above down"][6] == pytest.approx(-1 / 4)
    assert of["wholes known"].tolist() == [0, 1, 1, 1, 2, 1, 2]


def test_the_nearest_label_above_may_be_some_steps_away():
    mixed = TREE.iloc[[0, 4, 6, 3, 1, 2, 5]].reset_index(drop=True)  # 0 and 4 have labels
    of = labels([4, 2], mixed)
    assert of.loc[2, ["nearest", "nearest steps"]].tolist() == [2, 3]
    assert of.loc[0, ["nearest", "nearest steps"]].isna().all()


def test_no_row_of_the_fit_is_told_its_own_label():
    y = np.array([4, 3, 2, 1, 0, 1])
    plain = told(y)
    for row in range(len(y)):
        other = y.copy()
        other[row] = (y[row] + 2) % 5
        of_others = [name for name in plain if name.startswith("relatives")]
        changed = told(other)
        pd.testing.assert_series_equal(changed.loc[row, of_others], plain.loc[row, of_others])
        assert not changed.equals(plain)


def test_readers_tell_a_row_of_its_relatives_without_having_seen_it():
    learned = []
    model = ReadAmongRelatives(None, (Telling(learned),), folds=5, links=LINKS)
    table = pd.DataFrame({"text": ["a"] * len(TREE)}).join(TREE)
    model.tell(table, Y, 5, 0)
    # Five folds of one row each; then the rows to be predicted, by all five.
    assert sorted(seen.sum() for seen in learned) == [4, 4, 4, 4, 4, 5]
    assert not any(seen[5:].any() for seen in learned)


def test_a_near_relative_leans_by_its_label_where_that_is_known_and_by_its_text_elsewhere():
    columns = told().filter(regex="telling").to_numpy()
    own, (tilt, force), near = columns[:, :5], columns[:, 5:7].T, columns[:, 7:27]
    number = np.arange(7)
    assert own[:, 4].tolist() == pytest.approx((0.8 * number).tolist())
    # A score of n for the highest class: a tilt of 2 n, and as much force.
    assert tilt.tolist() == force.tolist() == (2.0 * number).tolist()
    whole, left, right, sibling = (near[:, place : place + 5] for place in range(0, 20, 5))
    assert whole[3].tolist() == [2, 2, 1, 1, 1 - 2]  # 1: by its text twice, its label, the surplus
    assert left[2, :4].tolist() == [10, 10, 10, 10]  # 5 has no label
    assert np.isnan(left[2, 4])
    assert right[0].tolist() == [4, 4, 0, 0, 0 - 4]
    assert sibling[1].tolist() == right[0].tolist()
    assert np.isnan(near[4, 5:15]).all()  # 4 is a word


def test_keys_are_read_and_not_shown_and_what_is_told_is_the_texts_account():
    kept = []
    X = TREE.assign(text=pd.Series(["a"] * 7).astype(pd.StringDtype("python")), size=1.0)
    model = ReadAmongRelatives(Seen(kept), (Telling([]),), folds=2, links=LINKS)
    y = Y.astype(float)
    fitted = model.fit_predict(X.iloc[:5], y, X.iloc[5:], target=FIVE, seed=0)
    assert not set(kept[0]) & {*LINKS.columns, "text"}
    assert "size" in kept[0]
    by_name = dict(zip(X, fitted.importance.tolist(), strict=True))
    assert by_name == pytest.approx({**dict.fromkeys(X, 0), "text": 1, "size": 0})
