"""The base models of the baseline, and how much work a table may cost."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from solvers.baseline.kinds import Kind
from solvers.baseline.rows import Rows, n_folds_for
from solvers.baseline.views import Views
from solvers.intake import Dataset
from solvers.models import CatBoost, LightGBM, Model, XGBoost
from solvers.models.calibrated import Calibrated
from solvers.models.classes import ClassKernel
from solvers.models.extra_trees import ExtraTrees
from solvers.models.sturdy import Sturdy
from solvers.models.text import NGrams, TextLinear
from solvers.models.wrappers import AsCodes
from solvers.profiles import Profile
from solvers.recipe import Recipe

# Rows times columns times classes that a fit may cost at full work: some seconds for each model.
FULL_WORK = 4_000_000
LEAST_WORK = 0.1
MANY_CLASSES = 20
MOST_ROWS_OF_A_KERNEL = 4000
MANY_CHARACTERS = 2_000_000  # of text, beyond which it is read as words, and cut into folds once


def recipe_for(rows: Rows) -> Recipe:
    """Say what is made of the columns, and what is fitted to it."""
    return Recipe(features=(Views(rows.used),), models=models(rows.data, rows.used))


def models(data: Dataset, kinds: Mapping[str, Kind]) -> tuple[Model, ...]:
    """Choose models by what the columns hold: three boosting libraries, and linear ones of text."""
    boosted: tuple[Model, ...] = (CatBoost(), XGBoost(), LightGBM())
    if _n_classes(data) > MANY_CLASSES:
        boosted = _of_many_classes(data)
    reading: tuple[Model, ...] = (TextLinear((NGrams("word", 1, 2, min_texts=2),), name="words"),)
    if characters(data, kinds) <= MANY_CHARACTERS:
        view = NGrams("char_wb", 2, 5, min_texts=2)
        reading = (TextLinear((view,), name="characters"), *reading)
    if "text" not in kinds.values():
        chosen = boosted
    elif set(kinds.values()) == {"text"} and _n_classes(data) <= MANY_CLASSES:
        chosen = (*reading, LightGBM())
    else:
        chosen = (*reading, *boosted)
    return tuple(Sturdy(model) for model in chosen)


def _of_many_classes(data: Dataset) -> tuple[Model, ...]:
    """Choose what takes all classes at once: boosting grows a tree for each in every round."""
    trees: Model = AsCodes(ExtraTrees(trees=200, min_samples_leaf=1))
    if np.count_nonzero(data.is_train) > MOST_ROWS_OF_A_KERNEL:
        return (trees,)
    return (AsCodes(Calibrated(ClassKernel())), trees)


def _n_classes(data: Dataset) -> int:
    return max(len(target.labels) for target in data.targets)


def profile_for(profile: Profile, data: Dataset, kinds: Mapping[str, Kind]) -> Profile:
    """Do less work on a large table and fewer folds of a tiny one, by their sizes alone."""
    many = _n_classes(data) > MANY_CLASSES
    outputs = sum(1 if many else target.n_outputs for target in data.targets)
    cells = data.rows.shape[0] * data.rows.shape[1] * outputs
    share = min(1.0, FULL_WORK / max(1, cells))
    seeds = max(1, int(np.floor(profile.fold_seeds * share)))
    if characters(data, kinds) > MANY_CHARACTERS:
        seeds = 1
    return replace(
        profile,
        folds=n_folds_for(data, profile.folds),
        fold_seeds=seeds,
        work=max(LEAST_WORK, profile.work * min(1.0, share * profile.fold_seeds / seeds)),
    )


def characters(data: Dataset, kinds: Mapping[str, Kind]) -> int:
    """Count the characters of all texts."""
    texts = [name for name, kind in kinds.items() if kind == "text"]
    return int(sum(data.rows[name].str.len().sum() for name in texts))
