"""The verdict on a run that was done again, and what it rests on."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from solvers.comparison import Comparison, compare
from solvers.factors import Factor, differing, edited_since
from solvers.run_record import RunRecord, read_record

Verdict = Literal["same bytes", "same labels", "different"]


@dataclass(frozen=True)
class Verification:
    """A verdict, and what it rests on.

    Attributes
    ----------
    verdict : {"same bytes", "same labels", "different"}
        Same labels: each label is the same, or each number to a millionth.
    reason : str
        The verdict in a sentence.
    rows, differing : int, optional
        Rows of the submission, and how many of them differ; None where nothing was done again.
    first_ids : tuple of str
        The ids of the first rows that differ.
    largest_difference : float, optional
        Between predictions, in probability or the target's unit.
    factors : tuple of Factor
        What was recorded and is another now. Where nothing differs they had no effect.
    checked : str
        When, in UTC.
    seconds : float
        How long it took.
    code_sha256 : str
        Digest of the code that did it again; empty where nothing was.
    note : str
        Anything else to be said, such as that the run's folder cannot be written to.
    """

    verdict: Verdict
    reason: str
    rows: int | None
    differing: int | None
    first_ids: tuple[str, ...]
    largest_difference: float | None
    factors: tuple[Factor, ...]
    checked: str
    seconds: float
    code_sha256: str
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as JSON values."""
        return asdict(self) | {"first_ids": list(self.first_ids)}


def judge(started: datetime, run: Path, recorded: RunRecord, new: Path) -> Verification:
    """Compare the outputs, which are read only now, and name what else differs."""
    now = read_record(new)
    outputs = compare(run, recorded, new, now)
    # Causes before what they led to.
    factors = [
        *edited_since(run, recorded), *differing(recorded, now),
        *outputs.edited, *outputs.gone, *outputs.scores,
    ]  # fmt: skip
    word, reason = _word(outputs)
    return verdict(started, word, reason, factors, outputs, now.environment.code.sha256)


def _word(outputs: Comparison) -> tuple[Verdict, str]:
    """Find the verdict and its reason."""
    n = f"{outputs.rows:,}"
    if outputs.differing is None:
        return "different", "the recorded submission was edited or is gone, and another came out"
    if outputs.differing:
        return "different", f"{outputs.differing:,} of {n} rows differ"
    if outputs.edited or outputs.scores:
        names = ", ".join(factor.name for factor in (*outputs.edited, *outputs.scores))
        return "different", f"all {n} rows come out as recorded, but not all of the run is: {names}"
    if outputs.same_bytes:
        told = ", by the recorded digests" if outputs.gone else ""
        return "same bytes", f"submission and predictions are identical{told}, {n} rows"
    gap = outputs.largest_difference
    most = "" if gap is None else f" by at most {gap:.3g}"
    return "same labels", f"all {n} rows say the same; predictions differ{most}"


def verdict(
    started: datetime,
    verdict: Verdict,
    reason: str,
    factors: list[Factor],
    outputs: Comparison | None = None,
    code_sha256: str = "",
) -> Verification:
    """Put a verdict together; `outputs` is None where nothing was done again."""
    now = datetime.now(UTC)
    return Verification(
        verdict=verdict,
        reason=reason,
        rows=outputs.rows if outputs else None,
        differing=outputs.differing if outputs else None,
        first_ids=outputs.first_ids if outputs else (),
        largest_difference=outputs.largest_difference if outputs else None,
        factors=tuple(factors),
        checked=now.isoformat(timespec="seconds"),
        seconds=round((now - started).total_seconds(), 3),
        code_sha256=code_sha256,
    )
