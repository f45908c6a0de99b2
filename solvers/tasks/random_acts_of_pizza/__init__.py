"""Random acts of pizza: tell whose request for a pizza is granted."""

from solvers.models import LightGBM
from solvers.models.broken_lines import BrokenLines
from solvers.models.extra_trees import ExtraTrees
from solvers.models.readers import ReadFirst
from solvers.models.text import NGrams, TextLinear
from solvers.models.text_scores import NaiveBayes, TextRidge
from solvers.models.tokens import View
from solvers.solver import StackedSolver
from solvers.tasks.random_acts_of_pizza.contract import Request, parse, usual_history
from solvers.tasks.random_acts_of_pizza.features import FEATURES
from solvers.tasks.random_acts_of_pizza.requests import requests

WORDS = View("word", 1, 1, lower=True)

SOLVER = StackedSolver(
    contract=Request,
    parse=parse,
    rules=(usual_history,),
    features=FEATURES,
    models=(
        BrokenLines(TextLinear((NGrams("word", 1, 2, 5),), C=0.3, numbers=0.1)),
        ReadFirst(
            LightGBM(
                rounds=400, learning_rate=0.03, num_leaves=3, min_data_in_leaf=20,
                feature_fraction=0.3, bagging_fraction=0.7, lambda_l2=5.0,
            ),
            (TextRidge((WORDS,), min_texts=5, alpha=5.0), NaiveBayes(WORDS, added=(1.0,))),
        ),
        ExtraTrees(trees=150, min_samples_leaf=8, max_features=0.3),
    ),
    example=requests,
)  # fmt: skip
