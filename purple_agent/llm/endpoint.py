"""Which endpoint is asked, with which key: a key goes to its own endpoint and nowhere else."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from purple_agent.llm.errors import AgentError
from purple_agent.llm.settings import AgentSettings

OPENAI = "https://api.openai.com/v1"
OPENROUTER = "https://openrouter.ai/api/v1"
NO_KEY = "none"  # what clients insist on sending to an endpoint that wants no key


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint, the model to ask there, and the key it is asked with."""

    name: str
    url: str
    model: str
    key: str = field(repr=False)


def choose(settings: AgentSettings) -> Endpoint:
    """Choose the endpoint.

    ``OPENAI_BASE_URL`` names one, and ``OPENAI_API_KEY`` belongs to it, unless it is OpenRouter.
    Without it the key decides. With both keys, models that are written as OpenRouter does,
    ``vendor/model``, are asked there.

    Raises
    ------
    AgentError
        If no model is named, or the endpoint's own key is not set.
    """
    model, url = settings.model_name, settings.openai_base_url
    if model is None:
        raise AgentError(
            problem="No model is set up",
            next="Set MODEL_NAME, and OPENAI_API_KEY or OPENROUTER_API_KEY",
        )
    if url is None:
        url = _by_key(settings, model)
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.password:
        raise AgentError(
            problem="OPENAI_BASE_URL is no address of an endpoint",
            next="Write it as https://host/v1, with the key in OPENAI_API_KEY",
        )
    if _is_of(host, "openrouter.ai"):
        return Endpoint("openrouter", url, model, _openrouter_key(settings))
    if settings.openai_api_key is not None:
        key = settings.openai_api_key.get_secret_value()
    elif _is_of(host, "openai.com"):
        raise AgentError(
            problem="OPENAI_API_KEY is not set", next=f"{host} answers only with a key of its own"
        )
    else:
        key = NO_KEY  # a model on one's own machine often wants none
    return Endpoint("openai" if _is_of(host, "openai.com") else "custom", url, model, key)


def _by_key(settings: AgentSettings, model: str) -> str:
    openai, openrouter = settings.openai_api_key, settings.openrouter_api_key
    if openai is None and openrouter is None:
        raise AgentError(
            problem="No key is set",
            next="Set OPENAI_API_KEY or OPENROUTER_API_KEY, or OPENAI_BASE_URL",
        )
    if openai is None or (openrouter is not None and "/" in model):
        return OPENROUTER
    return OPENAI


def _openrouter_key(settings: AgentSettings) -> str:
    if settings.openrouter_api_key is None:
        raise AgentError(
            problem="OPENROUTER_API_KEY is not set",
            next="OPENAI_API_KEY belongs to OpenAI and is not sent there",
        )
    return settings.openrouter_api_key.get_secret_value()


def _is_of(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")
