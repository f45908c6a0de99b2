"""What makes a signature file valid, entry by entry.

Each check returns a sentence about the first thing wrong, or an empty string.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from signatures.wording import quoted

REQUIRED = ("title", "source", "solver", "key", "columns", "id", "target", "metric")
OPTIONAL = ("labels", "medals", "files", "missing", "like", "aligned", "train_only", "side")
METRICS = ("accuracy", "auc", "log_loss", "rmse", "rmse_log", "rmsle")
ALIGNED = ("id", "order")
MEDALS = ("gold", "silver", "bronze", "median")

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SOLVER = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_TEXTS = ("title", "source", "solver", "id")
_LISTS = ("key", "columns", "target", "labels", "missing", "like", "train_only", "side")
_FILLED = ("key", "columns", "target")
_TABLES = ("metric", "medals", "files")


def check(slug: str, entries: Mapping[str, Any]) -> str:
    """Say what is wrong with a signature, or return an empty string."""
    return (
        check_slug(slug)
        or _names(entries)
        or _kinds(entries)
        or _columns(entries)
        or _solver(entries["solver"])
        or _metric(entries["metric"])
        or _medals(entries)
        or _files(entries.get("files", {}))
        or _aligned(entries.get("aligned", "id"))
    )


def check_slug(slug: str) -> str:
    """Tasks are written as the competitions' addresses write them."""
    if _SLUG.fullmatch(slug):
        return ""
    return (
        f"its file is called {slug!r}, expected lower-case words joined by '-', "
        "such as 'spaceship-titanic'"
    )


def _names(entries: Mapping[str, Any]) -> str:
    absent = [name for name in REQUIRED if name not in entries]
    strange = [name for name in entries if name not in REQUIRED + OPTIONAL]
    if absent and strange:  # most often one is the other, written wrong
        return f"entries are missing: {quoted(absent)}, and others are unknown: {quoted(strange)}"
    if absent:
        return f"entries are missing: {quoted(absent)}"
    if strange:
        return f"unknown entries {quoted(strange)}, expected some of {', '.join(OPTIONAL)}"
    return ""


def _kinds(entries: Mapping[str, Any]) -> str:
    for name, value in entries.items():
        if name in _TEXTS and not (isinstance(value, str) and value):
            return f"'{name}' is {value!r}, expected some text"
        if name in _TABLES and not isinstance(value, dict):
            return f"'{name}' is {value!r}, expected a table such as {{ name = value }}"
        if name in _LISTS and (problem := _texts(name, value)):
            return problem
    return ""


def _texts(name: str, value: object) -> str:
    """Check a list of texts, each of which is there once."""
    if not isinstance(value, list):
        return f"'{name}' is {value!r}, expected a list of texts"
    if wrong := [item for item in value if not isinstance(item, str)]:
        return f"'{name}' holds {wrong[0]!r}, expected texts only: put it in quotes"
    if twice := sorted({item for item in value if value.count(item) > 1}):
        return f"'{name}' names {quoted(twice)} more than once"
    if name in _FILLED and not value:
        return f"'{name}' is empty, expected at least one column"
    return ""


def _columns(entries: Mapping[str, Any]) -> str:
    for name in ("key", "target", "id", "train_only"):
        named = [entries["id"]] if name == "id" else entries.get(name, [])
        if strange := [item for item in named if item not in entries["columns"]]:
            return f"'{name}' names {quoted(strange)}, which 'columns' does not list"
    if both := [item for item in entries.get("train_only", []) if item in entries["target"]]:
        return f"'train_only' names {quoted(both)}, as 'target' does, expected other columns"
    if entries["id"] in entries["target"]:
        return f"{entries['id']!r} is both 'id' and 'target', expected two columns"
    if len(entries.get("labels", ["", ""])) == 1:
        return "'labels' holds one value, expected none or at least two"
    return ""


def _solver(solver: str) -> str:
    if _SOLVER.fullmatch(solver):
        return ""
    return f"'solver' is {solver!r}, expected 'package.module:NAME'"


def _metric(metric: Mapping[str, Any]) -> str:
    kinds = {name: type(value) for name, value in metric.items()}
    if kinds == {"name": str, "higher_is_better": bool}:
        if metric["name"] in METRICS:
            return ""
        return f"'metric' has name = {metric['name']!r}, expected one of {', '.join(METRICS)}"
    expected = '{ name = "accuracy", higher_is_better = true }'
    return f"'metric' is {dict(metric)!r}, expected something like {expected}"


def _medals(entries: Mapping[str, Any]) -> str:
    medals = entries.get("medals", {})
    if strange := [name for name in medals if name not in (*MEDALS, "source")]:
        return f"'medals' has {quoted(strange)}, expected {', '.join(MEDALS)} and source"
    if medals and not isinstance(medals.get("source"), str):
        return "'medals' does not say where its lines come from, expected source = \"...\""
    lines = [(name, medals[name]) for name in MEDALS if name in medals]
    for name, line in lines:
        if type(line) not in (int, float):
            return f"'medals' has {name} = {line!r}, expected a number"
    for (better, line), (worse, other) in pairwise(lines):
        if (line < other) if entries["metric"]["higher_is_better"] else (line > other):
            return f"'medals' has {better} = {line}, which is worse than {worse} = {other}"
    return ""


def _files(files: Mapping[str, Any]) -> str:
    for role, name in files.items():
        if role not in ("train", "test", "sample") or not isinstance(name, str):
            return f"'files' has {role} = {name!r}, expected file names for train, test and sample"
    return ""


def _aligned(aligned: object) -> str:
    if aligned in ALIGNED:
        return ""
    return f"'aligned' is {aligned!r}, expected one of {', '.join(ALIGNED)}"
