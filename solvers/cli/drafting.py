"""The command ``new``."""

import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from signatures.checks import METRICS
from signatures.wording import counted
from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.options import JsonOption, PathArgument
from solvers.cli.printing import print_json

if TYPE_CHECKING:
    from solvers.draft.drafting import Draft


def _scored(metric: str | None) -> str | None:
    """Refuse a metric that nothing here is scored by."""
    if metric is not None and metric not in METRICS:
        message = f"no metric {metric!r}, expected one of {', '.join(METRICS)}"
        raise typer.BadParameter(message)
    return metric


def new(
    slug: Annotated[
        str, typer.Argument(metavar="SLUG", help="What to call the task, such as garden-beds.")
    ],
    path: PathArgument,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="What is predicted; may be given more than once."),
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="What names a row.")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(callback=_scored, metavar="NAME", help=f"One of {', '.join(METRICS)}."),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            metavar="DIR",
            help="A folder of your own.",
            show_default="that of KNOWN_TASKS_PATH, or the checkout",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Start a known task from a dataset: signature, solver and test.

    They are a first draft. What is not said is told from the data; nothing is written over.
    """
    with errors_as_sentences(as_json):
        from solvers.draft.drafting import draft

        drafted = draft(
            slug, path, into=into, id=id_column, targets=tuple(target or ()), metric=metric
        )
        with done(f"The draft is written: {', '.join(map(str, drafted.files))}."):
            _print(drafted, path, as_json)


def _print(drafted: "Draft", data: Path, as_json: bool) -> None:
    """Say what was told from the data, what was written, and what to do next."""
    understood, commands = drafted.understood, _next(drafted, data)
    if as_json:
        question = understood.question
        print_json(
            {
                "slug": drafted.slug,
                "files": [str(path) for path in drafted.files],
                "id": understood.id,
                "target": list(understood.targets),
                "labels": list(understood.labels),
                "metric": vars(question.metric),
                "key": list(understood.key),
                "columns": {column.name: column.group for column in understood.columns},
                "left_out": list(understood.left_out),
                "notes": list(understood.notes),
                "next": commands,
            }
        )
        return
    groups = Counter(c.group for c in understood.columns if c.group != "names")
    held = ", ".join(f"{_GROUPS[group]} in {counted(n, 'column')}" for group, n in groups.items())
    lines = [
        f"{drafted.slug}: a first draft; it takes the data, and nothing was fitted yet",
        *(f"- {note}" for note in understood.notes),
        f"- known by: {', '.join(understood.key)}",
        f"- contract: {held}",
    ]
    if understood.left_out:
        lines.append(f"- left out, for they hold one value: {', '.join(understood.left_out)}")
    lines += ["wrote:", *(f"    {path}" for path in drafted.files), "next:"]
    lines += [f"    {command}" for command in commands]
    typer.echo("\n".join([*lines, _ADVICE, *([] if drafted.places.own else [_FOURTH])]))


_GROUPS = {
    "numbers": "numbers",
    "loose": "numbers as people write them",
    "flags": "yes or no",
    "categories": "categories",
    "codes": "codes of many values",
    "dates": "dates",
    "texts": "texts",
}
_ADVICE = (
    "Then read the three files: `source` in the signature, and in the solver what you know and\n"
    "the data do not say. CONTRIBUTING.md tells what else a solver may declare."
)
_FOURTH = "The fourth file is CHANGELOG.md: a line under Added."


def _next(drafted: "Draft", data: Path) -> list[str]:
    """Name the commands that try the draft."""
    places = drafted.places
    solve = f"solvers solve {shlex.quote(str(data))} --profile quick"
    if not places.own:
        return [solve, f"make task NAME={drafted.slug}"]
    folder = shlex.quote(str(places.root.resolve()))
    return [
        f"export KNOWN_TASKS_PATH={folder}",
        solve,
        f"python -m pytest {shlex.quote(str(places.test))}",
    ]
