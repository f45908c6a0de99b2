"""Features in named groups; none sees a rental.

Train and test rows come together, in the order of time: the weather of the hours around a row may
be told by the other table.
"""

import pandas as pd

RAIN = 3  # weather from which on it rains or snows
# Share of Washington at work on a holiday that is not kept by all: Emancipation Day in April, by
# the city's own offices, Columbus Day and Veterans Day by federal ones, schools and banks. Round
# numbers, by how far the morning rush of these days in train is from that of other days.
AT_WORK = {"04": 0.9, "10": 0.5, "11": 0.5}


def clock(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Hour, weekday, and how far the hire scheme has grown: months and days since it began."""
    return pd.DataFrame(
        {
            "hour": rows["hour"],
            "weekday": rows["weekday"],
            "month": (rows["year"] - 2011) * 12 + rows["month"],
            "day": (rows["when"].dt.normalize() - pd.Timestamp("2011-01-01")).dt.days,
        }
    ).astype("float64")


def offices(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Which share of offices is open on this day, on the day before and on the day after.

    Night is about the day after, and the first hours are about the day before. A day that is in
    neither table is taken for what its weekday is.
    """
    month = rows["datetime"].str[5:7]
    # Thanksgiving, in November too, is kept by all, and so is never before the 22nd.
    minor = month.map(AT_WORK).where((month != "11") | (rows["day"] <= 12)).fillna(0.0)
    open_ = rows["workingday"].astype("float64").where(~rows["holiday"].astype(bool), minor)
    date = rows["when"].dt.normalize()
    of_date = open_.groupby(date).first()

    def on(days: int) -> pd.Series:
        other = date + pd.Timedelta(days=days)
        told: pd.Series = other.map(of_date)
        return told.fillna((other.dt.day_of_week < 5).astype("float64"))

    return pd.DataFrame(
        {
            "at_work": open_,
            "at_work_before": on(-1),
            "at_work_after": on(1),
            "holiday": rows["holiday"].astype("float64"),
        }
    )


def weather(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Sky, degrees Celsius, per cent and wind, in that hour."""
    return rows[["weather", "temp", "humidity", "windspeed"]].astype("float64")


def weather_around(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Rain in the three hours before, sky an hour before and after, and rain over the day.

    Who comes by bicycle in the morning rides home in the evening, and streets stay wet. An hour
    that is in neither table is taken for the row's own.
    """
    sky = rows.set_index("when")["weather"].astype("float64")

    def at(hours: int) -> pd.Series:
        there = sky.reindex(rows["when"] + pd.Timedelta(hours=hours)).set_axis(rows.index)
        return there.fillna(rows["weather"])

    before, after = [at(-hours) for hours in (1, 2, 3)], at(1)
    rain = (rows["weather"] >= RAIN).astype("float64")
    return pd.DataFrame(
        {
            "rain_before": sum((sky_then >= RAIN) * 1.0 for sky_then in before) / 3,
            "sky_around": (before[0] + after) / 2,
            "rain_of_day": rain.groupby(rows["when"].dt.normalize()).transform("mean"),
        }
    )


FEATURES = (clock, offices, weather, weather_around)
