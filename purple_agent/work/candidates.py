"""Answers to a task that no solver knows, and which of two is better."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from purple_agent.orders import Order
from purple_agent.task_folder import TaskFolder
from purple_agent.work.telling import Telling


@dataclass(frozen=True)
class Candidate:
    """A submission that may be sent.

    Attributes
    ----------
    submission : Path or None
        A file in the task's folder; None if nothing came of it.
    score : float or None
        By our own count; None if there is none, or nothing was learned. Of the baseline it is out
        of fold, of the agent that of rows whose answers were kept from it.
    reason : str
        A sentence on what it is, or why there is none.
    higher_is_better : bool
        Of the score.
    rival : float or None
        Of an agent: the baseline's score on the same rows.
    error : float
        Standard error of the difference of both, over draws of these rows.
    """

    submission: Path | None
    score: float | None
    reason: str
    higher_is_better: bool = True
    rival: float | None = None
    error: float = 0.0


class Baseline(Protocol):
    """Makes an answer to any table, quickly, with an out-of-fold score where it learned."""

    def __call__(self, folder: TaskFolder, order: Order, telling: Telling) -> Candidate:
        """Answer the data of the task in ``folder.baseline``."""


class Agent(Protocol):
    """Makes an answer with a language model, if there is one."""

    def __call__(
        self, folder: TaskFolder, order: Order, telling: Telling, baseline: Candidate | None
    ) -> Candidate | None:
        """Answer the data of the task in ``folder.agent``; None where no model is set up."""


def better(new: Candidate, old: Candidate | None) -> bool:
    """Whether an answer takes the place of another.

    It does by a score that is better, on rows whose answers were kept from it, by more than the
    standard error of the difference. What has no score, a constant or the sample as it came, gives
    way to any answer, and an answer without a score to none that has one.

    >>> old = Candidate(Path("a.csv"), 0.7, "a baseline")
    >>> better(Candidate(Path("b.csv"), 0.8, "an agent", rival=0.72, error=0.03), old)
    True
    >>> better(Candidate(Path("b.csv"), 0.8, "an agent", rival=0.79, error=0.03), old)
    False
    >>> better(Candidate(Path("b.csv"), None, "an agent that says nothing of them"), old)
    False
    >>> better(Candidate(Path("b.csv"), None, "an agent"), Candidate(Path("c.csv"), None, "0 each"))
    True
    """
    if new.submission is None:
        return False
    if old is None or old.submission is None:
        return True
    if old.score is None:  # a constant, or the sample as it came
        return True
    if new.score is None:
        return False
    gain = new.score - (old.score if new.rival is None else new.rival)
    return (gain if old.higher_is_better else -gain) > new.error
