"""One study: trials of one model's parameters, proposed by Optuna and kept in its journal."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from signatures import MissingDependencyError, RunFolderError
from solvers.files import drop_half_a_line
from solvers.models.ranges import Range, Value
from solvers.seeds import seed_of

try:
    import optuna
    from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock, JournalStorage
except ModuleNotFoundError as error:
    raise MissingDependencyError(library="optuna", extra="tune") from error

Direction = Literal["maximize", "minimize"]
VERSION: str = optuna.__version__
RANDOM_TRIALS = 10  # before the sampler goes by what it has seen


@dataclass(frozen=True)
class Trial:
    """Parameters that were tried, and the model's score with them."""

    number: int
    parameters: Mapping[str, Value]
    score: float


class Study:
    """Trials of one model, one after the other: the same ones for a seed, killed or not.

    A trial is written to the journal once it has its score, in one line, so a kill leaves no half
    of one. The sampler's state is not kept [1]_: each trial has a sampler of its own, seeded by
    its number, which is told of all earlier trials. The first trial is what the model declares.

    Parameters
    ----------
    journal : Path
        Optuna's journal, which may hold several studies; nobody else may write to it meanwhile.
    name : str
        The model's.
    declared : mapping
        What the model declares.
    ranges : mapping
        Of the same arguments.

    References
    ----------
    .. [1] Optuna's documentation, Frequently asked questions, on saving and resuming studies.
    """

    def __init__(
        self,
        journal: Path,
        name: str,
        declared: Mapping[str, Value],
        ranges: Mapping[str, Range],
        *,
        higher_is_better: bool,
        seed: int,
    ) -> None:
        self.name = name
        self._declared = declared
        self._distributions: dict[str, BaseDistribution] = {
            key: _distribution(range_) for key, range_ in ranges.items()
        }
        self._ranges = ranges
        self._direction: Direction = "maximize" if higher_is_better else "minimize"
        self._seed = seed
        with _silent():
            self._kept = _opened(journal, name, self._direction)

    def trials(self) -> list[Trial]:
        """Give the trials that have ended, in their order."""
        return [
            Trial(number, {key: trial.params[key] for key in self._ranges}, trial.values[0])
            for number, trial in enumerate(self._kept.get_trials(deepcopy=False))
        ]

    def run(self, n_trials: int, score: Callable[[Mapping[str, Value]], float]) -> Iterator[Trial]:
        """Do what is missing of so many trials, and yield each."""
        for number in range(len(self.trials()), n_trials):
            parameters = self._next(number) if number else dict(self._declared)
            trial = Trial(number, parameters, score(parameters))
            self._kept.add_trial(self._frozen(trial))
            yield trial

    def best(self, n_trials: int) -> Trial:
        """Give the best of the first so many trials; of equal ones the first."""
        sign = 1 if self._direction == "maximize" else -1
        return max(self.trials()[:n_trials], key=lambda trial: sign * trial.score)

    def _next(self, number: int) -> dict[str, Value]:
        """Ask a new sampler that knows all earlier trials."""
        with _silent():
            sampler = optuna.samplers.TPESampler(
                seed=seed_of(self._seed, f"trial of {self.name}", number),
                n_startup_trials=RANDOM_TRIALS, n_ei_candidates=24,
                multivariate=True, group=False, constant_liar=False,
            )  # fmt: skip
            study = optuna.create_study(direction=self._direction, sampler=sampler)
            study.add_trials([self._frozen(trial) for trial in self.trials()[:number]])
            asked = study.ask(self._distributions)
        return {key: _short(value, self._ranges[key]) for key, value in asked.params.items()}

    def _frozen(self, trial: Trial) -> "optuna.trial.FrozenTrial":
        return optuna.trial.create_trial(
            params=dict(trial.parameters), distributions=self._distributions, value=trial.score
        )


class _Claimed(JournalFileOpenLock):
    """No lock, for the folder is this process's own: a kill would leave one, to be waited for."""

    def acquire(self) -> bool:
        """Do nothing."""
        return True

    def release(self) -> None:
        """Do nothing."""


def _opened(journal: Path, name: str, direction: Direction) -> "optuna.Study":
    """Open one study of a journal, or begin it there."""
    drop_half_a_line(journal)
    try:
        backend = JournalFileBackend(str(journal), _Claimed(str(journal)))
        return optuna.create_study(
            storage=JournalStorage(backend), study_name=name, direction=direction,
            load_if_exists=True,
        )  # fmt: skip
    except OSError:
        raise
    except Exception as error:  # whatever Optuna makes of lines that are not its own
        problem = f"is damaged ({type(error).__name__}: {error})"
        raise RunFolderError(
            str(journal), problem, "Delete the study's folder and start it again."
        ) from error


def _distribution(range_: Range) -> BaseDistribution:
    if range_.whole:
        return IntDistribution(int(range_.low), int(range_.high), log=range_.log)
    return FloatDistribution(range_.low, range_.high, log=range_.log)


def _short(value: Any, range_: Range) -> Value:
    """Keep three digits of a number: no score tells more apart, and people read them."""
    return int(value) if range_.whole else float(f"{value:.3g}")


@contextmanager
def _silent() -> Iterator[None]:
    """Keep what Optuna says of its own doings, and of what it calls experimental, from the user."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield
    finally:
        optuna.logging.set_verbosity(before)
