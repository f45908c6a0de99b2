"""Folders of runs on made-up predictions, one of each kind, small and large."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from solvers.report import write_report

MODELS = ("catboost", "xgboost", "linear")
STARTED = "2026-01-02T03:04:{:02d}.000+00:00"


@dataclass(frozen=True)
class Made:
    """What a run on made-up predictions is like; `labels` per target, none for a number."""

    targets: dict[str, tuple[str, ...]]
    metric: str = "accuracy"
    n: int = 90
    n_test: int = 40
    seeds: int = 3
    features: tuple[str, ...] = ("age", "cabin_number", "spending")
    rules: dict[str, int] = field(default_factory=lambda: {"age_from_party": 12, "idle": 0})
    used: str = "average"
    note: str = "The rows are synthetic."
    task: str = "garden-beds"
    path: str = "/data/garden-beds"


def write_run(folder: Path, made: Made) -> Path:
    """Write a finished run of a known task, as far as a report reads it."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(7)
    tables: dict[str, dict[str, Any]] = {
        "oof_predictions": {
            "id": np.tile(np.arange(made.n), made.seeds),
            "fold_seed": np.repeat(np.arange(made.seeds), made.n),
            "fold": np.tile(np.arange(made.n) % 3, made.seeds),
        },
        "test_predictions": {"id": np.arange(made.n_test)},
    }
    truths = {name: _truth(labels, made.n, random) for name, labels in made.targets.items()}
    for name, labels in made.targets.items():
        words = np.array(labels, dtype=object)[truths[name].astype(int)] if labels else truths[name]
        tables["oof_predictions"][name] = np.tile(words, made.seeds)
    for model in (*MODELS, "average", "stack"):
        for name, labels in made.targets.items():
            stem = model if len(made.targets) == 1 else f"{model}/{name}"
            of_all = np.tile(truths[name], made.seeds)
            for part, truth in (
                ("oof_predictions", of_all),
                ("test_predictions", _truth(labels, made.n_test, random)),
            ):
                predicted = _predict(truth, labels, random)
                outputs = [f"{stem}/{label}" for label in labels] if len(labels) > 2 else [stem]
                tables[part].update(zip(outputs, predicted, strict=True))
    for name, columns in tables.items():
        parquet.write_table(pa.table(columns), folder / f"{name}.parquet")
    _write_importance(folder, made, random)
    (folder / "run.json").write_text(json.dumps(record(made)), encoding="utf-8")
    return folder


def _truth(labels: tuple[str, ...], n: int, random: np.random.Generator) -> np.ndarray:
    if labels:
        return random.permutation(np.arange(n) % len(labels)).astype(float)
    return np.exp(random.normal(3, 0.5, n))


def _predict(
    truth: np.ndarray, labels: tuple[str, ...], random: np.random.Generator
) -> list[np.ndarray]:
    """Give the columns of a model that is right more often than not."""
    if not labels:
        return [truth + random.normal(0, 3, len(truth))]
    if len(labels) == 2:
        return [1 / (1 + np.exp(-(3 * truth - 1.5 + random.normal(0, 1.5, len(truth)))))]
    scores = random.normal(0, 1, (len(labels), len(truth)))
    scores[truth.astype(int), np.arange(len(truth))] += 2
    chances = np.exp(scores) / np.exp(scores).sum(axis=0)
    return list(chances)


def _write_importance(folder: Path, made: Made, random: np.random.Generator) -> None:
    """Shares of the gain of all models but the linear one, which knows none."""
    rows = []
    for model in MODELS[:2]:
        for target in made.targets:
            shares = random.dirichlet(np.ones(len(made.features)))
            for feature, share in zip(made.features, shares, strict=True):
                row = {"model": model, "target": target, "feature": feature}
                rows.append({**row, "mean": share, "sd": share / 5, "fits": 3 * made.seeds})
    parquet.write_table(pa.Table.from_pylist(rows), folder / "feature_importance.parquet")


def record(made: Made) -> dict[str, Any]:
    """Make the record of such a run."""
    digest = "0123456789abcdef" * 4
    return {
        **fallback_record(made),
        "route": "known-task",
        "reason": "train has the key columns",
        "match": {
            "key": ["age"], "signature_sha256": digest, "solver": "solvers.tasks.beds:SOLVER",
            "solver_sha256": digest, "missing": [], "unexpected": ["colour"], "like": [],
        },
        "tables": {"train": digest, "test": digest},
        "targets": [
            {"name": name, "kind": _kind(labels), "labels": list(labels)}
            for name, labels in made.targets.items()
        ],
        "rules": made.rules,
        "features": list(made.features),
        "folds": {
            "kind": "row", "n_with_mates": 0, "n_straddling": 0,
            "reason": "Row folds.",
        },
        "models": [{"name": model} for model in MODELS],
        "fits": [
            {
                "model": model, "target": target, "repeat": repeat, "fold": fold, "seed": 1,
                "rounds": None if model == "linear" else 100 + fold, "cpu_seconds": 0.25,
                "attempts": 1 + (fold == 2), "kept": fold == 0,
            }
            for model in MODELS
            for target in made.targets
            for repeat in range(made.seeds)
            for fold in range(3)
        ],
        "scores": _scores(made),
        "predictions": {
            "rounded_to": 1e-9, "test_sha256": digest, "oof_sha256": digest,
            "base_models_sha256": dict.fromkeys(MODELS, digest),
            "smallest_margin": {name: 0.00123 for name, labels in made.targets.items() if labels},
            "rows_within_1e-6": {name: 0 for name, labels in made.targets.items() if labels},
        },
    }  # fmt: skip


