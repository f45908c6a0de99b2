"""Contract, rule, features and periods of Bike Sharing Demand, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from signatures import REGISTRY, TaskRejectedError
from solvers import contract, solve
from solvers.tasks.bike_sharing import SOLVER
from solvers.tasks.bike_sharing.contract import Hour, last_days, parse, usual_weather
from solvers.tasks.bike_sharing.features import clock, offices, weather_around
from solvers.tasks.bike_sharing.hours import hours


def rows(*when, **columns):
    """Rows as `parse` gives them, of dry, warm working days unless told otherwise."""
    usual = {"weather": 1, "temp": 20.0, "humidity": 50.0, "windspeed": 10.0}
    table = pd.DataFrame({"datetime": [f"{hour}:00:00" for hour in when], **usual})
    flags = {"holiday": False, "workingday": True}
    table = table.assign(**{**flags, **columns})
    return parse(table.astype(dict.fromkeys(flags, "boolean")))


def test_an_hour_is_taken_apart():
    table = rows("2012-02-19 07")
    assert table[["year", "month", "day", "hour", "weekday"]].to_numpy().tolist() == [
        [2012, 2, 19, 7, 6]
    ]


def test_air_without_water_was_not_measured_and_is_as_in_such_weather():
    table = rows(
        "2011-03-09 00", "2011-03-10 00", "2011-03-10 01", "2011-03-11 00", "2011-04-01 00",
        humidity=[90.0, 0.0, 0.0, 94.0, 40.0], weather=[3, 3, 1, 3, 3],
    )  # fmt: skip
    assert table["humidity"].isna().tolist() == [False, True, True, False, False]
    # Rain in March has 90 and 94. There is no other clear hour in March, so the median of all.
    assert usual_weather(table)["humidity"].tolist() == [90, 92, 90, 94, 40]


def test_months_and_days_count_from_the_first_of_2011():
    told = clock(*2 * [rows("2011-01-01 00", "2012-02-19 23")])
    assert told.to_numpy().tolist() == [[0, 5, 1, 0], [23, 6, 14, 365 + 31 + 18]]


def test_offices_of_days_that_are_kept_by_all_and_of_those_that_are_not():
    holidays = ["2011-04-15", "2011-07-04", "2011-10-10", "2011-11-11", "2011-11-24"]
    table = rows(*[f"{day} 08" for day in holidays], holiday=True, workingday=False)
    assert offices(table, table)["at_work"].tolist() == [0.9, 0, 0.5, 0.5, 0]
    assert (offices(table, table)["holiday"] == 1).all()


def test_offices_of_the_days_around_are_known_from_other_rows_or_by_their_weekday():
    # A Friday, a weekend, a holiday on Monday that all keep; Tuesday is in no row.
    table = rows(
        "2011-09-02 08", "2011-09-03 08", "2011-09-04 08", "2011-09-05 08", "2011-09-05 09",
        holiday=[False, False, False, True, True],
        workingday=[True, False, False, False, False],
    )  # fmt: skip
    told = offices(table, table)
    assert told["at_work"].tolist() == [1, 0, 0, 0, 0]
    assert told["at_work_before"].tolist() == [1, 1, 0, 0, 0]
    assert told["at_work_after"].tolist() == [0, 0, 0, 1, 1]


def test_weather_around_looks_three_hours_back_and_one_ahead():
    table = rows(
        "2011-05-01 00", "2011-05-01 01", "2011-05-01 02", "2011-05-01 03", "2011-05-02 09",
        weather=[3, 1, 2, 4, 1],
    )  # fmt: skip
    told = weather_around(table, table)
    # An hour in no row is as the row's own: before midnight there was rain as at midnight.
    third = 1 / 3
    assert told["rain_before"].tolist() == pytest.approx([1, third, third, third, 0])
    assert told["sky_around"].tolist() == [(3 + 1) / 2, (3 + 2) / 2, (1 + 4) / 2, (2 + 4) / 2, 1]
    assert told["rain_of_day"].tolist() == [0.5, 0.5, 0.5, 0.5, 0]


def test_weather_around_is_the_same_in_any_order_of_rows():
    table = rows(
        *[f"2011-05-01 {hour:02}" for hour in range(9)], weather=[1, 3, 2, 4, 1, 3, 3, 1, 2]
    )
    shuffled = table.sample(frac=1, random_state=1)
    told = weather_around(shuffled, shuffled).sort_index()
    pd.testing.assert_frame_equal(told, weather_around(table, table))


@pytest.mark.parametrize(
    ("n_folds", "expected"),
    [(5, [-1] * 7 + [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]), (3, [-1] * 11 + [0, 0, 1, 1, 2, 2])],
)
def test_periods_are_blocks_of_two_days_at_the_end_of_what_train_has(n_folds, expected):
    table = rows(*[f"2011-0{month}-{day:02} 12" for month in (1, 2) for day in range(1, 18)])
    assert last_days(table, n_folds).tolist() == expected * 2


@pytest.mark.parametrize("when", ["2011-02-30 10:00:00", "2011-01-01 10:30:00", "1.1.2011 10:00"])
def test_what_is_no_full_hour_of_the_calendar_is_refused(when):
    table = hours(3, 1, 0)[0].reset_index(drop=True)
    table.loc[1, "datetime"] = when
    (failure,) = contract.check(table, Hour, name="train").failures
    assert "datetime: expected a full hour like 2011-01-31 17:00:00; 1 row with" in failure


def test_parts_add_up_in_the_example_and_are_its_train_only_columns():
    train, test, _ = hours(50, 10, 0)
    assert SOLVER.parts == REGISTRY["bike-sharing-demand"].train_only
    numbers = train[[*SOLVER.parts, "count"]].astype(int)
    assert (numbers["casual"] + numbers["registered"] == numbers["count"]).all()
    assert not {*SOLVER.parts, "count"} & {*test.columns}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    tables = hours(200, 30, 0)
    for name, table in zip(("train", "test", "sampleSubmission"), tables, strict=True):
        table.to_csv(tmp_path / "data" / f"{name}.csv", index=False)
    return tmp_path / "data"


def spoil(folder, **columns):
    table = pd.read_csv(folder / "train.csv", dtype=str)
    table.assign(**columns).to_csv(folder / "train.csv", index=False)


def test_riders_that_do_not_add_up_are_told(folder, tmp_path):
    spoil(folder, casual="100000")
    with pytest.raises(TaskRejectedError, match="count: expected the sum of casual and registered"):
        solve(folder, out=tmp_path / "run")


def test_folds_are_in_the_order_of_time_and_no_rental_is_negative(folder, tmp_path):
    solution = solve(folder, out=tmp_path / "run", profile="quick", jobs=1, report=False)
    assert solution.record["folds"]["kind"] == "time"
    oof = pd.read_parquet(tmp_path / "run" / "oof_predictions.parquet")
    assert oof["datetime"].str[8:10].min() >= "12"
    assert (pd.read_csv(solution.submission)["count"] >= 0).all()


def test_order_of_rows_and_columns_does_not_move_a_prediction(folder, tmp_path):
    first = solve(folder, out=tmp_path / "a", profile="quick", jobs=1, report=False)
    for name in ("train.csv", "test.csv"):
        table = pd.read_csv(folder / name, dtype=str).sample(frac=1, random_state=1)
        table[list(table.columns[::-1])].to_csv(folder / name, index=False)
    second = solve(folder, out=tmp_path / "b", profile="quick", jobs=1, report=False)
    assert first.record["predictions"] == second.record["predictions"]
    one, two = (
        pd.read_csv(solution.submission).sort_values("datetime", ignore_index=True)
        for solution in (first, second)
    )
    np.testing.assert_array_equal(one["count"], two["count"])
