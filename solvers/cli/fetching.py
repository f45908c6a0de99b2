"""The command ``fetch``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.options import JsonOption
from solvers.cli.printing import print_json


def fetch(
    task: Annotated[str, typer.Argument(help="A known task, as `solvers list` names it.")],
    out: Annotated[
        Path | None,
        typer.Option(help="A new or empty folder.", show_default="the cache of Kaggle's client"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Download it anew, and replace what was fetched before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Download a known task's dataset from Kaggle; needs the extra 'kaggle' and a token."""
    with errors_as_sentences(as_json):
        from solvers import fetching

        found = fetching.fetch(task, out, force=force)
        then = f"solvers solve {shlex.quote(str(found))}"
        with done(f"The dataset is there, in {str(found)!r}."):
            if as_json:
                print_json({"task": task, "path": str(found), "next": then})
            else:
                typer.echo(f"data: {found}\nnext: {then}")
