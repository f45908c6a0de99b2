"""How much work a bench is, counted in fits and rounds before any of it is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from signatures import REGISTRY, KnownTaskError
from signatures.wording import counted
from solvers.bench.asked import Asked
from solvers.parameters import load
from solvers.profiles import PROFILES, Profile


class TooMuchWorkError(KnownTaskError, ValueError):
    """A bench has more fits than it may have; nothing of it was started."""

    fields = ("fits", "bound", "verify")

    def __init__(self, fits: int, bound: int, verify: bool) -> None:
        self.fits, self.bound, self.verify = fits, bound, verify
        less = ", or --no-verify, which halves it" if verify else ""
        super().__init__(
            f"This bench takes {counted(fits, 'fit')} from its beginning to its end, and {bound:,} "
            f"are allowed. Allow more, or give fewer datasets or seeds, a smaller profile{less}."
        )


@dataclass(frozen=True)
class Work:
    """How much there is to do.

    Attributes
    ----------
    runs, fits, rounds : int
        Of all runs. Rounds are those of models that are made in rounds.
    all_fits : int
        Twice the fits where each run is done again to verify it.
    """

    runs: int
    fits: int
    rounds: int
    all_fits: int

    def __str__(self) -> str:
        """Tell it in a sentence."""
        text = ", ".join(
            counted(number, noun)
            for number, noun in ((self.runs, "run"), (self.fits, "fit"), (self.rounds, "round"))
        )
        if self.all_fits == self.fits:
            return text
        return f"{text}; verifying does them once more, {self.all_fits:,} fits in all"


def work_of(asked: Asked) -> Work:
    """Count the work of a bench, from the profile and what each task's solver declares."""
    profile = PROFILES[asked.profile]
    per_run = [_one_run(dataset.task, profile) for dataset in asked.datasets]
    n_seeds = len(asked.seeds)
    fits = n_seeds * sum(fits for fits, _ in per_run)
    rounds = n_seeds * sum(rounds for _, rounds in per_run)
    return Work(len(per_run) * n_seeds, fits, rounds, fits * (2 if asked.verify else 1))


def _one_run(task: str, profile: Profile) -> tuple[int, int]:
    signature = REGISTRY[task]
    solver = load(signature).solver
    models: Sequence[object] = [model.rehearsal(profile.work) for model in solver.models]
    cuts = profile.fold_seeds * profile.folds * len(signature.target)
    return len(models) * cuts, cuts * sum(getattr(model, "rounds", 0) for model in models)
