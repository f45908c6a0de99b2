"""Synthetic rows satisfy the contract that they are drawn from."""

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest

from solvers import contract, synthetic


class Fish(pa.DataFrameModel):
    """One of each kind of column."""

    fish: int = pa.Field(unique=True, ge=100)
    tag: str = pa.Field(unique=True)
    fins: int = pa.Field(ge=2, le=5)
    length: float = pa.Field(nullable=True, ge=-1.5, le=2.5)
    pond: str = pa.Field(nullable=True, isin=["north", "south"])
    tame: pd.BooleanDtype = pa.Field(nullable=True)
    note: str = pa.Field()

    class Config:
        """Text becomes pandas' own text dtype."""

        coerce = True


@pytest.fixture
def random():
    return np.random.default_rng(0)


def test_rows_satisfy_their_contract(random):
    rows = synthetic.draw(Fish, 200, random)
    checked = contract.check(synthetic.as_text(rows), Fish, name="rows")
    assert checked.failures == ()
    assert set(rows["fins"]) == {2, 3, 4, 5}
    assert set(rows["pond"].dropna()) == {"north", "south"}


class Bounded(pa.DataFrameModel):
    """Bounds that are said in other ways."""

    between: int = pa.Field(gt=0, lt=3)
    below: float = pa.Field(le=-5)
    few: int = pa.Field(le=3)
    more: int = pa.Field(ge=7)

    class Config:
        """Text becomes pandas' own text dtype."""

        coerce = True


def test_rows_keep_within_bounds_however_they_are_said(random):
    rows = synthetic.draw(Bounded, 200, random)
    checked = contract.check(synthetic.as_text(rows), Bounded, name="rows")
    assert checked.failures == ()
    assert set(rows["between"]) == {1, 2}
    assert set(rows["few"]) == {0, 1, 2, 3}


def test_a_tenth_of_what_may_be_missing_is(random):
    missing = synthetic.draw(Fish, 5000, random).isna().mean()
    assert missing[["length", "pond", "tame"]].tolist() == pytest.approx([0.1] * 3, abs=0.02)
    assert missing[["fish", "tag", "fins", "note"]].tolist() == [0] * 4


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y %H:%M"])
def test_dates_are_read_as_they_are_written_and_occur_once(random, form):
    dates = synthetic.dates(100, random, form)
    assert len(set(dates)) == 100
    assert pd.to_datetime(pd.Series(dates), format=form).notna().all()


@pytest.mark.parametrize("column", [[3.0, 1.0, None, 2.0] * 50, ["c", "a", None, "b"] * 50])
def test_a_share_rises_with_the_column_it_follows(random, column):
    column = pd.Series(column)
    share = synthetic.follow(column, random)
    assert np.sort(share).tolist() == pytest.approx(np.arange(200) / 200)
    known = column.notna()
    assert pd.Series(share)[known].corr(column[known].rank(), method="spearman") > 0.8


def test_text_is_what_a_file_would_hold():
    table = pd.DataFrame({"n": [1.5, None], "flag": pd.array([True, None], dtype="boolean")})
    assert synthetic.as_text(table).to_dict("list") == {"n": ["1.5", None], "flag": ["True", None]}
