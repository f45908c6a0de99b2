"""Commands from elsewhere: each entry point in the group is one, and is imported when it is called.

An entry point reads ``serve = "package.module:function [extra]"``; the extra is what its libraries
are installed with.
"""

from collections.abc import Callable
from importlib import metadata

import typer

from solvers.cli.errors import errors_as_sentences

GROUP = "known_task_solvers.commands"


def add_commands(app: typer.Typer) -> None:
    """Add a command for each entry point; none of them is imported."""
    for entry in sorted(metadata.entry_points(group=GROUP)):
        needs = f", installed with its extra {entry.extras[0]!r}" if entry.extras else ""
        app.command(
            entry.name,
            help=f"See `solvers {entry.name} --help`{needs}.",
            add_help_option=False,
            context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        )(_calling(entry))


def _calling(entry: metadata.EntryPoint) -> Callable[[typer.Context], None]:
    def call(context: typer.Context) -> None:
        with errors_as_sentences(as_json=False):
            command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            command.command()(entry.load())
            command(context.args, prog_name=context.command_path)

    return call
