"""The sentences around a bench's table: where it comes from, and what its numbers mean."""

from collections.abc import Iterator

from signatures.wording import counted
from solvers.bench.cells import code, listed, plain
from solvers.bench.rows import Bench, Result


def origin(bench: Bench) -> str:
    """Say by which command, when, with which code and on what machine it was made."""
    results = [row.result for row in bench.rows if row.result is not None]
    parts = [f"{code(bench.asked.command())}"]
    if results:
        cpus = counted(bench.cpus, "CPU")
        parts += [
            _days(results),
            plain(listed(result.code for result in results)),
            f"Python {plain(listed(result.python for result in results))}",
            f"{plain(listed(result.cpu for result in results))}, {cpus}",
            f"fits in {listed(sorted({result.jobs for result in results}))} at a time",
        ]
    so_far = "" if bench.done else f" So far {len(bench.rows)} of {bench.work.runs} runs."
    return f"{'; '.join(parts)}.{so_far}"


def _days(results: list[Result]) -> str:
    """Give the day, or the first and the last, on which runs finished; UTC, as they record it."""
    days = sorted({result.finished[:10] for result in results})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def caption(bench: Bench, *, runs: bool) -> str:
    """Say what the table's numbers mean, and above all its errors.

    Parameters
    ----------
    runs : bool
        Whether there are rows of single runs.
    """
    return " ".join(_sentences(bench, runs))


def _sentences(bench: Bench, runs: bool) -> Iterator[str]:
    protocols = listed(row.result.protocol for row in bench.rows if row.result is not None)
    if protocols:
        yield f"How models, average and stack were scored: {plain(protocols)}."
    yield "↑: higher is better, ↓: lower is better. In bold is the blend that was submitted."
    yield (
        "The best single model is best by the very score beside it, which flatters it a little; "
        "the scores of all models are in bench.json and bench.md."
    )
    if runs:
        yield (
            "In the row of a run, ± is the standard error over the fold seeds of that run; there "
            "is none where it has a single fold seed."
        )
    if len(bench.asked.seeds) > 1:
        yield f"{'In the row of a mean' if runs else 'Each row is a mean over its seeds, and'} " + (
            "± is the standard error of that mean over the seeds, sd/√n; there is none where a "
            "single seed finished."
        )
    yield "No ± holds the error that comes from which rows happen to be in the data."
    if bench.asked.answers is not None:
        yield (
            "Graded is the score of a submission against the answers, one number a run; the medal "
            "is by the lines of the task, and - where it has none."
        )
    yield from _about_costs(bench)


def _about_costs(bench: Bench) -> Iterator[str]:
    yield (
        "Times and memory are those that the runs recorded: CPU is the sum over all fits, memory "
        "that of all processes together."
    )
    if len(bench.asked.seeds) > 1:
        yield "In means over seeds, times are means too, and memory is the largest."
    if any(row.result is not None and row.result.sittings > 1 for row in bench.rows):
        yield (
            "Of a run that was stopped and went on, wall time and memory are of its last sitting "
            "and part of no mean."
        )
    if bench.asked.verify:
        yield "The verdict is that of doing the run a second time in a new process."
