"""Which endpoint gets which key, and which failures are worth another attempt."""

import asyncio
import time

import pytest
from pydantic import ValidationError
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import ModelRequest

from purple_agent.llm import AgentError, AgentSettings, answer
from purple_agent.llm.endpoint import NO_KEY, OPENAI, OPENROUTER, choose
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.model import opened
from tests.purple_agent.scripted import KEY, Step, garden, say, serving, settings

OPENAI_KEY, OPENROUTER_KEY = "sk-openai-secret", "sk-or-secret"


def environment(monkeypatch, **variables):
    for name in ("MODEL_NAME", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return AgentSettings()


@pytest.mark.parametrize(
    ("variables", "url", "key"),
    [
        ({"OPENAI_API_KEY": OPENAI_KEY}, OPENAI, OPENAI_KEY),
        ({"OPENROUTER_API_KEY": OPENROUTER_KEY}, OPENROUTER, OPENROUTER_KEY),
        (
            {"OPENROUTER_API_KEY": OPENROUTER_KEY, "OPENAI_API_KEY": OPENAI_KEY},
            OPENAI,
            OPENAI_KEY,
        ),
        (
            {
                "OPENROUTER_API_KEY": OPENROUTER_KEY,
                "OPENAI_API_KEY": OPENAI_KEY,
                "MODEL_NAME": "vendor/model",
            },
            OPENROUTER,
            OPENROUTER_KEY,
        ),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENROUTER_API_KEY": OPENROUTER_KEY},
            "http://127.0.0.1:1/v1",
            NO_KEY,
        ),
        (
            {"OPENAI_BASE_URL": "https://proxy.example/v1", "OPENAI_API_KEY": OPENAI_KEY},
            "https://proxy.example/v1",
            OPENAI_KEY,
        ),
        ({"OPENAI_BASE_URL": "", "OPENAI_API_KEY": OPENAI_KEY}, OPENAI, OPENAI_KEY),
    ],
)
def test_key_goes_to_its_own_endpoint(monkeypatch, variables, url, key):
    chosen = choose(environment(monkeypatch, **{"MODEL_NAME": "m", **variables}))
    assert (chosen.url, chosen.key) == (url, key)


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({"OPENAI_BASE_URL": OPENROUTER, "OPENAI_API_KEY": OPENAI_KEY}, "OPENROUTER_API_KEY"),
        (
            {"OPENAI_BASE_URL": "https://eu.openrouter.ai/v1", "OPENAI_API_KEY": OPENAI_KEY},
            "OPENROUTER_API_KEY",
        ),
        ({"OPENAI_BASE_URL": OPENAI, "OPENROUTER_API_KEY": OPENROUTER_KEY}, "OPENAI_API_KEY"),
        ({}, "No key"),
        ({"MODEL_NAME": "", "OPENAI_API_KEY": OPENAI_KEY}, "No model"),
        ({"OPENAI_BASE_URL": "file:///etc", "OPENAI_API_KEY": OPENAI_KEY}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "https://me:pw@host/v1"}, "OPENAI_BASE_URL"),
    ],
)
def test_key_of_another_endpoint_is_never_sent(monkeypatch, variables, missing):
    with pytest.raises(AgentError, match=missing) as caught:
        choose(environment(monkeypatch, **{"MODEL_NAME": "m", **variables}))
    assert "secret" not in str(caught.value)
    assert "pw" not in str(caught.value)


def test_settings_never_show_a_key(monkeypatch):
    shown = repr(environment(monkeypatch, OPENAI_API_KEY=OPENAI_KEY))
    assert "secret" not in shown


def test_bounds_come_from_the_environment_and_are_checked(monkeypatch):
    assert environment(monkeypatch, SOLVERS_AGENT_ITERATIONS="7").iterations == 7
    with pytest.raises(ValidationError):
        environment(monkeypatch, SOLVERS_AGENT_CELL_SECONDS="-1")


