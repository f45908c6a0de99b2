"""The application: its commands, in the order in which they are shown."""

from importlib import metadata
from typing import Annotated

import typer

from solvers.cli import (
    benching,
    config,
    drafting,
    fetching,
    grading,
    plugins,
    reporting,
    runs,
    settings,
    solving,
    tasks,
    tuning,
)
from solvers.cli.errors import errors_as_sentences
from solvers.cli.settings_command import SettingsCommand

app = typer.Typer(
    name="solvers",
    help="Recognise a known task from its columns and solve it, the same way every time.",
    epilog=(
        "Exit codes: 0 done, 1 failed, 2 usage, 3 unknown task, 4 data rejected, "
        "5 verify found a difference."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

app.command("list")(tasks.list_tasks)
app.command()(tasks.match)
app.command()(tasks.show)
app.command()(fetching.fetch)
app.command(cls=SettingsCommand)(solving.solve)
app.command(cls=SettingsCommand)(solving.demo)
app.command()(runs.runs)
app.command(cls=SettingsCommand)(runs.verify)
app.command()(reporting.report)
app.command()(grading.grade)
app.command(cls=SettingsCommand)(benching.bench)
app.command(cls=SettingsCommand)(tuning.tune)
app.command()(drafting.new)
app.command(cls=SettingsCommand)(config.config)
plugins.add_commands(app)


@app.callback(invoke_without_command=True)
def _begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(metadata.version("known-task-solvers"))
        raise typer.Exit
    with errors_as_sentences(as_json=False):
        context.default_map = settings.as_defaults(context.command, settings.read_settings())
