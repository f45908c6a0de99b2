"""Commands that take settings say in our words, not a library's, what is expected of one."""

import os
from typing import Any

import typer
from typer.core import TyperCommand

from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import variable
from solvers.cli.settings import EXPECTED, VariableError


class SettingsCommand(TyperCommand):
    """A command with settings."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line and the environment."""
        with errors_as_sentences(as_json=False):
            try:
                return super().parse_args(ctx, args)
            except typer.BadParameter as error:
                if error.param is None or error.param.name not in EXPECTED:
                    raise
                raise _in_our_words(error.param, ctx) from error


def _in_our_words(param: Any, context: typer.Context) -> Exception:
    """Say what was expected, and of a variable, which no one sees, what was found."""
    name = param.name
    flag, source = param.opts[0], context.get_parameter_source(name)
    if source is not None and source.name == "ENVIRONMENT":
        found = os.environ.get(variable(name), "")
        return VariableError(variable(name), found, EXPECTED[name], flag)
    return typer.BadParameter(f"expected {EXPECTED[name]}", ctx=context, param_hint=flag)
