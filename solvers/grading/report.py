"""A grade, and how MLE-bench would write it down."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signatures import Metric
from solvers.grading.medals import MEDALS, PLACES, Lines


@dataclass(frozen=True)
class Grade:
    """What a submission is worth.

    Attributes
    ----------
    task : str
        The slug of the task.
    metric : Metric
        What it was judged by.
    score : float or None
        In the metric's unit, rounded to five decimals; None if the submission is invalid.
    lines : Lines
        The medal lines, and whose they are.
    rank, n_teams : int or None
        The place that it would take, and the teams on the leaderboard before it joined; None
        without a leaderboard.
    failures : tuple of str
        A sentence for each thing that makes it invalid.
    notes : tuple of str
        Sentences about what is valid and may not be meant.
    submission : str
        Its path, as it was given.
    submission_exists : bool
        Whether there is such a csv file.
    created_at : datetime
        When it was graded, in UTC.
    """

    task: str
    metric: Metric
    score: float | None
    lines: Lines
    rank: int | None
    n_teams: int | None
    failures: tuple[str, ...]
    notes: tuple[str, ...]
    submission: str
    submission_exists: bool
    created_at: datetime

    @property
    def valid(self) -> bool:
        """Whether it could be scored."""
        return self.score is not None

    @property
    def medal(self) -> str | None:
        """The medal that it would be: ``"gold"``, ``"silver"``, ``"bronze"`` or None."""
        return self.lines.medal(self.score, self.metric)

    def competition_report(self) -> dict[str, Any]:
        """Return what MLE-bench's report says of one competition, under the same keys.

        A line that is not known is None; MLE-bench has no competition without lines.
        """
        return {
            "competition_id": self.task,
            "score": self.score,
            **{f"{name}_threshold": getattr(self.lines, name) for name in PLACES},
            "any_medal": self.medal is not None,
            **{f"{name}_medal": self.medal == name for name in MEDALS},
            "above_median": self.lines.above_median(self.score, self.metric),
            "submission_exists": self.submission_exists,
            "valid_submission": self.valid,
            "is_lower_better": not self.metric.higher_is_better,
            "created_at": self.created_at.isoformat(),
            "submission_path": self.submission,
        }

    def grading_report(self) -> dict[str, Any]:
        """Return a report of MLE-bench's with this one run in it."""
        one = self.competition_report()
        return {
            "total_runs": 1,
            "total_runs_with_submissions": int(one["submission_exists"]),
            "total_valid_submissions": int(one["valid_submission"]),
            "total_medals": int(one["any_medal"]),
            **{f"total_{name}_medals": int(one[f"{name}_medal"]) for name in MEDALS},
            "total_above_median": int(one["above_median"]),
            "competition_reports": [one],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the competition report, and after it what MLE-bench does not tell."""
        return {
            **self.competition_report(),
            "metric": self.metric.name,
            "medal": self.medal,
            "lines_source": self.lines.source or None,
            "rank": self.rank,
            "n_teams": self.n_teams,
            "failures": list(self.failures),
            "notes": list(self.notes),
        }
