"""The columns of a bench's tables: the same for every task, however many models it has."""

from collections.abc import Iterator, Mapping

from solvers.bench.cells import listed, memory, number, plain, seconds, times
from solvers.bench.rows import Bench, OutOfFold, Row
from solvers.bench.summary import Mean, Summary, summaries
from solvers.prediction_columns import BLENDS

MODELS = ("task", "seed", "model", "score")

_Scores = Mapping[str, OutOfFold] | Mapping[str, Mean]


class Columns:
    """The columns of the short table: those of grades only where something was graded."""

    def __init__(self, bench: Bench) -> None:
        self._graded = bench.asked.answers is not None
        grades = ["graded", "medal"] if self._graded else []
        self.head = [
            *("task", "rows", "seed" if len(bench.asked.seeds) == 1 else "seeds", "metric"),
            *("best single model", *BLENDS, "used", *grades),
            *("fits, CPU", "wall", "peak memory", "verdict"),
        ]

    def of_run(self, row: Row) -> list[str]:
        """Lay out one run."""
        result = row.result
        verdict = _verdict(row)
        if result is None:
            blanks = ["-"] * (len(self.head) - 4)
            return [plain(row.name), "-", str(row.seed), *blanks, verdict]
        wall = seconds(result.seconds)
        peak = memory(result.peak_mb)
        if result.sittings > 1:  # what the earlier sittings took is not recorded
            wall, peak = (f"{cell} (sitting {result.sittings})" for cell in (wall, peak))
        return [
            plain(row.name), _rows(result.n_train), str(row.seed),
            _metric(result.metric, result.higher_is_better),
            *_scores(result.models, result.higher_is_better, result.used), plain(result.used),
            *self._grade_of_run(row), seconds(result.cpu_seconds), wall, peak, verdict,
        ]  # fmt: skip

    def _grade_of_run(self, row: Row) -> list[str]:
        if not self._graded:
            return []
        if row.graded is None:
            return ["-", "-"]
        score = "invalid" if row.graded.score is None else number(row.graded.score)
        return [score, plain(row.graded.medal or "-")]

    def of_mean(self, summary: Summary, *, seeds: bool = False) -> list[str]:
        """Lay out the mean of a dataset's runs; with `seeds`, name these instead of the number."""
        n = len(summary.seeds)
        always = next((name for name in summary.used if summary.used == {name: n}), None)
        grade = [
            number(summary.graded.mean, summary.graded.sem) if summary.graded else "-",
            times(summary.medals, n),
        ]
        return [
            plain(summary.name), _rows(summary.n_train),
            listed(summary.seeds) if seeds else f"mean of {n}",
            _metric(summary.metric, summary.higher_is_better),
            *_scores(summary.models, summary.higher_is_better, always), times(summary.used, n),
            *(grade if self._graded else []), seconds(summary.cpu_seconds),
            seconds(summary.seconds), memory(summary.peak_mb), times(summary.verdicts, n),
        ]  # fmt: skip


def every_model(bench: Bench) -> Iterator[list[str]]:
    """Lay out the long table: a row for each model and blend of each dataset.

    It is a mean over the seeds, or where one seed finished what its run says.
    """
    for summary in summaries(bench):
        results = [row.result for row in bench.rows if row.name == summary.name and row.result]
        n = len(results)
        models = results[0].models if n == 1 else summary.models
        seed = f"mean of {n}" if n > 1 else listed(summary.seeds)
        for name in models:
            yield [plain(summary.name), seed, plain(name), _score(models, name)]


def _scores(models: _Scores, higher_is_better: bool | None, used: str | None) -> Iterator[str]:
    """Give the best base model, by its score, then the blends; in bold what was handed in."""
    sign = 1 if higher_is_better else -1
    bases = [name for name in models if name not in BLENDS]
    best = max(bases, key=lambda name: sign * models[name].mean, default=None)
    yield "-" if best is None else f"{plain(best)} {_score(models, best)}"
    for name in BLENDS:
        cell = _score(models, name) if name in models else "-"
        yield f"**{cell}**" if name == used else cell


def _score(models: _Scores, name: str) -> str:
    return number(models[name].mean, models[name].sem)


def _rows(n_train: int | None) -> str:
    return "-" if n_train is None else f"{n_train:,}"


def _metric(name: str | None, higher_is_better: bool | None) -> str:
    return "-" if name is None else f"{plain(name)} {'↑' if higher_is_better else '↓'}"


def _verdict(row: Row) -> str:
    if row.error is not None:
        return f"failed, exit code {row.error.exit_code}: {plain(row.error.in_few_words)}"
    if row.unverified is not None:
        return f"not verified, exit code {row.unverified.exit_code}"
    return plain(row.verdict or "-")
