"""Which arguments of a base model may be tuned, and within what bounds.

A model's class declares them as `RANGES`; a wrapper has those of the model inside it. An argument
whose value lies outside its range is left alone: it is likely to mean something else there, as a
depth of 0 that stands for no limit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from solvers.models.base import Model, Wrapper

Value = int | float


@dataclass(frozen=True)
class Range:
    """Bounds of an argument, both included; of a whole number where they are such.

    `log`: whether factors matter rather than differences.
    """

    low: Value
    high: Value
    log: bool = False

    @property
    def whole(self) -> bool:
        """Whether the argument is a whole number."""
        return isinstance(self.low, int)

    def __str__(self) -> str:
        """Say what is expected of a value."""
        return f"a {'whole ' if self.whole else ''}number from {self.low} to {self.high}"

    def holds(self, value: object) -> bool:
        """Tell whether a value is of the right kind and within the bounds."""
        kinds = (int,) if self.whole else (int, float)
        return type(value) in kinds and self.low <= value <= self.high  # type: ignore[operator]


def ranges_of(model: Model) -> dict[str, Range]:
    """Give the ranges of the arguments that may be tuned."""
    inner = _innermost(model)
    declared: Mapping[str, Range] = getattr(inner, "RANGES", {})
    return {name: range_ for name, range_ in declared.items() if range_.holds(vars(inner)[name])}


def parameters_of(model: Model) -> dict[str, Value]:
    """Give the present values of the arguments that may be tuned."""
    values = vars(_innermost(model))
    return {name: values[name] for name in ranges_of(model)}


def with_parameters(model: Model, values: Mapping[str, Value]) -> Model:
    """Return the model with other values of some arguments."""
    changed: dict[str, Any] = dict(values)
    if isinstance(model, Wrapper):
        changed = {"inner": with_parameters(model.inner, values)}
    return replace(model, **changed)  # type: ignore[type-var]


def _innermost(model: Model) -> Model:
    while isinstance(model, Wrapper):
        model = model.inner
    return model
