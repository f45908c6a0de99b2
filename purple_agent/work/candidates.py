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
        Of its out-of-fold predictions; None if there are none, or nothing was learned. We count
        it, but the agent's predictions are made by its model, and nothing shows that each came
        from the other folds.
    reason : str
        A sentence on what it is, or why there is none.
    higher_is_better : bool
        Of the score.
    """

    submission: Path | None
    score: float | None
    reason: str
    higher_is_better: bool = True


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

    It does by a better out-of-fold score on the same rows and folds; no margin is asked for, for
    how much of a gain is noise cannot be known. What has no score, a constant or the sample as it
    came, gives way to any answer, and an answer without a score to none that has one.

    >>> old = Candidate(Path("a.csv"), 0.7, "a baseline")
    >>> better(Candidate(Path("b.csv"), 0.8, "an agent"), old)
    True
    >>> better(Candidate(Path("b.csv"), None, "an agent that says no score"), old)
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
    return new.score > old.score if old.higher_is_better else new.score < old.score
