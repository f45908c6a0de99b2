"""What the templates of a solver and of its test are filled in with: names, constants, fields."""

import builtins
import keyword
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandera.pandas as pa

import solvers.models
from signatures.wording import counted
from solvers.baseline.kinds import numbers
from solvers.baseline.models import models
from solvers.draft import literals
from solvers.draft.columns import Column, outward, plain
from solvers.draft.places import Places
from solvers.draft.understood import Understood
from solvers.models.sturdy import Sturdy

# Each group of columns: the constant that names them, and the features that are made of them.
GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "numbers": ("NUMBERS", ("numbers",)),
    "loose": ("LOOSE_NUMBERS", ("loose_numbers",)),
    "flags": ("FLAGS", ("flags",)),
    "categories": ("CATEGORIES", ("categories",)),
    "codes": ("CODES", ("codes",)),
    "dates": ("DATES", ("dates",)),
    "texts": ("TEXTS", ("texts", "style")),
}
# What a synthetic target follows: a column of the first of these groups that has any.
FOLLOWED = ("numbers", "categories", "flags", "loose", "dates", "codes", "texts")
_NAMES = {"pa", "pd", "np", "synthetic", "ID", *(constant for constant, _ in GROUPS.values())}


class Written:
    """Names, constants and fields of a solver, as source."""

    def __init__(self, understood: Understood) -> None:
        self._understood = understood
        names = [column.name for column in understood.columns]
        every = dict.fromkeys([*names, *understood.targets, *understood.labels])
        long = [name for name in every if len(literals.text(name)) > literals.LONG]
        found = literals.identifiers(long, lambda own: own.upper() in _NAMES)
        self._long = {name: f"LONG_{own.upper()}" for name, own in found.items()}
        self._attributes = literals.identifiers(names, self._taken)
        self._groups = {
            group: [column for column in understood.columns if column.group == group]
            for group in GROUPS
            if any(column.group == group for column in understood.columns)
        }

    def _taken(self, name: str) -> bool:
        """Tell whether a contract's attribute of that name would hide something."""
        return (
            keyword.iskeyword(name)
            or hasattr(builtins, name)
            or hasattr(pa.DataFrameModel, name)
            or name in {*_NAMES, *self._long.values(), "Config"}
        )

    def _text(self, value: str) -> str:
        return self._long.get(value) or literals.text(value)

    def _texts(self, values: Sequence[str]) -> list[str]:
        return [self._text(value) for value in values]

    @property
    def _functions(self) -> list[str]:
        return [name for group in self._groups for name in GROUPS[group][1]]

    def of_solver(self) -> dict[str, Any]:
        """What the template of the solver asks for."""
        understood = self._understood
        low, high = _range(understood)
        chosen = [
            model.inner if isinstance(model, Sturdy) else model
            for model in models(understood.rows.data, understood.rows.used)
        ]
        group = next(group for group in FOLLOWED if group in self._groups)
        name = GROUPS[group][0]
        return {
            "groups": self._groups,
            "labels": understood.labels,
            "n_classes": len(understood.labels),
            "left_out": counted(len(understood.left_out), "column") if understood.left_out else "",
            "imports": _imports(chosen),
            "constants": self._constants(),
            "fields": [self._field(column) for column in understood.columns],
            "followed": f"next(iter({name}))" if group in {"categories", "dates"} else f"{name}[0]",
            "low": low,
            "high": high,
            "answer": _answer(understood),
            "functions": self._functions,
            "models": _tuple("models=", [literals.expression(model) for model in chosen]),
        }

    def _constants(self) -> list[str]:
        understood = self._understood
        lines = [literals.constant(own, name) for name, own in self._long.items()]
        lines.append(f"ID = {self._text(understood.id)}")
        lines.append(literals.listing("TARGETS", self._texts(understood.targets)))
        if understood.labels:
            lines.append(literals.listing("LABELS", self._texts(understood.labels)))
        for group, columns in self._groups.items():
            name = GROUPS[group][0]
            if group == "categories":
                seen = {self._text(c.name): self._texts(c.seen) for c in columns}
                lines.append(literals.mapping(name, seen))
            elif group == "dates":
                forms = {self._text(c.name): literals.text(c.form) for c in columns}
                lines.append(literals.mapping(name, forms))
            else:
                lines.append(literals.listing(name, [self._text(c.name) for c in columns]))
        return lines

    def _field(self, column: Column) -> str:
        own = self._attributes[column.name]
        arguments = [*column.checks]
        if column.seen:
            arguments.append(f"isin=CATEGORIES[{self._text(column.name)}]")
        if own != column.name:
            arguments.append(f"alias={self._text(column.name)}")
        return literals.call(f"{own}: {column.dtype} = pa.Field", arguments, 4)

    def of_test(self, places: Places) -> dict[str, Any]:
        """What the template of the test asks for."""
        labels = ["LABELS"] if self._understood.labels else []
        upper = sorted(["ID", "TARGETS", *labels, *(GROUPS[group][0] for group in self._groups)])
        names = [*upper, "Row", *sorted(["drawn", *self._functions])]
        line = f"from {places.module} import {', '.join(names)}"
        if len(line) > literals.WIDTH:
            inner = "".join(f"    {name},\n" for name in names)
            line = f"from {places.module} import (\n{inner})"
        return {
            "groups": self._groups,
            "labels": self._understood.labels,
            "frames": bool(self._groups),
            "approx": not {"loose", "flags", "dates", "texts"}.isdisjoint(self._groups),
            "beyond": next((c.beyond for c in self._groups.get("numbers", ())), ""),
            "import_line": line,
        }


def _range(understood: Understood) -> tuple[str, str]:
    """Say between which numbers synthetic targets lie: above 0 where logarithms are taken."""
    if understood.labels:
        return "", ""
    answers = [numbers(understood.train[name].dropna()) for name in understood.targets]
    low, high = outward(np.concatenate(answers))
    if understood.question.metric.name == "rmse_log" and float(low) == 0:
        low = plain(Decimal(high) / 100)
    return low, high


def _answer(understood: Understood) -> str:
    """Write what a synthetic sample submission holds."""
    if not understood.labels:
        return "dict.fromkeys(TARGETS, 0.0)"
    if understood.question.labels:
        return "dict.fromkeys(TARGETS, LABELS[0])"
    if len(understood.labels) > 2:
        return "dict.fromkeys(LABELS, 1 / len(LABELS))"
    return "dict.fromkeys(TARGETS, 0.5)"


def _tuple(head: str, items: Sequence[str]) -> str:
    return f"{head}({items[0]},)" if len(items) == 1 else literals.call(head, items, 4)


def _imports(chosen: Sequence[Any]) -> dict[str, list[str]]:
    """Say what is imported from where, in the order of the modules' names."""
    places = {"solvers.solver": ["StackedSolver"]}
    for found in sorted(literals.classes(tuple(chosen)), key=lambda one: one.__name__):
        name = found.__name__
        module = "solvers.models" if name in solvers.models.__all__ else found.__module__
        places.setdefault(module, []).append(name)
    return dict(sorted(places.items()))
