"""Parts of a target: read, and held against what they add up to."""

import numpy as np
import pandas as pd
import pytest

from solvers.labels import read_parts
from solvers.target import Target

COUNT = Target("count", link="log1p")
PARTS = ("casual", "registered")


@pytest.fixture
def train():
    return pd.DataFrame(
        {"casual": ["1", "0", "2.5"], "registered": ["2", "4", "0.5"], "count": ["3", "4", "3"]}
    )


def test_parts_are_numbers_beside_each_other(train):
    numbers, failures = read_parts(train, PARTS, COUNT, np.array([3.0, 4.0, 3.0]))
    assert failures == []
    assert numbers.tolist() == [[1, 2], [0, 4], [2.5, 0.5]]


def test_parts_that_do_not_add_up_are_told_with_the_first_row(train):
    _, failures = read_parts(train, PARTS, COUNT, np.array([3.0, 5.0, 3.0]))
    assert failures == [
        "train: count: expected the sum of casual and registered; 1 row with '4' "
        "(first in data row 2)."
    ]


def test_a_part_that_is_no_number_or_below_0_is_told(train):
    train.loc[0, "casual"], train.loc[2, "registered"] = "one", "-1"
    _, failures = read_parts(train, PARTS, COUNT, np.array([3.0, 4.0, 3.0]))
    assert len(failures) == 2
    assert "casual: expected a number of 0 or more; 1 row with 'one'" in failures[0]
    assert "registered: expected a number of 0 or more; 1 row with '-1'" in failures[1]


def test_a_part_that_is_missing_is_named(train):
    y = np.array([3.0, 4.0, 3.0])
    _, failures = read_parts(train.drop(columns="casual"), PARTS, COUNT, y)
    assert failures == ["train: the column 'casual' is missing."]


def test_what_is_wrong_with_the_target_itself_is_not_told_twice(train):
    assert read_parts(train, PARTS, COUNT, np.array([3.0, np.nan, 3.0]))[1] == []
    assert read_parts(train.drop(columns="count"), PARTS, COUNT, np.empty(0))[1] == []
