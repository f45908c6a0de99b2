"""Rule, features and models of Playground S5E3 on a few made-up days, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from solvers.models.dense import standardised
from solvers.models.kernels import KernelLogistic
from solvers.models.linear import Logistic
from solvers.target import Target
from solvers.tasks import playground_series_s5e3 as solver

RAIN = Target("rainfall", ("0", "1"))


def days(**columns):
    n = len(next(iter(columns.values())))
    return pd.DataFrame({"id": range(n), "day": range(1, n + 1)}).assign(**columns)


def test_gaps_get_the_median():
    rows = days(pressure=[1000.0, np.nan, 1010.0, 1030.0], cloud=[1.0, 2.0, 3.0, 4.0])
    filled = solver.usual(rows)
    assert filled["pressure"].tolist() == [1000, 1010, 1010, 1030]
    assert filled["cloud"].tolist() == [1, 2, 3, 4]


def test_depression_and_damp_clouds():
    rows = days(temparature=[20.0], dewpoint=[17.5], cloud=[50.0], humidity=[80.0])
    assert solver.moisture(rows, rows).to_numpy().tolist() == [[2.5, 40.0]]


def test_wind_counts_by_its_ratio():
    rows = days(cloud=[1.0], sunshine=[2.0], windspeed=[np.e - 1])
    assert solver.sky(rows, rows).to_numpy()[0] == pytest.approx([1, 2, 1])


def test_pressure_falls_to_the_next_id_whatever_the_order_of_rows():
    rows = days(pressure=[1010.0, 1000.0, 1004.0, 990.0]).assign(id=[5, 4, 6, 9])
    assert solver.falling_pressure(rows, rows)["pressure_fall"].tolist() == [6.0, -10.0, 0.0, 0.0]


def test_standardised_by_the_rows_fitted_on():
    old, gap = np.array([[0.0, np.nan], [2.0, np.nan]]), np.array([[3.0, 1.0], [np.nan, 99.0]])
    X, new = standardised(old, gap, far=5.0)
    assert X.tolist() == [[-1, 0], [1, 0]]
    assert new.tolist() == [[2, 1], [0, 5]]


@pytest.mark.parametrize("model", [Logistic(), KernelLogistic(gamma=0.5)])
def test_smooth_models_tell_two_heaps_apart(model):
    X = pd.DataFrame({"x": [0.0, 0.1, 0.2, 0.3, 1.0, 1.1, 1.2, 1.3], "constant": 1.0})
    y = np.array([0.0, 0, 0, 1, 0, 1, 1, 1])
    told = model.fit_predict(X, y, X, target=RAIN, seed=0).predictions
    assert told.shape == (8, 1)
    assert ((told > 0) & (told < 1)).all()
    assert told[:4].max() < told[4:].min()


def test_kernel_is_the_same_for_rows_in_any_order():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=30), "z": random.normal(size=30)})
    y = (X["x"].to_numpy() > 0).astype(float)
    order = random.permutation(30)
    told, again = (
        KernelLogistic().fit_predict(A, b, X, target=RAIN, seed=0).predictions
        for A, b in ((X, y), (X.iloc[order], y[order]))
    )
    assert told == pytest.approx(again, abs=1e-4)


def test_example_is_one_row_a_day():
    train, test, _ = solver.days(40, 10, 0)
    assert sorted(pd.concat([train["id"], test["id"]]).astype(int)) == list(range(50))
