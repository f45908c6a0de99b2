"""Options and arguments that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ProfileName(StrEnum):
    """The names of the profiles, as choices."""

    full = "full"
    quick = "quick"


PathArgument = Annotated[
    Path, typer.Argument(exists=True, help="A folder, .tar.gz or .zip with train and test.")
]
RunArgument = Annotated[Path, typer.Argument(help="The folder of a run.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The one seed.")]
JobsOption = Annotated[
    int | None, typer.Option(min=1, help="Processes to fit in.  [default: usable CPUs]")
]
ProfileOption = Annotated[ProfileName, typer.Option(help="quick is a rehearsal.")]
ReportOption = Annotated[
    bool, typer.Option("--report/--no-report", help="Write report.html beside the submission.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
