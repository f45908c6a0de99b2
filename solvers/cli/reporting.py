"""The command ``report``."""

from pathlib import Path
from typing import Annotated

import typer

from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.options import JsonOption, RunArgument
from solvers.cli.printing import print_json


def report(
    run: RunArgument,
    out: Annotated[
        Path | None, typer.Option(help="The file to write.", show_default="report.html in the run")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write one HTML file that tells what a run solved and how it did."""
    with errors_as_sentences(as_json):
        from solvers.report import write_report

        written = write_report(run, out)
        with done(f"The report is written, to {str(written)!r}."):
            _print(run, written, as_json)


def _print(run: Path, written: Path, as_json: bool) -> None:
    if as_json:
        print_json({"run": str(run), "report": str(written)})
    else:
        typer.echo(f"report: {written}")
