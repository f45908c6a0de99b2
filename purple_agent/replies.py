"""Errors in what is answered: sentences, where the SDK passes on what a library says."""

import json
import re

from starlette.types import Message, Send

INSIDE = -32603
RAW = (-32700, -32600, -32602, INSIDE)  # of JSON-RPC itself; those of A2A have words of their own
WRONG = "Something went wrong inside this agent; its log says what. Try again later."
_EVENT = re.compile(rb"(?<=^data: )\{.*\}", re.MULTILINE)


def plainly(send: Send) -> Send:
    """Send what an application does, its errors without what libraries say."""
    started: list[Message] = []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            started.append(message)  # its length may change
            return
        if message["type"] == "http.response.body" and message.get("body"):
            message = {**message, "body": plain(message["body"])}
        if started:
            await send(_resized(started.pop(), message))
        await send(message)

    return sending


def _resized(start: Message, first: Message) -> Message:
    """Name the length of a body that comes in one piece."""
    if first.get("more_body"):
        return start
    headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
    length = str(len(first.get("body", b""))).encode()
    return {**start, "headers": [*headers, (b"content-length", length)]}


def plain(body: bytes) -> bytes:
    """Reword the error in a JSON text or in events, if there is one.

    >>> plain(b'{"id": 1, "error": {"code": -32602, "message": "No.", "data": "traceback"}}')
    b'{"id": 1, "error": {"code": -32602, "message": "No."}}'
    """
    if b'"error"' not in body:
        return body
    if body.startswith(b"{"):
        return _reworded(body)
    return _EVENT.sub(lambda found: _reworded(found.group()), body)


def _reworded(text: bytes) -> bytes:
    try:
        reply = json.loads(text)
    except ValueError:
        return text
    error = reply.get("error")
    if not isinstance(error, dict) or error.get("code") not in RAW:
        return text
    error.pop("data", None)
    # Version 0.3 has no code of its own for a header that names another version.
    if error["code"] == INSIDE and not str(error.get("message")).startswith("A2A version"):
        error["message"] = WRONG
    return json.dumps(reply, ensure_ascii=False).encode()
