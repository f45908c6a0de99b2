"""Whether what a study found is taken over: told on folds that it did not see."""

from dataclasses import asdict, dataclass
from typing import Any

from signatures import Metric
from signatures.wording import counted
from solvers.profiles import Profile
from solvers.tuning.evaluation import Comparison

SAME = "The parameters found are those in use, so nothing changes."


@dataclass(frozen=True)
class Verdict:
    """Whether the parameters found are adopted, and why; no comparison where nothing is new."""

    adopted: bool
    reason: str
    comparison: Comparison | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON values."""
        return {"adopted": self.adopted, "reason": self.reason} | (
            {} if self.comparison is None else asdict(self.comparison)
        )


def judge(compared: Comparison, metric: Metric, profile: Profile) -> Verdict:
    """Adopt what gains more than noise, by the rule that also chooses between blends.

    The rows are those that the study fitted to. So the error counts what differs from fold to fold
    as if rows were drawn anew, not from seed to seed alone, which would be too sure.
    """
    seeds = counted(len(compared.after.per_seed), "fold seed")
    found = (
        f"On {seeds} that the study did not see, the parameters found are "
        f"{compared.gain.over('those in use', metric)}: "
    )
    if profile.work < 1:
        told = f"the profile {profile.name!r} is a rehearsal, so those in use stay."
        return Verdict(False, found + told, compared)
    if compared.gain.is_more_than_noise:
        told = "a gain of more than two errors, so they are adopted."
        return Verdict(True, found + told, compared)
    return Verdict(
        False, found + "no gain of more than two errors, so those in use stay.", compared
    )
