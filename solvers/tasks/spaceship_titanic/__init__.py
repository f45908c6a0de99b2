"""Spaceship Titanic: tell which passengers were transported to another dimension.

What is known stands beside each rule and group of features. What it is worth, as the drop in
accuracy of the average of the three libraries when it is left out, in points of a percent, paired
over five fold seeds: `person` 0.67 +- 0.10, `cabin` 1.62 +- 0.07, `party` 0.11 +- 0.04, `bills`
0.07 +- 0.05, `spending` 0.27 +- 0.07, all rules that fill gaps 0.18 +- 0.06, the directions that
models may not contradict 0.04 +- 0.09. Rules make the data right, so each stays whatever it is
worth; directions keep a model from learning the opposite of what is known in some thin corner, and
cost no accuracy. Tried and left out: the size of the family (-0.27 +- 0.06), flags of what was
missing (-0.14 +- 0.04), what the party's others spend and whether they sleep (-0.03 +- 0.06).
"""

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
