"""``run.json`` as types: what a finished run says about itself, written and read in one form.

The published schema, ``run.schema.json`` beside this module, is made from these types:
``python -m solvers.record_types`` prints it.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self

import pydantic_core
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    model_validator,
)
from pydantic.config import JsonDict


def _of_our_time(time: datetime) -> datetime:
    """Refuse a time that other time zones cannot write."""
    if not 1970 <= time.year < 9999:
        msg = "is not a time at which a run could be made"
        raise ValueError(msg)
    return time


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
When = Annotated[AwareDatetime, AfterValidator(_of_our_time)]
Natural = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class InputFile(_Part):
    """A file that was read: its name inside what was handed over, and its digest unpacked."""

    name: str
    sha256: Sha256


class Input(_Part):
    """What was handed over; `archive_sha256` where that was one file."""

    path: str
    files: dict[str, InputFile]
    archive_sha256: Sha256 | None = None


class Matched(_Part):
    """How the columns fit the signature, and which solver that led to.

    `parameters_sha256`: of the file of tuned parameters, null where the solver is as declared.
    """

    key: list[str]
    signature_sha256: Sha256
    solver: str
    solver_sha256: Sha256
    parameters_sha256: Sha256 | None = None
    missing: list[str]
    unexpected: list[str]
    like: list[str]


class Inferred(_Part):
    """What the baseline took unknown data for: its guesses in words, and each column's kind."""

    answered_by: Literal["models", "constant"]
    notes: list[str]
    columns: dict[str, str]


class Work(_Part):
    """A profile: how much work, in fold seeds, folds and the share of each model's rounds."""

    name: str
    fold_seeds: int = Field(ge=1)
    folds: int = Field(ge=2)
    work: float = Field(gt=0, le=1)


class Settings(_Part):
    """What the run was asked for, but for the seed."""

    profile: Work
    jobs: int = Field(ge=1)
    threads_per_fit: int = Field(ge=1)


class Fit(_Part):
    """One fit. `kept`: taken from an earlier sitting of the same run."""

    model: str
    target: str
    repeat: Natural
    fold: Natural
    seed: Natural
    rounds: Natural | None
    cpu_seconds: float
    attempts: int = Field(ge=1)
    kept: bool


class Predictand(_Part):
    """One target column: its kind, and its classes in the order of their index."""

    name: str
    kind: Literal["binary", "multiclass", "regression"]
    labels: list[str]


class Score(_Part):
    """Mean and standard error over fold seeds; the error is null for a single one."""

    mean: float
    sem: float | None
    per_seed: list[float]


class Scores(_Part):
    """Every base model and both blends, out of fold; which blend is used and why."""

    metric: str
    higher_is_better: bool
    protocol: str
    models: dict[str, Score]
    used: str
    gain: float
    error: float
    reason: str

    @model_validator(mode="after")
    def _the_used_blend_has_a_score(self) -> Self:
        if self.used not in self.models:
            msg = f"{self.used!r} is used and has no score"
            raise ValueError(msg)
        return self


class Predicted(_Part):
    """Digests of predictions rounded to `rounded_to`; how close a label is to another."""

    rounded_to: float
    test_sha256: Sha256
    oof_sha256: Sha256
    base_models_sha256: dict[str, Sha256]
    smallest_margin: dict[str, float]
    rows_within_1e_6: dict[str, int] = Field(alias="rows_within_1e-6")


class HowCut(_Part):
    """Which folds copy how the test was cut, and how that was seen."""

    kind: Literal["row", "group", "time"]
    n_with_mates: Natural
    n_straddling: Natural
    reason: str


class Cpu(_Part):
    """The processor; flags as Linux tells them."""

    machine: str
    model: str
    flags: str


class Code(_Part):
    """The package: its version and a digest of its modules; in a checkout, commit and changes."""

    version: str | None
    sha256: Sha256
    commit: str | None
    dirty: bool | None


class Environment(_Part):
    """All that is known to change bytes, and what tells two machines apart."""

    python: str
    implementation: str
    platform: str
    packages: dict[str, str | None]
    cpu: Cpu
    blas: list[dict[str, JsonValue]]
    code: Code


class Stage(_Part):
    """One stage of the last sitting. `peak_mb`: of all processes together, in 10^6 bytes."""

    stage: str
    started: When
    seconds: float
    peak_mb: float
    note: str


KNOWN_TASK_PARTS = (
    "task", "match", "tables", "targets", "rules", "features", "folds", "models", "fits", "scores",
    "predictions",
)  # fmt: skip
_ALL_OR_NONE: JsonDict = {
    "if": {"properties": {"route": {"const": "known-task"}}},
    "then": {"properties": {name: {"not": {"type": "null"}} for name in KNOWN_TASK_PARTS}},
}


class RunRecord(_Part):
    """A finished run. The parts that may be null are those of a known task, or of a baseline."""

    model_config = ConfigDict(json_schema_extra=_ALL_OR_NONE)

    schema_version: Literal[2]
    route: Literal["known-task", "baseline", "agent"]
    reason: str
    task: str | None
    seed: Natural
    note: str
    settings: Settings
    submission_sha256: Sha256
    outputs: dict[str, Sha256] = Field(description="Digest of each other file with results")
    input: Input
    match: Matched | None = None
    inferred: Inferred | None = None
    tables: dict[str, Sha256] | None = None
    targets: Annotated[list[Predictand], Field(min_length=1)] | None = None
    rules: dict[str, int] | None = None
    features: list[str] | None = None
    folds: HowCut | None = None
    models: list[dict[str, JsonValue]] | None = None
    fits: list[Fit] | None = None
    scores: Scores | None = None
    predictions: Predicted | None = None
    started: When
    finished: When
    seconds: float
    sittings: int = Field(ge=1, description="1, and one more each time the run was resumed")
    environment: Environment
    command: list[str]
    peak_mb: float
    stages: list[Stage]

    @model_validator(mode="after")
    def _a_known_task_has_all_its_parts(self) -> Self:
        absent = [name for name in KNOWN_TASK_PARTS if getattr(self, name) is None]
        if self.route == "known-task" and absent:
            msg = f"a run of a known task has no {', '.join(absent)}"
            raise ValueError(msg)
        return self

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """Take facts as Python has them: tuples, times, mappings.

        Raises
        ------
        ValidationError
            If they are not what a record holds, a NaN for one: a bug.
        """
        text = pydantic_core.to_json(facts, inf_nan_mode="constants")
        return cls.model_validate_json(text, strict=True)


def schema() -> dict[str, Any]:
    """Give the JSON schema of ``run.json``."""
    made = RunRecord.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
