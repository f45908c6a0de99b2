"""What is no request, or goes wrong on the way, is answered in sentences of our own."""

import asyncio
import json

import pytest

from purple_agent.replies import WRONG, plain, plainly
from purple_agent.requests import WrongRequestError, check
from tests.purple_agent.test_limits import post
from tests.purple_agent.wire import file_part, request, text_part


def with_bytes(text):
    body = request([file_part(b"")])
    body["params"]["message"]["parts"][0]["file"]["bytes"] = text
    return body


def without_id():
    body = request([text_part("x")])
    del body["params"]["message"]["messageId"]
    return body


def new(**params):
    return {"jsonrpc": "2.0", "id": "7", "method": "SendMessage", "params": params}


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        (b'{"id": 1,', -32700, "The body is no JSON, from line 1, column"),
        (b"", -32700, "The body is no JSON"),
        (b'{"id": "\xff"}', -32700, "The body is no UTF-8."),
        (b'{"id": "\\ud800"}', -32700, "The body is no UTF-8."),
        (b"[" * 100_000, -32700, "The body is nested too deeply."),
        ([], -32600, "one JSON-RPC 2.0 request at a time"),
        ({"id": 1}, -32600, 'the name of a "method"'),
        ({"jsonrpc": "2.0", "method": 5}, -32600, 'the name of a "method"'),
        ({"jsonrpc": "2.0", "method": "tasks/eat", "id": 5}, -32601, "no method 'tasks/eat'"),
        (without_id(), -32602, "params.message.messageId is missing"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get"}, -32602, "params is missing"),
        (with_bytes("QUJDR"), -32602, "no valid base64"),
        (with_bytes("é"), -32602, "no valid base64"),
        (new(message={"messageId": "1", "parts": [{"raw": "QUJDR"}]}), -32602, "no valid base64"),
        (new(message={"parts": 5}), -32602, "of another form"),
    ],
)
def test_wrong_request_is_told_in_a_sentence(body, code, sentence):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(WrongRequestError) as raised:
        check(text)
    reply = raised.value.reply
    assert reply["error"]["code"] == code
    assert sentence in reply["error"]["message"]
    assert reply["id"] == (body.get("id") if isinstance(body, dict) else None)
    for raw in ("http", "pydantic", "padding", "codec", "Expecting"):
        assert raw not in json.dumps(reply)


@pytest.mark.parametrize("body", [request([text_part("x")]), request([file_part(b"abc")])])
def test_right_request_passes(body):
    check(json.dumps(body).encode())


def test_wrong_request_is_answered_over_the_wire(service):
    answer = post(service, b"no JSON")
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32700)
    answer = post(service, json.dumps(with_bytes("QUJDR")).encode())
    assert "no valid base64" in answer.json()["error"]["message"]


def test_method_of_another_version_says_so(service):
    text = json.dumps(request([text_part("x")])).encode()
    answer = post(service, text, **{"A2A-Version": "1.0"}).json()["error"]["message"]
    assert "A2A version '1.0' is not supported" in answer


FAILED = b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "(sqlite3) [SQL: ..]"}}'


def test_error_inside_tells_nothing_of_libraries_in_a_reply_or_a_stream():
    assert json.loads(plain(FAILED))["error"] == {"code": -32603, "message": WRONG}
    event = plain(b"event: error\r\ndata: " + FAILED + b"\r\n\r\n")
    assert event.startswith(b"event: error\r\ndata: {")
    assert event.endswith(b"}\r\n\r\n")
    assert WRONG.encode() in event
    assert b"sqlite3" not in event


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "Task not found"}}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {"text": "an \\"error\\""}}',
        b'data: {"result": {"error": {"code": -32603}}}\r\n\r\n',
        b'{"error": half',
        b": ping\r\n\r\n",
    ],
)
def test_what_is_no_error_of_a_library_is_sent_as_it_is(body):
    assert plain(body) == body


def test_length_of_a_reply_is_that_of_what_is_sent():
    sent = []

    async def send(message):
        sent.append(message)

    async def reply():
        sending = plainly(send)
        headers = [(b"content-length", str(len(FAILED)).encode()), (b"x", b"y")]
        await sending({"type": "http.response.start", "status": 200, "headers": headers})
        await sending({"type": "http.response.body", "body": FAILED})

    asyncio.run(reply())
    start, body = sent
    assert dict(start["headers"]) == {
        b"x": b"y",
        b"content-length": str(len(body["body"])).encode(),
    }
