"""Spaceship Titanic: tell which passengers were transported to another dimension."""

from solvers.models import CatBoost, LightGBM, XGBoost
from solvers.solver import StackedSolver
from solvers.tasks.spaceship_titanic.contract import Passenger
from solvers.tasks.spaceship_titanic.features import DIRECTIONS, FEATURES
from solvers.tasks.spaceship_titanic.parts import parse, party_of
from solvers.tasks.spaceship_titanic.passengers import passengers
from solvers.tasks.spaceship_titanic.rules import RULES

SOLVER = StackedSolver(
    contract=Passenger,
    parse=parse,
    rules=RULES,
    features=FEATURES,
    groups=party_of,
    # The slowest first: the last fits to start should be short.
    models=(
        CatBoost(rounds=250, learning_rate=0.08, depth=5, monotone=DIRECTIONS),
        XGBoost(
            rounds=250,
            learning_rate=0.04,
            grow_policy="lossguide",
            max_depth=0,
            max_leaves=15,
            min_child_weight=5.0,
            subsample=0.8,
            colsample_bynode=0.7,
            monotone=DIRECTIONS,
        ),
        LightGBM(
            rounds=400,
            learning_rate=0.05,
            num_leaves=15,
            min_data_in_leaf=30,
            feature_fraction=0.8,
            bagging_fraction=0.8,
            lambda_l2=5.0,
            extra_trees=True,
            monotone=DIRECTIONS,
        ),
    ),
    example=passengers,
)
