"""Bike sharing demand."""

from solvers.models import LightGBM, Model, XGBoost
from solvers.models.residuals import OnResiduals
from solvers.models.wrappers import WithoutColumns
from solvers.solver import StackedSolver
from solvers.tasks.bike_sharing.contract import Hour, last_days, parse, usual_weather
from solvers.tasks.bike_sharing.features import FEATURES
from solvers.tasks.bike_sharing.hours import hours
from solvers.tasks.bike_sharing.kernel import PROCESS


def by_month(model: Model) -> WithoutColumns:
    """Hide the day's number: trees would learn single days by heart, and months tell the growth."""
    return WithoutColumns(model, hidden=("day",))


SOLVER = StackedSolver(
    contract=Hour,
    parse=parse,
    rules=(usual_weather,),
    features=FEATURES,
    periods=last_days,
    parts=("casual", "registered"),
    models=(
        OnResiduals(
            LightGBM(
                rounds=200, learning_rate=0.03, num_leaves=12, min_data_in_leaf=40,
                feature_fraction=0.5, bagging_fraction=0.7, lambda_l2=2.0,
            ),
            first=PROCESS,
        ),
        by_month(
            LightGBM(
                rounds=500, learning_rate=0.04, num_leaves=16, min_data_in_leaf=15,
                feature_fraction=0.7, bagging_fraction=0.7, lambda_l2=2.0,
            )
        ),
        by_month(
            XGBoost(
                rounds=500, learning_rate=0.04, max_depth=5, min_child_weight=5.0, subsample=0.7,
                colsample_bynode=0.7, reg_lambda=2.0,
            )
        ),
        PROCESS,
    ),
    example=hours,
)  # fmt: skip
