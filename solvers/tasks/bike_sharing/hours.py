"""Synthetic hours of rentals."""

import numpy as np
import pandas as pd

LAST = 17  # day of each month that train has; test has the two after it


def hours(n_train: int, n_test: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables: warm, dry, busy hours have more rentals."""
    random = np.random.default_rng(seed)
    months = 4 + max(n_train // (LAST * 24), n_test // 48)
    first = pd.period_range("2011-01", periods=months, freq="M").to_timestamp()
    span = pd.DatetimeIndex(
        [start + pd.Timedelta(hours=hour) for start in first for hour in range((LAST + 2) * 24)]
    )
    train = random.choice(span[span.day <= LAST], n_train, replace=False)
    test = random.choice(span[span.day > LAST], n_test, replace=False)
    rows = _rented(pd.DatetimeIndex(np.concatenate([train, test])), random).astype(str)
    late = rows.iloc[n_train:].drop(columns=["casual", "registered", "count"])
    return rows.iloc[:n_train], late, late[["datetime"]].assign(count="0")


def _rented(when: pd.DatetimeIndex, random: np.random.Generator) -> pd.DataFrame:
    """Commuters on working days, strollers in the warmth, few of either in the rain."""
    n, hour, working = len(when), when.hour.to_numpy(), when.day_of_week.to_numpy() < 5
    holiday = working & (random.random(n) < 0.03)
    working = working & ~holiday
    warm = 15 - 10 * np.cos(2 * np.pi * when.day_of_year.to_numpy() / 365)
    temp = np.round(warm + random.normal(0, 3, n), 2)
    weather = random.choice([1, 2, 3], n, p=[0.65, 0.25, 0.1])
    by_day = np.exp(-(((hour - 14) / 5) ** 2))
    commute = working * (np.exp(-((hour - 8) ** 2)) + np.exp(-(((hour - 17) / 2) ** 2)))
    kept_in = np.where(weather == 3, 0.4, 1.0)
    casual = random.poisson(kept_in * (1 + 3 * np.maximum(temp, 0) * by_day * (2 - working)))
    registered = random.poisson(kept_in * (4 + 80 * by_day + 300 * commute))
    return pd.DataFrame(
        {
            "datetime": when.strftime("%Y-%m-%d %H:%M:%S"),
            "season": (when.month.to_numpy() + 2) // 3,
            "holiday": holiday.astype(int),
            "workingday": working.astype(int),
            "weather": weather,
            "temp": temp,
            "atemp": temp + 3,
            "humidity": random.integers(25, 100, n),
            "windspeed": np.round(random.gamma(3, 4, n), 4),
            "casual": casual,
            "registered": registered,
            "count": casual + registered,
        }
    )
