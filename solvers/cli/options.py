"""Options and arguments that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from signatures import REGISTRY


class ProfileName(StrEnum):
    """The names of the profiles, as choices."""

    full = "full"
    quick = "quick"


class FallbackName(StrEnum):
    """The names of the fallbacks, as choices."""

    none = "none"
    baseline = "baseline"
    agent = "agent"


def variable(name: str) -> str:
    """Name the environment variable of a setting."""
    return f"SOLVERS_{name.upper()}"


def known(task: str | None) -> str | None:
    """Refuse a task that nobody knows: what is typed wrong is usage."""
    from solvers.cli.errors import errors_as_sentences  # which needs the settings, and they these

    with errors_as_sentences(False):  # a signature of the user's own may be broken
        unknown = task is not None and task not in REGISTRY
    if unknown:
        message = f"no known task {task!r}, expected one of {', '.join(REGISTRY)}"
        raise typer.BadParameter(message)
    return task


PathArgument = Annotated[
    Path,
    typer.Argument(
        exists=True, metavar="PATH", help="A folder, .tar.gz or .zip with train and test."
    ),
]
TaskArgument = Annotated[str, typer.Argument(callback=known, metavar="TASK", help="A known task.")]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
SeedOption = Annotated[
    int, typer.Option(min=0, metavar="N", envvar=variable("seed"), help="The one seed.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        envvar=variable("jobs"),
        help="Processes to fit in.",
        show_default="usable CPUs",
    ),
]
ProfileOption = Annotated[
    ProfileName,
    typer.Option(
        metavar="NAME", envvar=variable("profile"), help="full, or quick, which is a rehearsal."
    ),
]
ReportOption = Annotated[
    bool,
    typer.Option(
        "--report/--no-report",
        envvar=variable("report"),
        help="Write report.html beside the submission.",
    ),
]
VerboseOption = Annotated[
    bool,
    typer.Option("--verbose", envvar=variable("verbose"), help="Show each fit, and tracebacks."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
