"""Files that a message names by address: fetched from hosts that a setting names, and no others."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from purple_agent.messages import NonsenseError
from purple_agent.settings import Settings
from purple_agent.spool import Arrived


async def fetch(
    url: str, path: Path, settings: Settings, transport: httpx.AsyncBaseTransport | None = None
) -> Arrived:
    """Fetch a file over https into `path`.

    Raises
    ------
    NonsenseError
        If the address is not one of those allowed, or the file does not come as it should.
    """
    _check(url, settings)
    try:
        async with _answer(url, settings, transport) as response:
            return await _written(response, path, settings.max_body)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        path.unlink(missing_ok=True)
        sentence = f"The file could not be fetched from its address: {type(error).__name__}."
        raise NonsenseError(sentence) from error
    except NonsenseError:
        path.unlink(missing_ok=True)
        raise


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


async def _written(response: httpx.Response, path: Path, limit: int) -> Arrived:
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as stream:
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > limit:
                sentence = f"The file at the address is larger than {limit:,} bytes."
                raise NonsenseError(sentence)
            stream.write(chunk)
            digest.update(chunk)
    return Arrived(path, size, digest.hexdigest())
