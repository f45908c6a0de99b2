"""Files that a message names by address: fetched from hosts that a setting names, and no others."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from purple_agent.logs import LOGGER
from purple_agent.messages import NonsenseError
from purple_agent.settings import Settings
from purple_agent.spool import Arrived, NoRoomError, Spool


async def fetch(
    url: str,
    path: Path,
    settings: Settings,
    spool: Spool,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Arrived:
    """Fetch a file over https into `path`; meanwhile it takes its room from that of the spool.

    Raises
    ------
    NonsenseError
        If the address is not one of those allowed, or the file does not come as it should.
    """
    _check(url, settings)
    try:
        # The client's own time is for each read: a byte a minute would pass.
        async with (
            asyncio.timeout(settings.download_seconds),
            _answer(url, settings, transport) as response,
        ):
            with spool.passing() as take:
                return await _written(response, path, settings.max_body, take)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if sentence := _why(error, settings):
            raise NonsenseError(sentence) from error
        raise


def _why(error: BaseException, settings: Settings) -> str:
    """Say what who sent the address may know of why nothing came; empty for what is no answer."""
    if isinstance(error, httpx.HTTPError | httpx.InvalidURL):
        return f"The file could not be fetched from its address: {type(error).__name__}."
    if isinstance(error, TimeoutError):  # an OSError too
        return f"The file did not come from its address in {settings.download_seconds:g} seconds."
    if isinstance(error, NoRoomError):
        return "Too much is arriving at once. Send the task again later."
    if isinstance(error, OSError):
        LOGGER.error("a file that was fetched could not be kept", exc_info=error)
        return "The file could not be kept, for the disk refused it. Send the task again later."
    return ""


def _check(url: str, settings: Settings) -> None:
    """Refuse any address but https at a host that is allowed, at its usual port."""
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        sentence = "The address of the file is none."
        raise NonsenseError(sentence) from error
    if not settings.hosts:
        sentence = "This agent fetches no files by address. Send the bytes of the archive."
        raise NonsenseError(sentence)
    if address.scheme != "https" or address.host.lower() not in settings.hosts or address.port:
        sentence = (
            "The file's address is none that this agent fetches from: https only, and hosts that "
            "its settings name. Send the bytes of the archive."
        )
        raise NonsenseError(sentence)


@asynccontextmanager
async def _answer(
    url: str, settings: Settings, transport: httpx.AsyncBaseTransport | None
) -> AsyncIterator[httpx.Response]:
    # No redirect is followed, whatever it names; no proxy or password is read from the
    # environment or the user's files.
    client = httpx.AsyncClient(
        timeout=settings.download_seconds, follow_redirects=False, trust_env=False,
        transport=transport,
    )  # fmt: skip
    plain = {"accept-encoding": "identity"}
    async with client, client.stream("GET", url, headers=plain) as response:
        if response.status_code != httpx.codes.OK:
            sentence = f"The address of the file answers with status {response.status_code}."
            raise NonsenseError(sentence)
        yield response


async def _written(
    response: httpx.Response, path: Path, limit: int, take: Callable[[int], None]
) -> Arrived:
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as stream:
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > limit:
                sentence = f"The file at the address is larger than {limit:,} bytes."
                raise NonsenseError(sentence)
            take(len(chunk))
            stream.write(chunk)
            digest.update(chunk)
    return Arrived(path, size, digest.hexdigest())
