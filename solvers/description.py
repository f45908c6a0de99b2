"""What a known task is: its signature, and what its solver declares."""

import inspect
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from signatures import Signature
from solvers.contract import Contract, expected_of
from solvers.models import Model
from solvers.models.ranges import parameters_of
from solvers.parameters import load
from solvers.recipe import name_of


def describe(signature: Signature) -> dict[str, Any]:
    """Give signature, contract, rules, features, models and tuned parameters, as JSON values.

    Raises
    ------
    ParametersError
        If there are tuned parameters that cannot be used.
    """
    loaded = load(signature)
    tuned = loaded.parameters
    models = tuned.models if tuned is not None else {}
    return {
        "task": signature.slug,
        "title": signature.title,
        "source": signature.source,
        "solver": signature.solver,
        "metric": asdict(signature.metric),
        "key": list(signature.key),
        "id": signature.id,
        "target": list(signature.target),
        "labels": list(signature.labels),
        "medals": dict(signature.medals),
        "contract": _columns(loaded.solver.contract),
        "rules": _told(loaded.solver.rules),
        "features": _told(loaded.solver.features),
        "models": [_model(model, tuned=model.name in models) for model in loaded.solver.models],
        "tuned": None
        if tuned is None
        else {"file": str(loaded.path), **tuned.model_dump(exclude={"task", "models"})},
    }


_KINDS = {"float64": "number", "int64": "whole number", "boolean": "flag"}


def _columns(contract: Contract | None) -> dict[str, dict[str, Any]]:
    """Give each column's kind, whether values may be missing, and what is expected."""
    if contract is None:
        return {}
    return {
        name: {
            "kind": _KINDS.get(str(column.dtype), "text"),
            "may_be_missing": bool(column.nullable),
            "expected": expected_of(column),
        }
        for name, column in contract.to_schema().columns.items()
    }


def _told(functions: tuple[Callable[..., Any], ...]) -> dict[str, str]:
    """Give the first line of what each function says of itself."""
    named = {name_of(function): inspect.getdoc(function) or "" for function in functions}
    return {name: text.partition("\n")[0] for name, text in named.items()}


def _model(model: Model, *, tuned: bool) -> dict[str, Any]:
    """Give all that a model is, and those of its parameters that may be tuned."""
    return {
        "name": model.name,
        "model": repr(model),
        "parameters": parameters_of(model),
        "tuned": tuned,
    }