def ask(tmp_path, *steps, **more):
    """Ask once; return the server, what came of it and how long that took."""
    began = time.monotonic()
    with serving(*steps) as server:
        given = settings(server, **more)

        async def go():
            chosen = choose(given)
            evidence = Evidence(tmp_path, secrets=(chosen.key,), room_mb=1)
            async with opened(chosen, given, evidence) as model:
                return await model_request(model, [ModelRequest.user_text_prompt("hello")])

        try:
            result = asyncio.run(go())
        except ModelAPIError as error:
            result = error
    return server, result, time.monotonic() - began


def test_two_refusals_for_haste_are_waited_out_as_long_as_the_server_says(tmp_path):
    busy = Step(status=429, headers={"Retry-After": "0.9"})
    server, result, _ = ask(tmp_path, busy, busy, say("hello"))
    assert result.text == "hello"
    first, second, third = server.times
    assert second - first >= 0.9
    assert third - second >= 0.9


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_what_may_pass_is_tried_again(tmp_path, status):
    again = Step(status=status, headers={"retry-after-ms": "10"})
    server, result, _ = ask(tmp_path, again, say("hello"))
    assert result.text == "hello"
    assert len(server.bodies) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
def test_what_will_not_pass_is_not_tried_again(tmp_path, status):
    stubborn = Step(status=status, headers={"x-should-retry": "true"})
    server, result, _ = ask(tmp_path, stubborn)
    assert isinstance(result, ModelHTTPError)
    assert result.status_code == status
    assert len(server.bodies) == 1


def test_retries_are_bounded(tmp_path):
    server, result, _ = ask(tmp_path, Step(status=503, headers={"retry-after-ms": "10"}))
    assert isinstance(result, ModelHTTPError)
    assert len(server.bodies) == 3


def test_error_sent_as_a_success_is_an_error(tmp_path):
    hidden = Step(
        body={"error": {"code": 429, "message": "busy"}}, headers={"retry-after-ms": "10"}
    )
    server, result, _ = ask(tmp_path, hidden, say("hello"))
    assert result.text == "hello"
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    "raw",
    [
        "<html>Bad Gateway</html>",
        '{"id": ',
        "",
        "[]",
        "null",
        '{"choices": null}',
        '{"choices": []}',
        '{"choices": [{"index": 0}]}',
        '{"error": "busy"}',
    ],
)
def test_success_that_is_no_reply_is_asked_for_again(tmp_path, raw):
    server, result, _ = ask(tmp_path, Step(raw=raw), say("hello"))
    assert result.text == "hello"
    assert len(server.bodies) == 2


def test_silent_endpoint_is_given_up(tmp_path):
    _, result, took = ask(tmp_path, say("late", seconds=5.0), request_seconds=0.4, retries=0)
    assert isinstance(result, ModelAPIError)
    assert took < 4


def test_redirect_is_not_followed_with_the_key(tmp_path):
    with serving(say("stolen")) as thief:
        there = {"Location": f"{thief.url}/chat/completions"}
        server, result, _ = ask(tmp_path, Step(status=307, headers=there))
        assert thief.bodies == []
    assert len(server.bodies) == 1
    assert isinstance(result, ModelAPIError)


def test_only_the_key_of_the_endpoint_is_in_what_is_sent(tmp_path, monkeypatch):
    for name in ("OPENROUTER_API_KEY", "OPENAI_ORG_ID", "OPENAI_ADMIN_KEY", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "secret-of-another")
    server, _, _ = ask(tmp_path, say("hello"))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "secret-of-another" not in str(server.headers)


def test_key_that_an_error_repeats_is_not_kept(tmp_path):
    told = Step(status=401, body={"error": {"message": f"wrong key {KEY}"}})
    ask(tmp_path, told)
    kept = (tmp_path / "events.jsonl").read_text()
    assert "wrong key [key]" in kept
    assert KEY not in kept


def test_run_with_a_refused_key_ends_at_once_and_says_what_to_check(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    with serving(Step(status=401, body={"error": {"message": f"wrong key {KEY}"}})) as server:
        given = answer(
            garden(tmp_path / "garden"), out, settings=settings(server), report=lambda text: None
        )
    assert given.submission is None
    assert "status 401. Check the key." in given.reason
    assert KEY not in given.reason
    assert len(server.bodies) == 1
