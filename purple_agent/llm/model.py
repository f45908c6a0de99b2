"""The model behind an endpoint: its client retries what may pass, and all traffic is kept."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Omit
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers import Provider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider

from purple_agent.llm.endpoint import Endpoint
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.settings import AgentSettings

RETRIED = (408, 429)  # and all from 500 up
OPENAI_ALONE = ("OpenAI-Organization", "OpenAI-Project")
RETRY_HEADER = "x-should-retry"  # which the client obeys before its own rules


@asynccontextmanager
async def opened(
    endpoint: Endpoint, settings: AgentSettings, evidence: Evidence
) -> AsyncIterator[OpenAIChatModel]:
    """Open a client of the endpoint for the block.

    The client waits between attempts as long as ``Retry-After`` says, up to two minutes, or else
    ever longer.
    """
    omitted: dict[str, Any] = dict.fromkeys(OPENAI_ALONE, Omit())
    http = DefaultAsyncHttpxClient(
        # A redirect could carry the key, and the data, to another host.
        follow_redirects=False,
        event_hooks={"request": [_Asked(evidence)], "response": [_Answered(evidence)]},
    )
    async with AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key,
        max_retries=settings.retries,
        timeout=settings.request_seconds,
        http_client=http,
        # The client takes these from the environment, wherever it is sent.
        default_headers=None if endpoint.name == "openai" else omitted,
    ) as client:
        yield OpenAIChatModel(endpoint.model, provider=_provider(endpoint, client))


def _provider(endpoint: Endpoint, client: AsyncOpenAI) -> Provider[AsyncOpenAI]:
    """Return what knows the habits of the endpoint."""
    if endpoint.name == "openrouter":
        return OpenRouterProvider(openai_client=client)
    if endpoint.name == "openai":
        return OpenAIProvider(openai_client=client)
    return OpenAICompatibleProvider(endpoint.name, openai_client=client)


class _Asked:
    """Keeps what is sent; never its headers, for the key is in them.

    The request is of the HTTP library that the client brings, and which is not ours to name.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    async def __call__(self, request: Any) -> None:
        body = (await request.aread()).decode("utf-8", "replace")
        self._evidence.event("request", url=str(request.url), body=_json(body))


class _Answered:
    """Keeps what comes back, and says which failures are worth another attempt."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    async def __call__(self, response: Any) -> None:
        body = _json((await response.aread()).decode("utf-8", "replace"))
        self._evidence.event("reply", status=response.status_code, body=body)
        if response.status_code == 200:
            response.status_code = _true_status(body)
        again = response.status_code in RETRIED or response.status_code >= 500
        response.headers[RETRY_HEADER] = "true" if again else "false"


def _true_status(body: Any) -> int:
    """Return the status that a body should have had: gateways send errors as a success.

    What is neither an error nor a reply counts as a bad gateway, and is asked for again.
    """
    body = body if isinstance(body, dict) else {}
    choices = body.get("choices")
    if isinstance(choices, list) and choices and all(map(_is_choice, choices)):
        return 200
    error = body.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _is_choice(choice: Any) -> bool:
    return isinstance(choice, dict) and isinstance(choice.get("message"), dict)


def _json(text: str) -> Any:
    with suppress(ValueError):
        return json.loads(text)
    return text
