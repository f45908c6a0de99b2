"""Settings: which TOML file is read, and what it, a variable or a flag may say.

What it says takes the place of defaults; a flag and an environment variable come before it.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from signatures import KnownTaskError
from signatures.wording import sentences
from solvers.cli.options import ProfileName, variable

FILE = variable("config")
EXPECTED: Mapping[str, str] = {
    "seed": "a whole number of 0 or more",
    "profile": " or ".join(ProfileName),
    "jobs": "a whole number of 1 or more",
    "report": "true or false",
    "verbose": "true or false",
}


class VariableError(KnownTaskError, ValueError):
    """An environment variable says what cannot be."""

    fields = ("variable", "found", "expected", "flag")

    def __init__(self, variable: str, found: str, expected: str, flag: str) -> None:
        self.variable, self.found, self.expected, self.flag = variable, found, expected, flag
        super().__init__(
            f"The environment variable {variable} is {found!r}, expected {expected}. "
            f"Correct or unset it, or give {flag}."
        )


class SettingsError(KnownTaskError, ValueError):
    """A setting, or a file of settings, cannot be used."""

    fields = ("where", "problem", "next")

    def __init__(self, where: str, problem: str, next: str) -> None:
        self.where, self.problem, self.next = where, problem, next
        super().__init__(sentences([f"{where} cannot be used: {problem}", next]))


def settings_file() -> Path | None:
    """Say which file is read: the one that SOLVERS_CONFIG names, or the user's own.

    Never one from the working directory: the same command does the same thing everywhere.
    """
    named = os.environ.get(FILE)
    if named is not None:
        return Path(named) if named else None
    return own_file() if own_file().is_file() else None


def own_file() -> Path:
    """Name the user's own file, where programs keep such files on this system."""
    return Path(typer.get_app_dir("solvers"), "config.toml")


def read_settings() -> dict[str, Any]:
    """Read and check the file of settings; empty if there is none.

    Raises
    ------
    SettingsError
        If it cannot be read, or says something that cannot be.
    """
    path = settings_file()
    if path is None:
        return {}
    if path.exists() and not path.is_file():
        raise _wrong_file(path, "it is not a plain file")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _wrong_file(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:  # neither TOML nor UTF-8
        raise _wrong_file(path, f"it is not valid TOML: {error}") from error
    _check(found, path)
    return found


def _wrong_file(path: Path, problem: str) -> SettingsError:
    where = f"The settings in {str(path)!r}"
    return SettingsError(where, problem, "`solvers config --help` lists what can be set")


def _check(found: dict[str, Any], path: Path) -> None:
    """Hold each entry against what its flag takes."""
    # Not needed, and not imported, where there is no file.
    from pydantic import BaseModel, ConfigDict, Field, ValidationError

    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

        seed: int = Field(0, ge=0)
        profile: str = Field("full", pattern=f"^({'|'.join(ProfileName)})$")
        jobs: int = Field(1, ge=1)
        report: bool = True
        verbose: bool = False

    try:
        Settings.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        known = ", ".join(Settings.model_fields)
        if first["type"] == "extra_forbidden":
            problem = f"there is no setting {name!r}, only {known}"
        else:
            problem = f"{name} is {first['input']!r}, expected {EXPECTED[name]}"
        raise _wrong_file(path, problem) from error


def as_defaults(group: Any, settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give each command of a group the settings that it takes: those with a variable."""
    return {
        name: {p.name: settings[p.name] for p in command.params if p.envvar and p.name in settings}
        for name, command in group.commands.items()
    }
