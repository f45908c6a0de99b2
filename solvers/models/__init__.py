"""Base models: three gradient-boosted decision tree libraries behind one method.

A base model is a frozen description. `fit_predict` fits a fresh model on one thread and predicts,
so nothing is shared between fits and a description can be sent to another process. Arguments
whose default a library may change are written out.

Each library is imported at its first fit, in the process that fits.
"""

from solvers.models.base import Fitted, Learned, Model, as_numbers, is_text, reads_text
from solvers.models.catboost import CatBoost
from solvers.models.lightgbm import LightGBM
from solvers.models.xgboost import XGBoost

__all__ = [
    "CatBoost",
    "Fitted",
    "Learned",
    "LightGBM",
    "Model",
    "XGBoost",
    "as_numbers",
    "is_text",
    "reads_text",
]