def _kind(labels: tuple[str, ...]) -> str:
    return {0: "regression", 2: "binary"}.get(len(labels), "multiclass")


def _scores(made: Made) -> dict[str, Any]:
    scores = {}
    for number, model in enumerate((*MODELS, "average", "stack")):
        per_seed = [0.80 + 0.004 * number + 0.002 * seed for seed in range(made.seeds)]
        error = np.std(per_seed, ddof=1) / len(per_seed) ** 0.5 if made.seeds > 1 else None
        scores[model] = {"mean": float(np.mean(per_seed)), "sem": error, "per_seed": per_seed}
    return {
        "metric": made.metric, "higher_is_better": made.metric in {"accuracy", "auc"},
        "protocol": "out of fold, 3 row folds", "models": scores, "used": made.used,
        "gain": 0.001, "error": 0.002, "reason": "No gain of more than two errors.",
    }  # fmt: skip


def fallback_record(made: Made) -> dict[str, Any]:
    """Make the record of a run that an agent answered."""
    digest = "fedcba9876543210" * 4
    packages = {"numpy": "2.0.0", "pandas": None}
    stages = ("match", "read", "fit")
    return {
        "schema_version": 2, "route": "agent", "reason": "no signature fits", "task": made.task,
        "seed": 0, "note": made.note,
        "settings": {
            "profile": {"name": "quick", "fold_seeds": made.seeds, "folds": 3, "work": 0.25},
            "jobs": 2, "threads_per_fit": 1,
        },
        "submission_sha256": digest,
        "outputs": {},
        "input": {
            "path": made.path, "files": {"train": {"name": "train.csv", "sha256": digest}},
        },
        "started": STARTED.format(0), "finished": STARTED.format(9), "seconds": 9.0, "sittings": 1,
        "environment": {
            "python": "3.11.7", "implementation": "CPython", "platform": "Linux-x86_64",
            "packages": packages,
            "cpu": {"machine": "x86_64", "model": "A processor", "flags": "avx2 fma " * 60},
            "blas": [{"internal_api": "openblas", "version": None, "num_threads": 2}],
            "code": {"version": "0.1.0", "sha256": digest, "commit": "ab" * 20, "dirty": True},
        },
        "command": ["solvers", "solve", made.path, "--seed", "0"],
        "peak_mb": 512.0,
        "stages": [
            {
                "stage": stage, "started": STARTED.format(number), "seconds": 0.004 * 40**number,
                "peak_mb": 100.0 * number, "note": "",
            }
            for number, stage in enumerate(stages)
        ],
    }  # fmt: skip


def write_fallback(folder: Path) -> Path:
    """Write a finished run that an agent answered: of all runs the one that is reported fastest."""
    folder.mkdir(parents=True)
    text = json.dumps(fallback_record(Made({})))
    (folder / "run.json").write_text(text, encoding="utf-8")
    return folder


HOSTILE = "<script>alert('{{7*7}}')</script> & \"$x$\" \u65e5\u672c #fe0001"
KINDS = {
    "binary": Made({"Transported": ("False", "True")}),
    "one-seed": Made({"Transported": ("False", "True")}, seeds=1, metric="auc"),
    "regression": Made({"yield": ()}, metric="rmse", note=""),
    "logarithms": Made({"price": ()}, metric="rmsle", used="stack"),
    "multiclass": Made({"planet": ("Earth", "Europa", "Mars", "Pluto")}),
    "many-classes": Made({"letter": tuple(f"letter {n}" for n in range(30))}, n=300),
    "several": Made({"dead": ("no", "yes"), "worms": (), "soil": ("clay", "loam", "sand")}),
    "hostile": Made(
        {HOSTILE: (HOSTILE, f"{HOSTILE}2")}, features=(HOSTILE, "b"), rules={HOSTILE: 3},
        note=HOSTILE, task=HOSTILE, path=f"/data/{HOSTILE}",
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of made-up runs, by what is special about them."""
    root = tmp_path_factory.mktemp("runs")
    written = {kind: write_report(write_run(root / kind, made)) for kind, made in KINDS.items()}
    return {**written, "fallback": write_report(write_fallback(root / "fallback"))}


@pytest.fixture(scope="session")
def made_kinds() -> dict[str, Made]:
    """What the made-up runs are like, by what is special about them."""
    return KINDS


@pytest.fixture
def make_run(tmp_path: Path) -> Any:
    """Write a run; by default on a binary target."""

    def make(kind: str | Made = "binary", name: str = "run") -> Path:
        if kind == "fallback":
            return write_fallback(tmp_path / name)
        return write_run(tmp_path / name, KINDS[kind] if isinstance(kind, str) else kind)

    return make
