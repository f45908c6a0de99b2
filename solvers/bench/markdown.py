"""A bench as Markdown: a page with all its runs, and a block with a row for each dataset.

Pure functions of what ``bench.json`` holds: the same facts give the same text.
"""

from collections.abc import Callable, Iterator, Sequence

from solvers.bench.caption import caption, origin
from solvers.bench.cells import listed, memory, number, plain, seconds, table, times
from solvers.bench.rows import Bench, Row
from solvers.bench.summary import Summary, summaries
from solvers.scores import AVERAGE, STACK

_BLENDS = (AVERAGE, STACK)


def page(bench: Bench) -> str:
    """Give the page: a row for each run, and one for the mean where seeds of a dataset are several.

    What failed is told in full below.
    """
    several = {summary.name: summary for summary in summaries(bench) if len(summary.seeds) > 1}
    columns = _Columns(bench)
    lines = []
    for position, row in enumerate(bench.rows):
        lines.append(columns.of_run(row))
        is_last = position + 1 == len(bench.rows) or bench.rows[position + 1].name != row.name
        if is_last and row.name in several:
            lines.append(columns.of_mean(several[row.name]))
    parts = ["# Bench", origin(bench), table(columns.head, lines), caption(bench, runs=True)]
    parts += list(_complaints(bench))
    return "\n\n".join(parts) + "\n"


def block(bench: Bench) -> str:
    """Give what goes between the markers of a README: a row for each dataset, over its seeds."""
    columns = _Columns(bench)
    if len(bench.asked.seeds) == 1:
        lines = [columns.of_run(row) for row in bench.rows]
    else:
        lines = [columns.of_mean(summary, seeds=True) for summary in summaries(bench)]
    told = caption(bench, runs=len(bench.asked.seeds) == 1)
    return "\n\n".join([table(columns.head, lines), f"{origin(bench)} {told}"]) + "\n"


class _Columns:
    """The columns that a bench needs: those of grades only where something was graded."""

    def __init__(self, bench: Bench) -> None:
        results = [row.result for row in bench.rows if row.result is not None]
        names = dict.fromkeys(name for result in results for name in result.models)
        bases = [name for name in names if name not in _BLENDS]
        self._models = [*bases, *(name for name in _BLENDS if name in names)]
        self._graded = bench.asked.answers is not None
        grades = ["graded", "medal"] if self._graded else []
        self.head = [
            *("task", "rows", "seed" if len(bench.asked.seeds) == 1 else "seeds", "metric"),
            *map(plain, self._models), "used", *grades,
            *("fits, CPU", "wall", "peak memory", "verdict"),
        ]  # fmt: skip

    def of_run(self, row: Row) -> list[str]:
        """Lay out one run."""
        result = row.result
        verdict = _verdict(row)
        if result is None:
            blanks = ["-"] * (len(self.head) - 4)
            return [plain(row.name), "-", str(row.seed), *blanks, verdict]
        scores = []
        for name in self._models:
            score = result.models.get(name)
            cell = number(score.mean, score.sem) if score else "-"
            scores.append(f"**{cell}**" if name == result.used else cell)
        wall = seconds(result.seconds)
        peak = memory(result.peak_mb)
        if result.sittings > 1:  # what the earlier sittings took is not recorded
            wall, peak = (f"{cell} (sitting {result.sittings})" for cell in (wall, peak))
        return [
            plain(row.name), _rows(result.n_train), str(row.seed),
            _metric(result.metric, result.higher_is_better), *scores, plain(result.used),
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
        means = []
        for name in self._models:
            mean = summary.models.get(name)
            cell = number(mean.mean, mean.sem) if mean else "-"
            means.append(f"**{cell}**" if summary.used == {name: n} else cell)
        grade = [
            number(summary.graded.mean, summary.graded.sem) if summary.graded else "-",
            times(summary.medals, n),
        ]
        return [
            plain(summary.name), _rows(summary.n_train),
            listed(summary.seeds) if seeds else f"mean of {n}",
            _metric(summary.metric, summary.higher_is_better), *means, times(summary.used, n),
            *(grade if self._graded else []), seconds(summary.cpu_seconds),
            seconds(summary.seconds), memory(summary.peak_mb), times(summary.verdicts, n),
        ]  # fmt: skip


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


def _complaints(bench: Bench) -> Iterator[str]:
    """List what failed, and what was passed over, in full sentences."""
    told: Sequence[tuple[str, Callable[[Row], str | None]]] = (
        ("Runs that failed:", lambda row: row.error.message if row.error else None),
        ("Not verified:", lambda row: row.unverified.message if row.unverified else None),
        ("Not graded:", lambda row: " ".join(row.graded.failures) if row.graded else None),
    )
    for title, of_row in told:
        lines = [
            f"- {plain(row.run)}: {plain(text)}" for row in bench.rows if (text := of_row(row))
        ]
        if lines:
            yield "\n".join([title, "", *lines])
    if bench.passed_over:
        lines = [f"- {plain(folder.path)} {plain(folder.reason)}" for folder in bench.passed_over]
        yield "\n".join(["Passed over:", "", *lines])
