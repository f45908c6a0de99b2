"""What an hour's row looks like, what is written inside it, and which hours are held out."""

import pandas as pd
import pandera.pandas as pa

SENSORS = ["temp", "humidity", "windspeed"]
BLOCK = 2  # days that are held out together: the test's blocks have two


class Hour(pa.DataFrameModel):
    """One hour of rentals in Washington, as train and test hold it.

    `season` is left to the month. So is `atemp` to `temp`: they say the same (a correlation of
    0.98), but for 2012-08-17, when `atemp` was stuck.
    """

    datetime: str = pa.Field(
        unique=True,
        str_matches=r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:00:00\Z",
        description="a full hour like 2011-01-31 17:00:00",
    )
    holiday: pd.BooleanDtype
    workingday: pd.BooleanDtype
    weather: int = pa.Field(isin=(1, 2, 3, 4), description="1 (clear) to 4 (storm)")
    temp: float = pa.Field(nullable=True, ge=-40, le=60, description="degrees Celsius")
    humidity: float = pa.Field(nullable=True, ge=0, le=100, description="0 to 100 per cent")
    windspeed: float = pa.Field(nullable=True, ge=0, le=200, description="a speed of 0 or more")

    class Config:
        """Columns arrive typed."""

        coerce = True

    @pa.check("datetime")
    @classmethod
    def on_the_calendar(cls, hours: pd.Series) -> "pd.Series[bool]":
        """A day like February 30 has the right form, and there is none."""
        return pd.to_datetime(hours, format="%Y-%m-%d %H:%M:%S", errors="coerce").notna()


def parse(rows: pd.DataFrame) -> pd.DataFrame:
    """Add year, month, day, hour and weekday (0 is Monday); a humidity of 0 was not measured.

    Air is never that dry there; the sensor failed on the whole, rainy, 10 March 2011.
    """
    when = pd.to_datetime(rows["datetime"], format="%Y-%m-%d %H:%M:%S")
    parts = {part: getattr(when.dt, part) for part in ("year", "month", "day", "hour")}
    humidity = rows["humidity"].where(rows["humidity"] > 0)
    return rows.assign(when=when, **parts, weekday=when.dt.day_of_week, humidity=humidity)


def usual_weather(rows: pd.DataFrame) -> pd.DataFrame:
    """What was not measured is as in other hours of such weather in that month, or in all."""
    alike = rows.groupby(["month", "weather"])[SENSORS].transform("median")
    return rows.fillna(alike).fillna(rows[SENSORS].median())


def last_days(rows: pd.DataFrame, n_folds: int) -> pd.Series:
    """Number blocks of two days at the end of what train has of every month, from 0.

    Test has the two days after that. So each block is predicted from earlier days of all months,
    later months included, as the test is.
    """
    first = rows["day"].max() + 1 - BLOCK * n_folds
    blocks: pd.Series = (rows["day"] - first) // BLOCK
    return blocks.clip(lower=-1)
