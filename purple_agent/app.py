"""The application: routes, and what is set up before and cleared up after them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import DatabaseTaskStore
from sqlalchemy.ext.asyncio import create_async_engine
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from purple_agent.card import card
from purple_agent.executor import Executor
from purple_agent.job import Room
from purple_agent.limits import Limits
from purple_agent.line import Line
from purple_agent.restart import clear_old_data, go_on
from purple_agent.settings import Settings
from purple_agent.spool import Spool
from purple_agent.verdicts import Verdicts

GOODBYE = 2.0  # seconds that open streams have to read the last event


@dataclass(frozen=True)
class Service:
    """The application, and how its work is stopped before its connections are closed."""

    app: Starlette
    stop: Callable[[], Awaitable[None]]


def build(settings: Settings) -> Service:
    """Put the service together; nothing is started yet.

    The folders of the home are there, and the task store can be used (`purple_agent.server`).
    """
    spool = Spool(settings.incoming, settings.max_incoming)
    engine = create_async_engine(settings.database)
    store = DatabaseTaskStore(engine)
    line = Line(settings.concurrent, settings.waiting)
    executor = Executor(Room(settings, line, Verdicts()), spool, store)
    agent_card = card(settings)
    handler = DefaultRequestHandler(executor, store, agent_card)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.initialize()
        await asyncio.to_thread(clear_old_data, settings)
        going_on = asyncio.create_task(go_on(handler, store, settings))
        yield
        going_on.cancel()
        await executor.stop()
        await handler.aclose()
        await engine.dispose()

    async def healthz(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "running": line.inside, "waiting": line.waiting})

    routes = [
        *create_agent_card_routes(agent_card),
        *create_jsonrpc_routes(
            handler, "/", enable_v0_3_compat=True, shutdown_grace_period=GOODBYE
        ),
        Route("/healthz", healthz),
    ]
    limits = Middleware(Limits, settings=settings, spool=spool)
    return Service(Starlette(routes=routes, middleware=[limits], lifespan=lifespan), executor.stop)
