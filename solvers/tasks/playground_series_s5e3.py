"""Playground S5E3: tell on which days it rains.

What is known: rain needs clouds and damp air. Cloud cover, sunshine, humidity and the gap between
temperature and dew point say nearly all; with 2,000 rows made by a generator, what matters is to
learn it smoothly. A linear model of seven measurements beats every boosted one, and boosted trees
do best with depth 2. Fall of the pressure to the next day is the textbook's sign of a front; days
are in the order of their ids, so the next id is the next day, in train or test.

What it is worth, in AUC over 5 fold seeds x 5 folds: 0.8942 +- 0.0007, against 0.8767 +- 0.0002
(3 seeds) for the three boosting libraries as they come. That is 0.0167 +- 0.0006 over the same
folds, and 0.0133 +- 0.0037 once the rows are resampled too. Without `air` it is 0.0068 +- 0.0003
less, without `sky` 0.0065 +- 0.0004 (logistic regression and boosting averaged); `moisture` and
`falling_pressure` gain 0.0005 +- 0.0002 together, within the noise of the rows (0.001). The
season, and the weather of the days around and of the same day in other years, gain nothing.
"""

import numpy as np
import pandas as pd
import pandera.pandas as pa

from solvers.models import XGBoost
from solvers.models.kernels import KernelLogistic
from solvers.models.linear import Logistic
from solvers.solver import StackedSolver

DAYS = 365  # of a year; ids run through six of them, a day each
CELSIUS = "a temperature in degrees Celsius"


class Day(pa.DataFrameModel):
    """One day's weather, as train and test hold it; the temperature's name is misspelt there."""

    id: int = pa.Field(unique=True, ge=0)
    day: int = pa.Field(ge=1, le=366, description="a day of the year, 1 to 365")
    pressure: float = pa.Field(nullable=True, ge=850, le=1100, description="hectopascals")
    maxtemp: float = pa.Field(nullable=True, ge=-60, le=60, description=CELSIUS)
    temparature: float = pa.Field(nullable=True, ge=-60, le=60, description=CELSIUS)
    mintemp: float = pa.Field(nullable=True, ge=-60, le=60, description=CELSIUS)
    dewpoint: float = pa.Field(nullable=True, ge=-60, le=60, description=CELSIUS)
    humidity: float = pa.Field(nullable=True, ge=0, le=100, description="0 to 100 per cent")
    cloud: float = pa.Field(nullable=True, ge=0, le=100, description="0 to 100 per cent")
    sunshine: float = pa.Field(nullable=True, ge=0, le=24, description="0 to 24 hours")
    winddirection: float = pa.Field(nullable=True, ge=0, le=360, description="0 to 360 degrees")
    windspeed: float = pa.Field(nullable=True, ge=0, le=300, description="a speed of 0 or more")

    class Config:
        """The columns arrive typed."""

        coerce = True


def usual(rows: pd.DataFrame) -> pd.DataFrame:
    """What was not measured is as on most days: linear models know no gaps."""
    measured = [column for column in rows if column not in ("id", "day")]
    return rows.fillna(rows[measured].median())


def air(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What a weather station's box measures."""
    return rows[["pressure", "temparature", "dewpoint", "humidity"]]


def sky(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What is seen and felt outside; wind counts by its ratio, not by its difference."""
    return rows[["cloud", "sunshine"]].assign(wind=np.log1p(rows["windspeed"]))


def moisture(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How far the air is from its dew point, and clouds in damp air, which are those that rain."""
    return pd.DataFrame(
        {
            "depression": rows["temparature"] - rows["dewpoint"],
            "damp_clouds": rows["cloud"] * rows["humidity"] / 100,
        }
    )


def falling_pressure(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """How much lower the pressure is on the day after, which is the next id; 0 where unknown."""
    pressure = rows.set_index("id")["pressure"]
    after = pressure.reindex(rows["id"] + 1).set_axis(rows.index)
    return pd.DataFrame({"pressure_fall": (rows["pressure"] - after).fillna(0.0)})


def days(n_train: int, n_test: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables as text: damp and cloudy days are rainy."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    ids = random.permutation(n)
    warm = 24 - 6 * np.cos(2 * np.pi * ids / DAYS) + random.normal(0, 2, n)
    cloud = np.round(100 * random.beta(4, 1.5, n))
    humidity = np.clip(np.round(70 + cloud / 6 + random.normal(0, 6, n)), 30, 100)
    odds = (cloud - 60) / 12 + (humidity - 80) / 8
    rows = pd.DataFrame(
        {
            "id": ids,
            "day": ids % DAYS + 1,
            "pressure": np.round(1030 - warm * 0.7 + random.normal(0, 3, n), 1),
            "maxtemp": np.round(warm + 2.5, 1),
            "temparature": np.round(warm, 1),
            "mintemp": np.round(warm - 2, 1),
            "dewpoint": np.round(warm - (100 - humidity) / 5, 1),
            "humidity": humidity,
            "cloud": cloud,
            "sunshine": np.round((100 - cloud) / 9, 1),
            "winddirection": 10 * random.integers(1, 31, n),
            "windspeed": np.round(4 + random.gamma(3.0, 6.0, n), 1),
            "rainfall": (random.random(n) < 1 / (1 + np.exp(-odds))).astype(int),
        }
    ).astype(str)
    test = rows.iloc[n_train:].drop(columns="rainfall")
    return rows.iloc[:n_train], test, test[["id"]].assign(rainfall="0.5")


SOLVER = StackedSolver(
    contract=Day,
    rules=(usual,),
    features=(air, sky, moisture, falling_pressure),
    models=(
        KernelLogistic(alpha=1.0, gamma=0.003),
        XGBoost(
            rounds=300,
            learning_rate=0.03,
            max_depth=2,
            subsample=0.6,
            colsample_bytree=0.5,
            min_child_weight=5.0,
            reg_lambda=5.0,
        ),
        Logistic(C=0.1),
    ),
    example=days,
)
