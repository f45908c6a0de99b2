"""The command ``config``."""

import typer
from rich.console import Console
from rich.table import Table

from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import (
    JobsOption,
    JsonOption,
    ProfileName,
    ProfileOption,
    ReportOption,
    SeedOption,
    VerboseOption,
    variable,
)
from solvers.cli.printing import print_json
from solvers.cli.settings import own_file, settings_file


def config(
    context: typer.Context,
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.full,
    jobs: JobsOption = None,
    report: ReportOption = True,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show the settings in force, and where each comes from.

    A flag comes before an environment variable (SOLVERS_SEED), that before a
    TOML file (the one that SOLVERS_CONFIG names, or the user's own), and that
    before the default.
    """
    with errors_as_sentences(as_json):
        given = {
            "seed": seed, "profile": profile.value, "jobs": jobs, "report": report,
            "verbose": verbose,
        }  # fmt: skip
        shown = {
            name: {"value": value, "from": _source(context, name)} for name, value in given.items()
        }
        path = settings_file()
        if as_json:
            print_json({"file": None if path is None else str(path), "settings": shown})
            return
        table = Table("setting", "value", "from")
        for name, fact in shown.items():
            value = "usable CPUs" if fact["value"] is None else str(fact["value"])
            table.add_row(name, value, str(fact["from"]))
        Console().print(table)
        typer.echo(f"file: {path or f'none (it would be {own_file()})'}")


def _source(context: typer.Context, name: str) -> str:
    """Name where a value comes from, as people know it."""
    source = context.get_parameter_source(name)
    kinds = {
        "COMMANDLINE": "flag",
        "ENVIRONMENT": f"environment, {variable(name)}",
        "DEFAULT_MAP": f"file {settings_file()}",
    }
    return kinds.get(source.name if source is not None else "", "default")
