"""What a request has to be, told in sentences: JSON, JSON-RPC, and what its method takes.

The SDK checks it too, but answers with what its libraries say of it.
"""

import base64
import json
from typing import Any, get_args

from a2a.compat.v0_3.types import A2ARequest
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from google.protobuf.json_format import ParseDict
from pydantic import ValidationError

NO_JSON, NO_REQUEST, NO_METHOD, NO_PARAMS = -32700, -32600, -32601, -32602
_KINDS = get_args(A2ARequest.model_fields["root"].annotation)
_OLD = {kind.model_fields["method"].default: kind for kind in _KINDS}
_NEW = JsonRpcDispatcher.METHOD_TO_MODEL


class WrongRequestError(Exception):
    """A request is none; `reply` is what is answered."""

    def __init__(self, code: int, sentence: str, request: Any = None) -> None:
        known = request.get("id") if isinstance(request, dict) else None
        id_ = known if isinstance(known, str | int) and not isinstance(known, bool) else None
        self.reply = {
            "jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": sentence},
        }  # fmt: skip
        super().__init__(sentence)


def check(text: bytes) -> None:
    """Refuse what is no request of either version of the protocol.

    Raises
    ------
    WrongRequestError
        With a sentence for who sent it.
    """
    try:
        request = json.loads(text)
        json.dumps(request, ensure_ascii=False).encode()  # half a surrogate pair can be escaped
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise WrongRequestError(NO_JSON, f"The body is no JSON, from {where} on.") from error
    except (UnicodeError, RecursionError) as error:
        why = "is no UTF-8" if isinstance(error, UnicodeError) else "is nested too deeply"
        raise WrongRequestError(NO_JSON, f"The body {why}.") from error
    if not isinstance(request, dict):
        sentence = "The body is no JSON object. Send one JSON-RPC 2.0 request at a time."
        raise WrongRequestError(NO_REQUEST, sentence)
    if request.get("jsonrpc") != "2.0" or not isinstance(request.get("method"), str):
        sentence = 'A JSON-RPC 2.0 request has "jsonrpc": "2.0" and the name of a "method".'
        raise WrongRequestError(NO_REQUEST, sentence, request)
    _check_params(request)


def _check_params(request: dict[str, Any]) -> None:
    method = request["method"]
    wrong = ""
    if method in _OLD:
        wrong = _wrong_in_old(request)
    elif method in _NEW:
        wrong = _wrong_in_new(request)
    else:
        known = ", ".join(sorted((*_OLD, *_NEW)))
        sentence = f"There is no method {method[:60]!r}. There are {known}."
        raise WrongRequestError(NO_METHOD, sentence, request)
    if wrong:
        sentence = f"The request is not what {method!r} takes: {wrong}."
        raise WrongRequestError(NO_PARAMS, sentence, request)


def _wrong_in_old(request: dict[str, Any]) -> str:
    """Hold a request of version 0.3 against its type, and decode what short files are in it."""
    try:
        _OLD[request["method"]].model_validate(request)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where} {'is missing' if first['type'] == 'missing' else 'is of another kind'}"
    try:
        for part in _parts(request):
            base64.b64decode(part.get("file", {}).get("bytes", ""))
    except ValueError:
        return "a file of the message is no valid base64"
    return ""


def _parts(request: dict[str, Any]) -> list[dict[str, Any]]:
    params = request.get("params") or {}
    parts: list[dict[str, Any]] = params.get("message", {}).get("parts", [])
    return parts


def _wrong_in_new(request: dict[str, Any]) -> str:
    try:
        ParseDict(request.get("params", {}), _NEW[request["method"]](), ignore_unknown_fields=True)
    except Exception:  # of whatever kind, for what may be anything
        return "its params are of another form, or a file in them is no valid base64"
    return ""
