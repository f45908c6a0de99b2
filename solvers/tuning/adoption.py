"""Take over what was found: the verdict, and the file that every run reads from then on."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from signatures import RunFolderError
from solvers.checkpoints import Checkpoints
from solvers.files import write_whole
from solvers.models.ranges import Value, with_parameters
from solvers.parameters import Gained, Origin, Parameters
from solvers.scores import Score
from solvers.seeds import seed_of
from solvers.solver import StackedSolver
from solvers.tuning.evaluation import Comparison, Evaluation
from solvers.tuning.verdict import SAME, Verdict, judge

Values = Mapping[str, Mapping[str, Value]]


def decide(
    in_use: StackedSolver,
    found: Values,
    evaluation: Evaluation,
    seed: int,
    checkpoints: Checkpoints,
) -> Verdict:
    """Hold what was found against what is in use, on fold seeds that no study saw."""
    models = [
        with_parameters(model, found.get(model.name, {})) for model in evaluation.solver.models
    ]
    new = replace(evaluation.solver, models=tuple(models))
    if new.models == in_use.models:
        return Verdict(False, SAME)
    compared = evaluation.compare(in_use, new, seed_of(seed, "held out"), checkpoints)
    return judge(compared, evaluation.metric, evaluation.profile)


def as_file(
    found: Values, compared: Comparison, metric: str, made_from: Mapping[str, Any], trials: int
) -> Parameters:
    """Lay out what was adopted, where it comes from and what it gained."""
    return Parameters(
        task=made_from["task"],
        study=Origin(
            seed=made_from["seed"],
            trials=trials,
            data_sha256=made_from["data"],
            solver_sha256=made_from["solver's code"],
        ),
        score=Gained(
            metric=metric,
            fold_seeds=len(compared.after.per_seed),
            before=_digits(compared.before.mean),
            before_error=_error(compared.before),
            after=_digits(compared.after.mean),
            after_error=_error(compared.after),
            gain=_digits(compared.gain.gain),
            gain_error=_digits(compared.gain.error),
        ),
        versions={name: version for name, version in made_from["versions"].items() if version},
        models={model: dict(values) for model, values in found.items()},
    )


def write(path: Path, parameters: Parameters) -> None:
    """Write the file, as a whole or not at all.

    Raises
    ------
    RunFolderError
        If it cannot be written; the study is kept and need not be done again.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, parameters.to_toml())
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        cure = "Mend that, or name another file with --params, and go on by --resume."
        raise RunFolderError(str(path), problem, cure) from error


def _error(score: Score) -> float:
    return _digits(score.sem or 0.0)


def _digits(value: float) -> float:
    """What is written for people needs no more digits than a score has."""
    return round(value, 6)
