"""Start the service, and end it in order."""

import asyncio
import fcntl
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from pydantic import ValidationError

from purple_agent.app import GOODBYE, Service, build
from purple_agent.logs import log_as_json
from purple_agent.sandbox.bubblewrap import shown_place
from purple_agent.settings import Settings, complaint
from purple_agent.store import check_store
from signatures import RunFolderError
from solvers.cli.settings import SettingsError

ANOTHER_HOME = "Choose another with --home"


class Server(uvicorn.Server):
    """Stops the work first and the connections then, so that clients hear of it."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the work, then the connections."""
        await self._service.stop()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C.

    Running work is stopped then. It is kept, and goes on when the service is started again with
    the same home.

    Raises
    ------
    RunFolderError, SettingsError
        If the home, the address or the task store cannot be used; nothing is served then.
    """
    with _alone(settings), _listening(settings) as listener:
        asyncio.run(check_store(settings))
        log_as_json()
        service = build(settings)
        config = uvicorn.Config(
            service.app, log_config=None, timeout_graceful_shutdown=int(GOODBYE) + 3
        )
        try:
            # Uvicorn raises the signal that ended it once more, after all is in order.
            with suppress(KeyboardInterrupt):
                Server(config, service).run(sockets=[listener])
        except SystemExit:  # it could not start, and has logged why; its own code means another
            sys.exit(1)


@contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """Listen at the address; who calls meanwhile waits."""
    host, port = settings.host, settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, place = min(found)  # of a name with addresses of both kinds, version 4
        listener = socket.create_server(place[:2], family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or "this is no name of a host"
        cure = "Choose another with --host and --port"
        where = f"The address {host}:{port}"
        raise SettingsError(where, problem, cure) from error
    with listener:
        yield listener


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """Make the home, and keep another service out of it: both would go on with the same tasks."""
    _make(settings)
    handle = os.open(settings.home, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            problem = "is in use by another service"
            raise RunFolderError(str(settings.home), problem, ANOTHER_HOME) from error
        yield
    finally:
        os.close(handle)


def _make(settings: Settings) -> None:
    """Make the folders of the home, and write something there."""
    if place := shown_place(settings.home):
        problem = f"lies in {place}, which a language model's code can read, tasks and all"
        raise RunFolderError(str(settings.home), problem, ANOTHER_HOME)
    try:
        for folder in (settings.home, settings.tasks, settings.incoming):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        where = f" at {error.filename}" if error.filename else ""
        problem = f"cannot be the home of the agent{where}: {error.strerror}"
        raise RunFolderError(str(settings.home), problem, ANOTHER_HOME) from error


def settings_from(flags: dict[str, Any]) -> Settings:
    """Read the settings; flags come before the environment.

    Raises
    ------
    SettingsError
        If one of them cannot be.
    """
    try:
        return Settings(**flags)
    except ValidationError as error:
        name, problem = complaint(error)
        variable = f"The variable SOLVERS_AGENT_{name.upper()}"
        where = f"The flag --{name.replace('_', '-')}" if name in flags else variable
        cure = "`solvers serve --help` lists the flags, and docs/agent.md all variables"
        raise SettingsError(where, problem, cure) from error
