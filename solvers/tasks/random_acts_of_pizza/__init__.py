"""Random acts of pizza: tell whose request for a pizza is granted."""

from solvers.models import LightGBM
from solvers.models.readers import ReadFirst
from solvers.models.text_scores import NaiveBayes, TextRidge
from solvers.models.tokens import View
from solvers.solver import StackedSolver
from solvers.tasks.random_acts_of_pizza.contract import Request, parse
from solvers.tasks.random_acts_of_pizza.features import FEATURES
from solvers.tasks.random_acts_of_pizza.requests import requests

READERS = (
    TextRidge((View("word", 1, 2, lower=True, column="request"),), alpha=3.0),
    NaiveBayes(View("word", 1, 1, lower=True, column="request"), added=(1.0,)),
    TextRidge((View("word", 1, 1, column="subreddits"),), min_texts=5, alpha=3.0),
)

SOLVER = StackedSolver(
    contract=Request,
    parse=parse,
    features=FEATURES,
    models=(
        ReadFirst(
            LightGBM(
                rounds=500, learning_rate=0.03, num_leaves=2, min_data_in_leaf=20,
                feature_fraction=0.3, bagging_fraction=0.7, lambda_l2=5.0,
            ),
            READERS,
        ),
    ),
    example=requests,
)  # fmt: skip
