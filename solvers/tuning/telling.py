"""What whoever watches a study is told."""

from dataclasses import dataclass
from typing import Protocol

from solvers.log import Watcher


@dataclass(frozen=True)
class TrialEnd:
    """`done` of `total` trials of a model have ended; `best` is the best score so far."""

    model: str
    done: int
    total: int
    best: float


class TuningWatcher(Watcher, Protocol):
    """Told of the progress of studies, and of the fits of the verdict."""

    def trial_ends(self, end: TrialEnd) -> None:
        """A trial has ended."""
