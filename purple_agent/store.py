"""The task store: whether it can be used, before anything is served from it."""

import sqlite3
from contextlib import closing

from a2a.server.context import ServerCallContext
from a2a.server.tasks import DatabaseTaskStore
from a2a.types import ListTasksRequest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from purple_agent.settings import Settings
from solvers.cli.settings import SettingsError

_ADDRESS = (
    "Write it as an SQLAlchemy URL with an asynchronous driver that is installed, "
    "as sqlite+aiosqlite:////home/me/tasks.db"
)
_AWAY = (
    "Nothing was changed. Put a copy back, or move the file away to begin with an empty one: tasks "
    "that were open then end as failed, and all runs stay in the home"
)


async def check_store(settings: Settings) -> None:
    """Open the task store and read from it.

    Raises
    ------
    SettingsError
        If its address cannot be, or it cannot be opened, or is damaged.
    """
    where = "The variable SOLVERS_AGENT_STORE"
    if not settings.store:
        where = f"The task store {str(settings.home / 'tasks.db')!r}"
    # Each driver has errors of its own, and none of them is ours.
    try:
        engine = create_async_engine(settings.database)
    except Exception as error:
        raise SettingsError(where, "no such database is known here", _ADDRESS) from error
    try:
        problem = _damage(engine.url.database or "") if engine.dialect.name == "sqlite" else ""
        if not problem:
            await _read(engine)
    except Exception as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        first = str(cause).strip().partition("\n")[0]
        problem = f"{first or type(cause).__name__} (so says {engine.dialect.name})"
    finally:
        await engine.dispose()
    if problem:
        raise SettingsError(where, problem, _ADDRESS if settings.store else _AWAY)


def _damage(file: str) -> str:
    """Say whether a file of SQLite is damaged anywhere.

    Its own library is asked: the asynchronous driver leaves a thread behind that complains, if it
    cannot open a file.
    """
    if not file or file.startswith((":", "file:")):
        return ""
    with closing(sqlite3.connect(file)) as connection:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return "" if found == "ok" else "it is damaged"


async def _read(engine: AsyncEngine) -> None:
    """Read what is to be read later."""
    store = DatabaseTaskStore(engine)
    await store.initialize()
    await store.list(ListTasksRequest(page_size=1), ServerCallContext())
