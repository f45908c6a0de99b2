"""The figures of a run's predictions: which there are for a target of each kind, and of what."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from solvers.prediction_columns import BLENDS, of_model
from solvers.record_types import Predictand, RunRecord, Scores
from solvers.report import charts_of_classes, charts_of_numbers
from solvers.report.alike import Alike, compare
from solvers.report.drawing import Picture
from solvers.report.predicted import OutOfFold, Seen
from solvers.report.source import OOF, TEST, Table
from solvers.report.statistics import Roc, calibrate, roc
from solvers.report.wording import TIMES, percent
from solvers.target import Array

TARGETS, MODELS, CURVES = 3, 10, 5  # of more, the page shows as many
_CLOSE = {"1e-6": 1e-6, "0.001": 0.001, "0.01": 0.01, "0.05": 0.05, "0.1": 0.1}


@dataclass(frozen=True)
class Close:
    """How many test rows lie within a distance of another label."""

    within: str
    rows: int
    share: str


@dataclass(frozen=True)
class Diagnosis:
    """What one target's predictions look like."""

    target: Predictand
    pictures: list[Picture]
    alike: Alike | None
    close: list[Close] = field(default_factory=list)


@dataclass(frozen=True)
class Predicted:
    """What the prediction files of a run say; `n` counts what the scores were computed on."""

    n_rows: int
    n_test: int
    n: str
    diagnoses: list[Diagnosis]


def base_models(scores: Scores) -> list[str]:
    """Name the models that the blends were made of."""
    return [name for name in scores.models if name not in BLENDS]


def look(run: Path, record: RunRecord) -> Predicted | None:
    """Read the predictions of a run and draw them; None where no models were fitted.

    Raises
    ------
    RunFolderError
        If a file is missing or damaged, or lacks a column.
    """
    scores, targets = record.scores, record.targets
    if scores is None or targets is None:
        return None
    with Table(run / OOF) as oof_table, Table(run / TEST) as test_table:
        oof = OutOfFold(oof_table, len(targets), scores.models)
        models = list(dict.fromkeys([*base_models(scores)[:MODELS], scores.used]))
        diagnoses = []
        for number, target in enumerate(targets[:TARGETS]):
            test = test_table.numbers(of_model(scores.used, target, len(targets)))
            diagnoses.append(_diagnose(oof.of(target, models), test, target, scores, f"t{number}"))
        seeds = f" {TIMES} {oof.n_seeds} fold seeds" if oof.n_seeds > 1 else ""
        n = f"n = {oof.n_rows:,} rows{seeds}"
        return Predicted(oof.n_rows, test_table.n_rows, n, diagnoses)


def _diagnose(seen: Seen, test: Array, target: Predictand, scores: Scores, key: str) -> Diagnosis:
    draw = {"binary": _binary, "multiclass": _multiclass, "regression": _regression}[target.kind]
    pictures = draw(seen, target, scores, key)
    base = {m: seen.predictions[m] for m in base_models(scores) if m in seen.predictions}
    alike = compare(base, target, seen.n, f"{key}-alike")
    if target.kind == "regression" or not len(test):
        return Diagnosis(target, pictures, alike)
    picture, distance = _margins(test, target, scores, f"{key}-margins")
    return Diagnosis(target, [*pictures, picture], alike, _close(distance))


def _binary(seen: Seen, target: Predictand, scores: Scores, key: str) -> list[Picture]:
    used, label = seen.predictions[scores.used][:, 0], target.labels[1]
    calibration = charts_of_classes.calibration(
        calibrate(used, seen.truth),
        what=f"predicted probability of {label!r}",
        came_true=f"that is {label!r}",
        n=seen.n,
        key=f"{key}-calibration",
    )
    curves: dict[str, Roc] = {}
    for model in dict.fromkeys([*base_models(scores)[: CURVES - 1], scores.used]):
        curve = roc(seen.truth, seen.predictions[model][:, 0], seen.seed_of)
        if curve is None:
            return [calibration]
        curves[model] = curve
    return [calibration, charts_of_classes.roc_curves(curves, label, seen.n, f"{key}-roc")]


def _multiclass(seen: Seen, target: Predictand, scores: Scores, key: str) -> list[Picture]:
    used = seen.predictions[scores.used]
    taken = np.argmax(used, axis=1).astype(np.float64)
    bins = calibrate(used.max(axis=1), (taken == seen.truth).astype(np.float64))
    calibration = charts_of_classes.calibration(
        bins,
        what="probability of the most likely class",
        came_true="that is right",
        n=seen.n,
        key=f"{key}-calibration",
    )
    labels, own = target.labels, f"{key}-mistakes"
    return [calibration, charts_of_classes.mistakes(seen.truth, taken, labels, seen.n, own)]


# Metrics that compare logarithms: which, of what at least, and how they are called.
_LOGARITHMS = {
    "rmsle": (np.log1p, 0.0, ", log(1 + x)"),
    "rmse_log": (np.log, 1e-9, ", log(x)"),
}


def _regression(seen: Seen, target: Predictand, scores: Scores, key: str) -> list[Picture]:
    predicted, truth, unit = seen.predictions[scores.used][:, 0], seen.truth, ""
    if scores.metric in _LOGARITHMS:
        # The metric compares logarithms, so these are the residuals that it counts.
        function, least, unit = _LOGARITHMS[scores.metric]
        predicted, truth = (function(np.maximum(x, least)) for x in (predicted, truth))
    residual = truth - predicted
    return [
        charts_of_numbers.density(predicted, residual, unit, seen.n, f"{key}-density"),
        charts_of_numbers.residuals(residual, unit, seen.n, f"{key}-residuals"),
    ]


def _margins(test: Array, target: Predictand, scores: Scores, key: str) -> tuple[Picture, Array]:
    """Draw where test rows lie, and give each one's distance to another label."""
    decided = scores.metric == "accuracy"
    if target.kind == "binary":
        axis = f"predicted probability of {target.labels[1]!r}"
        picture = charts_of_classes.margins(test[:, 0], axis=axis, key=key, decided=decided)
        return picture, np.abs(test[:, 0] - 0.5)
    best_two = np.partition(test, -2, axis=1)[:, -2:]
    distance = best_two[:, 1] - best_two[:, 0]
    axis = "probability of the best class less the next"
    picture = charts_of_classes.margins(
        distance, axis=axis, key=key, decided=decided,
        near=(0.0, 0.1), said="the two best classes less than 0.1 apart",
    )  # fmt: skip
    return picture, distance


def _close(distance: Array) -> list[Close]:
    counts = [(said, int((distance < limit).sum())) for said, limit in _CLOSE.items()]
    return [Close(said, rows, percent(rows / len(distance))) for said, rows in counts]
