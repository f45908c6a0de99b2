"""Commands and fallbacks from elsewhere: each is an entry point, imported when it is called.

An entry point reads ``serve = "package.module:function [extra]"``; the extra is what its libraries
are installed with.
"""

import ast
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import typer

from signatures import MissingDependencyError
from signatures.sources import spec_of
from solvers.cli.errors import errors_as_sentences

GROUP = "known_task_solvers.commands"
FALLBACKS = "known_task_solvers.fallbacks"


def add_commands(app: typer.Typer) -> None:
    """Add a command for each entry point; none of them is imported."""
    for entry in sorted(metadata.entry_points(group=GROUP)):
        needs = f", installed with its extra {entry.extras[0]!r}" if entry.extras else ""
        app.command(
            entry.name,
            help=f"{_summary(entry)}\n\nSee `solvers {entry.name} --help`{needs}.",
            add_help_option=False,
            context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        )(_calling(entry))


def _summary(entry: metadata.EntryPoint) -> str:
    """Read the first line of what a command says of itself, without importing it."""
    spec = spec_of(entry.module)
    # What is wrong with a package is told when it is called, and stops no other command.
    with suppress(OSError, SyntaxError, ValueError):
        source = Path(spec.origin or "").read_bytes() if spec is not None else b""
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.name == entry.attr:
                return (ast.get_docstring(node) or "").partition("\n")[0]
    return "A command of another package."


def _calling(entry: metadata.EntryPoint) -> Callable[[typer.Context], None]:
    def call(context: typer.Context) -> None:
        with errors_as_sentences(as_json=False):
            command = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            command.command()(entry.load())
            command(context.args, prog_name=context.command_path)

    return call


def fallback(name: str) -> Callable[..., Any]:
    """Import a fallback.

    Raises
    ------
    MissingDependencyError
        If it, or a library that it needs, is not installed.
    """
    found = metadata.entry_points(group=FALLBACKS, name=name)
    if not found:
        raise MissingDependencyError(library=name, extra=name)
    entry = next(iter(found))
    try:
        loaded: Callable[..., Any] = entry.load()
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("", entry.module.partition(".")[0], "signatures", "solvers"):
            raise
        raise MissingDependencyError(library, entry.extras[0] if entry.extras else "") from error
    return loaded
