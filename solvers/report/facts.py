"""What was solved and how it did, in words and rows of tables."""

from collections.abc import Iterable
from dataclasses import dataclass

from solvers.record_types import Fit, RunRecord, Scores
from solvers.report.diagnostics import Predicted
from solvers.report.wording import TIMES, decimals, megabytes, moment, number, score_text, seconds


@dataclass(frozen=True)
class ScoreRow:
    """A model's line in the table of scores."""

    name: str
    text: str
    per_seed: list[str]
    used: bool


@dataclass(frozen=True)
class FitRow:
    """What the fits of one model took."""

    model: str
    fits: int
    rounds: str
    cpu: str
    each: str
    repeated: int
    kept: int


def headline(record: RunRecord) -> str:
    """Say what was solved and how it did, in a few words."""
    task = record.task or "Unknown task"
    if record.scores is None:
        route = {"agent": "answered by the fallback agent", "baseline": "answered by a constant"}
        return f"{task}: {route.get(record.route, 'solved')}"
    return f"{task}: {record.scores.metric} {used_score(record.scores)}"


def used_score(scores: Scores) -> str:
    """Write the used blend's score."""
    return score_text(scores.models[scores.used], decimals(scores.models.values()))


def score_rows(scores: Scores) -> list[ScoreRow]:
    """Write every score to the same number of decimals."""
    places = decimals(scores.models.values())
    return [
        ScoreRow(
            name,
            score_text(score, places),
            [f"{value:,.{places}f}" for value in score.per_seed],
            name == scores.used,
        )
        for name, score in scores.models.items()
    ]


def key_facts(record: RunRecord, predicted: Predicted | None) -> list[tuple[str, str]]:
    """List the run's sizes: what a reader asks first."""
    facts = []
    if predicted is not None:
        facts += [("train rows", f"{predicted.n_rows:,}"), ("test rows", f"{predicted.n_test:,}")]
    if record.features is not None:
        facts.append(("features", f"{len(record.features):,}"))
    if record.fits is not None:
        facts.append(("fits", f"{len(record.fits):,}"))
    profile = record.settings.profile
    if record.scores is not None:
        facts.append((f"fold seeds {TIMES} folds", f"{profile.fold_seeds} {TIMES} {profile.folds}"))
    return [
        *facts,
        ("profile", profile.name),
        ("seed", str(record.seed)),
        ("wall time", seconds(record.seconds)),
        ("peak memory", megabytes(record.peak_mb)),
        ("finished", moment(record.finished)),
    ]


def caution(record: RunRecord, predicted: Predicted | None) -> str:
    """Say what the score and its error are not."""
    if record.scores is None or predicted is None:
        return ""
    used = record.scores.models[record.scores.used]
    said = ["± is the standard error over fold seeds only."] if used.sem is not None else []
    if record.scores.metric == "accuracy":
        error = (max(used.mean * (1 - used.mean), 0.0) / predicted.n_rows) ** 0.5
        rows = f"{predicted.n_rows:,} rows carry a sampling error of {number(error, 2)}"
    else:
        rows = "Another sample of rows would move the score"
    return " ".join([*said, f"{rows}{' besides' if said else ''}. This is no leaderboard score."])


def fit_rows(fits: Iterable[Fit]) -> list[FitRow]:
    """Sum the fits of each model."""
    by_model: dict[str, list[Fit]] = {}
    for fit in fits:
        by_model.setdefault(fit.model, []).append(fit)
    return [
        FitRow(
            model=model,
            fits=len(own),
            rounds=_span([fit.rounds for fit in own if fit.rounds is not None]),
            cpu=seconds(sum(fit.cpu_seconds for fit in own)),
            each=f"{sum(fit.cpu_seconds for fit in own) / len(own):.2f} s",
            repeated=sum(fit.attempts > 1 for fit in own),
            kept=sum(fit.kept for fit in own),
        )
        for model, own in by_model.items()
    ]


def _span(values: list[int]) -> str:
    if not values:
        return "-"
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
