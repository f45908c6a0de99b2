"""The commands that look after runs: ``runs`` and ``verify``."""

from pathlib import Path
from typing import Annotated

import typer

from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.options import JobsOption, JsonOption, RunArgument
from solvers.cli.printing import print_json, print_runs, print_verification

DIFFERENCE_FOUND = 5


FolderArgument = Annotated[
    Path | None,
    typer.Argument(
        exists=True, file_okay=False, metavar="FOLDER", help="Where to look.", show_default="runs"
    ),
]


def runs(folder: FolderArgument = None, as_json: JsonOption = False) -> None:
    """List the runs that lie in a folder: task, score, verdict, age."""
    with errors_as_sentences(as_json):
        from solvers.runs import describe_run, find_runs

        place = folder or Path("runs")
        found = [describe_run(run) for run in find_runs(place)]
        if as_json:
            print_json({"runs": found})
        elif found:
            print_runs(found)
        else:
            typer.echo(f"There are no runs under {str(place)!r}.")


def verify(
    run: RunArgument,
    data: Annotated[
        Path | None,
        typer.Option(exists=True, help="Where the data are now.", show_default="where they were"),
    ] = None,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where to keep the second run.", show_default="it is deleted"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Do a run again in a fresh process and compare: same bytes, same labels, or different."""
    with errors_as_sentences(as_json):
        from solvers import verification

        result = verification.verify(run, data=data, jobs=jobs, out=out, progress=True)
        with done(f"The verdict is {result.verdict!r}; it is added to the run."):
            if as_json:
                print_json(result.to_dict())
            else:
                print_verification(result)
        if result.note:
            typer.echo(f"solvers: {result.note}", err=True)
    if result.verdict == "different":
        raise typer.Exit(DIFFERENCE_FOUND)
