"""The parts of ``run.json``, and the digests in it."""

import hashlib
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from signatures import Match, Metric
from solvers import environment
from solvers.folds import Cut
from solvers.inputs import sha256_of_file
from solvers.intake import Dataset
from solvers.log import Log
from solvers.metrics import margin_to_threshold
from solvers.out_of_fold import BaseModels
from solvers.profiles import Profile
from solvers.run_folder import IMPORTANCE, OOF, TEST, RunFolder
from solvers.stack import Blended
from solvers.target import Array, Target


def of_outputs(folder: RunFolder) -> dict[str, str]:
    """Digest the files of predictions, as far as there are any."""
    paths = {name: folder.path(name) for name in (OOF, TEST, IMPORTANCE)}
    return {name: sha256_of_file(path) for name, path in paths.items() if path.exists()}


def of_match(match: Match, parameters_sha256: str | None) -> dict[str, Any]:
    """Say how the columns fit the signature, which solver that led to, and how it was tuned."""
    signature = match.signature
    return {
        "key": list(signature.key),
        "signature_sha256": hashlib.sha256(repr(signature).encode()).hexdigest(),
        "solver": signature.solver,
        "solver_sha256": sha256_of_code(signature.solver),
        "parameters_sha256": parameters_sha256,
        "missing": list(match.missing),
        "unexpected": list(match.unexpected),
        "like": list(match.like),
    }


def of_tables(data: Dataset) -> dict[str, str]:
    """Digest the checked tables, sorted by id: equal for any file format, row or column order."""
    return {
        "train": sha256_of_table(data.rows[data.is_train]),
        "test": sha256_of_table(data.rows[~data.is_train]),
    }


def of_targets(targets: Sequence[Target]) -> list[dict[str, Any]]:
    """Name what is predicted, and in which order classes are numbered."""
    return [
        {"name": target.name, "kind": target.kind, "labels": list(target.labels)}
        for target in targets
    ]


def of_scores(blended: Blended, metric: Metric, profile: Profile, cut: Cut) -> dict[str, Any]:
    """Lay the scores out: every base model, both blends, which is used and why."""
    return {
        "metric": metric.name,
        "higher_is_better": metric.higher_is_better,
        "protocol": (
            f"out of fold, {profile.folds} {cut.kind} folds, {_seeds(profile.fold_seeds, cut)}; "
            "no early stopping; the stack is scored on rows its meta-model did not see"
        ),
        "models": {name: asdict(score) for name, score in blended.scores.items()},
        **asdict(blended.choice),
    }


def _seeds(number: int, cut: Cut) -> str:
    if number == 1:
        return "one fold seed, so no standard error"
    # Folds in time are cut by the calendar, whatever the seed.
    alone = ", which seed the models alone" if cut.kind == "time" else ""
    return f"mean and standard error over {number} fold seeds{alone}"


def of_predictions(base: BaseModels, blended: Blended, data: Dataset) -> dict[str, Any]:
    """Digest what was predicted, rows sorted by id, and say how close a label is to another."""
    test = [prediction.mean_test for prediction in blended.final]
    margins = {
        target.name: margin_to_threshold(target, array)
        for target, array in zip(data.targets, test, strict=True)
        if target.labels
    }
    return {
        "rounded_to": 1e-9,
        "test_sha256": sha256_of_predictions(np.hstack(test)),
        "oof_sha256": _digest([prediction.oof for prediction in blended.final]),
        "base_models_sha256": {
            name: _digest([prediction.test for prediction in predictions])
            for name, predictions in base.predictions.items()
        },
        "smallest_margin": {name: float(margin.min()) for name, margin in margins.items()},
        "rows_within_1e-6": {name: int((m < 1e-6).sum()) for name, m in margins.items()},
    }


def _digest(arrays: list[Array]) -> str:
    return sha256_of_predictions(np.concatenate(arrays, axis=2))


def of_process(log: Log) -> dict[str, Any]:
    """Describe the machine and the stages of the run."""
    return {
        "environment": environment.describe(),
        "command": environment.command_line(),
        "peak_mb": max((stage.peak_mb for stage in log.stages), default=0.0),
        "stages": [asdict(stage) for stage in log.stages],
    }


def write_json(path: Path, facts: Mapping[str, Any]) -> str:
    """Write what any JSON reader takes, and return the SHA-256 of the file.

    Raises
    ------
    ValueError
        If there is a NaN or an infinity in it: a bug.
    """
    text = json.dumps(facts, indent=2, allow_nan=False, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_of_code(solver: str) -> str:
    """Digest the source of a solver's module, or of all modules of its package, by name."""
    spec = importlib.util.find_spec(solver.partition(":")[0])
    digest = hashlib.sha256()
    if spec is not None and spec.origin is not None:
        module = Path(spec.origin)
        files = module.parent.rglob("*.py") if module.name == "__init__.py" else [module]
        for file in sorted(files):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def sha256_of_table(rows: pd.DataFrame) -> str:
    """Digest a typed table by the csv text of its values.

    The caller sorts rows by id and columns by the contract, so the digest does not depend on the
    input's format or order.
    """
    return hashlib.sha256(rows.to_csv(index=False, lineterminator="\n").encode()).hexdigest()


def sha256_of_predictions(predictions: Array) -> str:
    """Digest predictions rounded to 1e-9, as little-endian doubles."""
    rounded = np.round(predictions, 9) + 0.0  # adding zero turns -0.0 into 0.0
    return hashlib.sha256(np.ascontiguousarray(rounded, dtype="<f8").tobytes()).hexdigest()
