"""Start the service, and end it in order."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from pydantic import ValidationError

from purple_agent.app import GOODBYE, Service, build
from purple_agent.logs import log_as_json
from purple_agent.settings import Settings
from signatures import RunFolderError
from solvers.cli.settings import SettingsError


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
    """
    log_as_json()
    with _alone(settings):
        service = build(settings)
        config = uvicorn.Config(
            service.app,
            host=settings.host,
            port=settings.port,
            log_config=None,
            timeout_graceful_shutdown=int(GOODBYE) + 3,
        )
        # Uvicorn raises the signal that ended it once more, after all is in order.
        with suppress(KeyboardInterrupt):
            Server(config, service).run()


class WrongSettingError(SettingsError):
    """A flag or a variable of the service cannot be used."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        cure = "`solvers serve --help` lists the flags, and the README all variables."
        self.args = (f"{path} cannot be used: {problem}. {cure}",)


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """Keep another service out of the home: both would go on with the same tasks."""
    settings.home.mkdir(parents=True, exist_ok=True)
    handle = os.open(settings.home, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            problem, cure = "is in use by another service", "Choose another with --home."
            raise RunFolderError(str(settings.home), problem, cure) from error
        yield
    finally:
        os.close(handle)


def settings_from(flags: dict[str, Any]) -> Settings:
    """Read the settings; flags come before the environment.

    Raises
    ------
    WrongSettingError
        If one of them cannot be.
    """
    try:
        return Settings(**flags)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        variable = f"The variable SOLVERS_AGENT_{name.upper()}"
        where = f"The flag --{name.replace('_', '-')}" if name in flags else variable
        raise WrongSettingError(where, first["msg"]) from error
