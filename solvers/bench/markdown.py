"""A bench as Markdown: a page with all its runs, and a block with a row for each dataset.

Pure functions of what ``bench.json`` holds: the same facts give the same text.
"""

from collections.abc import Callable, Iterator, Sequence

from solvers.bench.caption import caption, origin
from solvers.bench.cells import plain, table
from solvers.bench.layout import MODELS, Columns, every_model
from solvers.bench.rows import Bench, Row
from solvers.bench.summary import summaries


def page(bench: Bench) -> str:
    """Give the page: a row for each run, and one for the mean where seeds of a dataset are several.

    What failed is told in full below, and so is every model.
    """
    several = {summary.name: summary for summary in summaries(bench) if len(summary.seeds) > 1}
    columns = Columns(bench)
    lines = []
    for position, row in enumerate(bench.rows):
        lines.append(columns.of_run(row))
        is_last = position + 1 == len(bench.rows) or bench.rows[position + 1].name != row.name
        if is_last and row.name in several:
            lines.append(columns.of_mean(several[row.name]))
    parts = ["# Bench", origin(bench), table(columns.head, lines), caption(bench, runs=True)]
    parts += list(_complaints(bench))
    if models := list(every_model(bench)):
        parts += ["## Every model", table(MODELS, models)]
    return "\n\n".join(parts) + "\n"


def block(bench: Bench) -> str:
    """Give what goes between the markers of a README: a row for each dataset, over its seeds."""
    columns = Columns(bench)
    if len(bench.asked.seeds) == 1:
        lines = [columns.of_run(row) for row in bench.rows]
    else:
        lines = [columns.of_mean(summary, seeds=True) for summary in summaries(bench)]
    told = caption(bench, runs=len(bench.asked.seeds) == 1)
    return "\n\n".join([table(columns.head, lines), f"{origin(bench)} {told}"]) + "\n"


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
