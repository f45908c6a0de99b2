"""Leaf classification: tell which of 99 species a leaf is of."""

import pandas as pd

from solvers.contract import columns_of
from solvers.models.calibrated import Calibrated
from solvers.models.classes import ClassDuels, ClassKernel
from solvers.solver import StackedSolver
from solvers.tasks.leaf_classification.leaves import Leaf, columns, leaves
from solvers.tasks.leaf_classification.pictures import silhouettes


def histograms(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Roots of the margin's and the texture's shares: a rare pattern then varies like a common."""
    return rows[[*columns("margin"), *columns("texture")]] ** 0.5


def shape(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Distances of 64 points of the outline from the leaf's centre, as the table gives them."""
    return rows[columns("shape")]


def picture(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """What `silhouettes` read from the pictures beside the tables; nothing where there are none."""
    return rows.drop(columns=list(columns_of(Leaf)))


SOLVER = StackedSolver(
    contract=Leaf,
    side=silhouettes,
    features=(histograms, shape, picture),
    models=(
        Calibrated(ClassDuels(C=10.0, gamma=0.3)),
        Calibrated(ClassKernel(gamma=0.3, noise=0.1)),
    ),
    example=leaves,
)
