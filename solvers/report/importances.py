"""Which features the models used: what a run recorded, made ready to be drawn."""

from pathlib import Path

import numpy as np

from solvers.report.charts_of_models import Importance
from solvers.report.source import IMPORTANCE, Table
from solvers.target import Array

TOP = 20


def read_importances(run: Path, targets: list[str]) -> dict[str, Importance]:
    """Read the importances of a run by target; empty where none were recorded.

    Raises
    ------
    RunFolderError
        If the file is damaged, or lacks a column.
    """
    if not (run / IMPORTANCE).is_file():
        return {}
    with Table(run / IMPORTANCE) as table:
        if not table.n_rows:
            return {}
        models, of_target, features = (table.texts(c) for c in ("model", "target", "feature"))
        values = table.numbers(["mean", "sd", "fits"])
    found = {}
    for target in targets:
        rows = [row for row, name in enumerate(of_target) if name == target]
        if rows:
            cells = {(features[row], models[row]): row for row in rows}
            found[target] = _largest(cells, values)
    return found


def _largest(cells: dict[tuple[str, str], int], values: Array) -> Importance:
    """Keep the features with the largest mean over models; what a model lacks counts as 0."""
    features = list(dict.fromkeys(feature for feature, _ in cells))
    models = list(dict.fromkeys(model for _, model in cells))
    row_of, column_of = (
        {name: at for at, name in enumerate(names)} for names in (features, models)
    )
    mean, sd = np.zeros((2, len(features), len(models)))
    for (feature, model), row in cells.items():
        place = row_of[feature], column_of[model]
        mean[place], sd[place] = values[row, :2]
    order = np.argsort(-mean.mean(axis=1), kind="stable")[:TOP]
    return Importance(
        features=[features[at] for at in order],
        models=models,
        mean=mean[order],
        sd=sd[order],
        n_features=len(features),
        fits=int(values[list(cells.values()), 2].max()),
    )
