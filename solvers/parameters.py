"""Tuned parameters: the file that `solvers tune` writes and every run of the task reads.

It lies in the folder ``params`` of the package that the solver is in, for a built-in task
``solvers/params/<task>.toml``. Without it, the solver is what its module declares.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from signatures import KnownTaskError, Signature
from solvers.models.ranges import ranges_of, with_parameters
from solvers.solver import StackedSolver

MARK = "# Written by `solvers tune`"
_HEAD = f"{MARK}. Delete this file to go back to what the solver declares.\n"


class ParametersError(KnownTaskError, ValueError):
    """A file of tuned parameters cannot be used."""

    fields = ("path", "problem")

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(
            f"The tuned parameters in {path!r} cannot be used: {problem}. Mend the file, or delete "
            "it to go back to what the solver declares."
        )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Origin(_Part):
    """The study: its seed, its trials for each model, and digests of what it was made from."""

    seed: int
    trials: int
    data_sha256: str
    solver_sha256: str


class Gained(_Part):
    """What the parameters were adopted for: scores on folds that the study did not see.

    `before` is the score of the parameters that they replaced.
    """

    metric: str
    fold_seeds: int
    before: float
    before_error: float
    after: float
    after_error: float
    gain: float
    gain_error: float


class Parameters(_Part):
    """One file."""

    task: str
    study: Origin
    score: Gained
    versions: dict[str, str]
    models: dict[str, dict[str, Any]]  # held against the ranges by `applied_to`

    def to_toml(self) -> str:
        """Write the file's text."""
        facts = self.model_dump()
        lines = [f"task = {json.dumps(facts.pop('task'))}"]
        for name, values in facts.pop("models").items():
            facts[f"models.{_key(name)}"] = values
        for name, values in facts.items():
            lines += ["", f"[{name}]"]
            # Text, whole numbers and floats look in JSON as they do in TOML.
            lines += [f"{_key(key)} = {json.dumps(value)}" for key, value in values.items()]
        return _HEAD + "\n".join(lines) + "\n"

    def applied_to(self, solver: StackedSolver) -> StackedSolver:
        """Return the solver with these parameters.

        Raises
        ------
        ValueError
            If there is no such model, or it cannot be given such a value.
        """
        models = {model.name: model for model in solver.models}
        for name, values in self.models.items():
            if name not in models:
                msg = f"the solver has no model {name!r}, only {', '.join(models)}"
                raise ValueError(msg)
            ranges = ranges_of(models[name])
            for key, value in values.items():
                if key not in ranges:
                    msg = f"{key!r} of {name} cannot be tuned, only {', '.join(ranges)}"
                    raise ValueError(msg)
                if not ranges[key].holds(value):
                    msg = f"{key!r} of {name} is {value!r}, expected {ranges[key]}"
                    raise ValueError(msg)
            models[name] = with_parameters(models[name], values)
        return replace(solver, models=tuple(models.values()))


@dataclass(frozen=True)
class Loaded:
    """A task's solver as it is to be run, and the tuned parameters in it, if there are any.

    `path` is where they lie, or would.
    """

    solver: StackedSolver
    path: Path
    parameters: Parameters | None = None
    sha256: str | None = None


def place(signature: Signature) -> Path:
    """Say where the tuned parameters of a task lie, whether there are any or not."""
    top = signature.solver.partition(":")[0].partition(".")[0]
    spec = find_spec(top)
    if spec is None or not (spec.submodule_search_locations or spec.origin):
        signature.load_solver()  # says what is wrong
        msg = f"{top!r} lies in no folder"
        raise ValueError(msg)
    folders = list(spec.submodule_search_locations or [])
    folder = Path(folders[0]) if folders else Path(str(spec.origin)).parent
    return folder / "params" / f"{signature.slug}.toml"


def load(signature: Signature) -> Loaded:
    """Import a task's solver and give it its tuned parameters.

    Raises
    ------
    ParametersError
        If there is a file of them that cannot be used.
    """
    solver: StackedSolver = signature.load_solver()
    path = place(signature)
    if not path.exists():
        return Loaded(solver, path)
    try:
        content = path.read_bytes()
        parameters = _parse(content)
        if parameters.task != signature.slug:
            msg = f"they are those of {parameters.task!r}"
            raise ValueError(msg)
        digest = sha256(content).hexdigest()
        return Loaded(parameters.applied_to(solver), path, parameters, digest)
    except OSError as error:
        raise ParametersError(str(path), error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise ParametersError(str(path), str(error)) from error


def _parse(content: bytes) -> Parameters:
    """Read the file's text.

    Raises
    ------
    ValueError
        If it is not such a text.
    """
    try:
        found: Mapping[str, Any] = tomllib.loads(content.decode())
    except ValueError as error:  # neither TOML nor UTF-8
        msg = f"it is not valid TOML: {error}"
        raise ValueError(msg) from error
    try:
        return Parameters.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        msg = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise ValueError(msg) from error


def _key(name: str) -> str:
    """Write a key, in quotation marks where TOML wants them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
