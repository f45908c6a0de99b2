"""The command ``serve``; it imports the service only when it is called."""

from typing import Annotated

import typer

from signatures import MissingDependencyError
from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import ProfileName


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="HOST",
            help="Where to listen.",
            show_default="127.0.0.1, this machine only",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="N",
            help="On which port.",
            show_default="8080",
        ),
    ] = None,
    card_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The address the card names.",
            show_default="host and port",
        ),
    ] = None,
    home: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Folder of tasks and runs.",
            show_default="agent-home",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="The one seed.", show_default="0"),
    ] = None,
    profile: Annotated[
        ProfileName | None,
        typer.Option(
            metavar="NAME",
            help="full, or quick, which is a rehearsal.",
            show_default="full",
        ),
    ] = None,
    concurrent: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Tasks at once.", show_default="2"),
    ] = None,
    ask_for_check: Annotated[
        bool | None,
        typer.Option(
            "--ask-for-check/--no-ask-for-check",
            help="Ask the evaluator to check the submission's form.",
            show_default="do not",
        ),
    ] = None,
) -> None:
    """Serve as an A2A agent: a dataset comes in, a submission goes out.

    A flag comes before its environment variable, SOLVERS_AGENT_PORT for --port
    and so on for each, which comes before the default.

    The variables set more than the flags: limits, the task store, the queue.
    """
    flags = {
        "host": host, "port": port, "card_url": card_url, "home": home, "seed": seed,
        "profile": profile and profile.value, "concurrent": concurrent,
        "ask_for_check": ask_for_check,
    }  # fmt: skip
    given = {name: value for name, value in flags.items() if value is not None}
    with errors_as_sentences(as_json=False):
        try:
            from purple_agent.server import serve, settings_from
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            if library in ("", "purple_agent", "signatures", "solvers"):
                raise
            raise MissingDependencyError(library, "agent") from error
        serve(settings_from(given))
