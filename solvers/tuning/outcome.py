"""What came of tuning a task."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from solvers.tuning.study import Trial
from solvers.tuning.verdict import Verdict


@dataclass(frozen=True)
class Found:
    """What one study found: the score of what the model declares, and its best trial."""

    model: str
    declared: float
    best: Trial


@dataclass(frozen=True)
class Tuned:
    """What came of tuning a task.

    Attributes
    ----------
    folder : Path
        Where the studies are kept.
    written : Path, optional
        The file of parameters, where they were adopted.
    """

    task: str
    seed: int
    trials: int
    profile: str
    metric: str
    found: tuple[Found, ...]
    verdict: Verdict
    folder: Path
    written: Path | None

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON values; but for the two paths it is the same wherever it was made."""
        paths = {"folder": str(self.folder), "written": self.written and str(self.written)}
        return {**asdict(self), "verdict": self.verdict.to_dict(), **paths}
