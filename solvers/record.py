"""What a finished run says about itself: the parts of ``run.json``."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from signatures import Bundle, Match, Metric
from solvers import digests, environment
from solvers.blend import Blended
from solvers.folds import Cut
from solvers.intake import Dataset
from solvers.log import Log
from solvers.metrics import margin_to_threshold
from solvers.out_of_fold import BaseModels
from solvers.solver import Profile
from solvers.target import Array

SCHEMA_VERSION = 1


def of_inputs(bundle: Bundle) -> dict[str, Any]:
    """Name every file that was used, with its size and SHA-256; for an archive, its own too."""
    files: dict[str, Any] = {}
    for role in ("train", "test", "sample", "description"):
        member = getattr(bundle, role)
        if member is not None:
            with member.open() as stream:
                digest = digests.of_stream(stream)
            files[role] = {"name": member.name, "sha256": digest}
    record: dict[str, Any] = {"path": str(bundle.path), "files": files}
    if bundle.is_archive:
        with Path(bundle.path).open("rb") as stream:
            record["archive_sha256"] = digests.of_stream(stream)
    return record


def of_match(match: Match) -> dict[str, Any]:
    """Say how the columns fit the signature."""
    return {
        "key": list(match.signature.key),
        "missing": list(match.missing),
        "unexpected": list(match.unexpected),
        "like": list(match.like),
    }


def of_tables(data: Dataset) -> dict[str, str]:
    """Digest the checked tables, sorted by id: equal for any file format, row or column order."""
    return {
        "train": digests.of_table(data.rows[data.is_train]),
        "test": digests.of_table(data.rows[~data.is_train]),
    }


def of_scores(blended: Blended, metric: Metric, profile: Profile, cut: Cut) -> dict[str, Any]:
    """Lay the scores out: every base model, both blends, which is used and why."""
    return {
        "metric": metric.name,
        "higher_is_better": metric.higher_is_better,
        "protocol": (
            f"out of fold, {profile.folds} {cut.kind} folds, {profile.fold_seeds} fold seeds; "
            "mean and standard error over fold seeds; no early stopping; the stack is scored on "
            "rows its meta-model did not see"
        ),
        "models": {name: asdict(score) for name, score in blended.scores.items()},
        **asdict(blended.choice),
    }


def of_predictions(base: BaseModels, blended: Blended, data: Dataset) -> dict[str, Any]:
    """Digest what was predicted, rows sorted by id, and say how close a label is to another."""
    test = [prediction.test.mean(axis=0) for prediction in blended.final]
    margins = {
        target.name: margin_to_threshold(target, array)
        for target, array in zip(data.targets, test, strict=True)
        if target.labels
    }
    return {
        "rounded_to": 1e-9,
        "test_sha256": digests.of_predictions(np.hstack(test)),
        "oof_sha256": _digest([prediction.oof for prediction in blended.final]),
        "base_models_sha256": {
            name: _digest([prediction.test for prediction in predictions])
            for name, predictions in base.predictions.items()
        },
        "smallest_margin": {name: float(margin.min()) for name, margin in margins.items()},
        "rows_within_1e-6": {name: int((m < 1e-6).sum()) for name, m in margins.items()},
    }


def _digest(arrays: list[Array]) -> str:
    return digests.of_predictions(np.concatenate(arrays, axis=2))


def of_process(log: Log) -> dict[str, Any]:
    """Describe the machine and the stages of the run."""
    return {
        "environment": environment.describe(),
        "command": environment.command_line(),
        "peak_mb": max((stage.peak_mb for stage in log.stages), default=0.0),
        "stages": [asdict(stage) for stage in log.stages],
    }


def write_json(path: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Write a record that any JSON reader takes, and return it as one would read it.

    Raises
    ------
    ValueError
        If there is a NaN or an infinity in it: a bug.
    """
    text = json.dumps(record, indent=2, allow_nan=False, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read
