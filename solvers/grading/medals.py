"""Medal lines: those that a signature gives, or those of a leaderboard."""

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from signatures import BundleError, Metric, Signature
from solvers.grading.answers import read_texts
from solvers.grading.values import is_number

MEDALS = ("gold", "silver", "bronze")
PLACES = (*MEDALS, "median")


@dataclass(frozen=True)
class Lines:
    """Scores that have to be reached, in the metric's unit, and whose they are.

    Attributes
    ----------
    gold, silver, bronze, median : float or None
        None where no such line is known.
    source : str
        Where they come from; empty if there are none.
    """

    gold: float | None = None
    silver: float | None = None
    bronze: float | None = None
    median: float | None = None
    source: str = ""

    def known(self) -> dict[str, float]:
        """Return the lines that are known, best first."""
        lines = {name: getattr(self, name) for name in PLACES}
        return {name: line for name, line in lines.items() if line is not None}

    def medal(self, score: float | None, metric: Metric) -> str | None:
        """Name the best medal whose line is reached."""
        reached = (
            name
            for name, line in self.known().items()
            if name in MEDALS and score is not None and lead(score, line, metric) >= 0
        )
        return next(reached, None)

    def above_median(self, score: float | None, metric: Metric) -> bool:
        """Tell whether the median is passed; to reach it is not enough."""
        if score is None or self.median is None:
            return False
        return lead(score, self.median, metric) > 0


def lead(score: float, line: float, metric: Metric) -> float:
    """Return how far `score` is ahead of `line`, negative if behind."""
    return score - line if metric.higher_is_better else line - score


def signature_lines(signature: Signature) -> Lines:
    """Return the lines that the signature gives."""
    given = signature.medals
    values = {name: float(given[name]) for name in PLACES if name in given}
    return Lines(**values, source=str(given.get("source", "")))


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Attributes
    ----------
    path : str
        The file, as it was named.
    scores : tuple of float
        One per team, best first.
    metric : Metric
        What the scores are in.
    """

    path: str
    scores: tuple[float, ...]
    metric: Metric

    def rank(self, score: float) -> int:
        """Tell the place that a new team would take, counted from 1.

        It comes after all teams with the same score: of equal scores Kaggle puts the earlier first.
        """
        sign = -1.0 if self.metric.higher_is_better else 1.0
        return 1 + bisect_right(self.scores, sign * score, key=lambda other: sign * other)


def read_board(path: str | Path, metric: Metric) -> Board:
    """Read a leaderboard as Kaggle publishes it (``Score``) or MLE-bench keeps it (``score``).

    Raises
    ------
    BundleError
        If it cannot be read, has no scores, or its first team is worse than its last.
    """
    table = read_texts(path)
    column = next((name for name in ("score", "Score") if name in table), None)
    if column is None:
        found = ", ".join(table.columns)
        raise BundleError(str(path), f"has no column 'score'; found {found}", _NEXT)
    texts = table[column].tolist()
    if not texts or not all(map(is_number, texts)):
        odd = next((repr(text) for text in texts if not is_number(text)), "no rows")
        raise BundleError(str(path), f"has scores that are no numbers: {odd}", _NEXT)
    scores = [float(text) for text in texts]
    if lead(scores[0], scores[-1], metric) < 0:
        better = "higher" if metric.higher_is_better else "lower"
        problem = f"goes from {scores[0]} to {scores[-1]}, and {better} is better in this task"
        raise BundleError(str(path), problem, "Hand over this task's leaderboard, best team first")
    return Board(str(path), tuple(sorted(scores, reverse=metric.higher_is_better)), metric)


_NEXT = "Expected a leaderboard with a row for each team and its score"


def medal_places(n_teams: int) -> tuple[int, int, int]:
    """Return the last places of gold, silver and bronze, counted from 1, by Kaggle's rules [1]_.

    References
    ----------
    .. [1] Kaggle, Progression System: competition medals, as MLE-bench applies them.

    Examples
    --------
    >>> medal_places(50), medal_places(200), medal_places(500), medal_places(2000)
    ((5, 10, 20), (10, 40, 80), (11, 50, 100), (14, 100, 200))
    """
    tenth, fifth, two_fifths = (max(1, n_teams * part // 10) for part in (1, 2, 4))
    if n_teams < 100:
        return tenth, fifth, two_fifths
    if n_teams < 250:
        return 10, fifth, two_fifths
    gold = 10 + n_teams // 500
    return (gold, 50, 100) if n_teams < 1000 else (gold, n_teams // 20, tenth)


def board_lines(board: Board) -> Lines:
    """Return the scores at the last place of each medal, and the median."""
    gold, silver, bronze = (board.scores[place - 1] for place in medal_places(len(board.scores)))
    middle = float(median(board.scores))
    return Lines(gold, silver, bronze, middle, f"the leaderboard {board.path!r}")


def conflicts(used: Lines, other: Lines) -> list[str]:
    """Say where two sources of lines disagree."""
    return [
        f"{name}: {used.source} has {line:.5f} and {other.source} {other.known()[name]:.5f}; the "
        "leaderboard's is used."
        for name, line in used.known().items()
        if name in other.known() and round(line, 5) != round(other.known()[name], 5)
    ]
