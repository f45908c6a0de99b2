"""What a request may be, decided while it arrives: an ASGI layer in front of the SDK."""

from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from purple_agent.logs import LOGGER
from purple_agent.replies import plainly
from purple_agent.requests import WrongRequestError, check
from purple_agent.settings import Settings
from purple_agent.sieve import NoBase64Error, Sieve
from purple_agent.spool import NoRoomError, Spool, Writing


class RefusedError(Exception):
    """A request is not let through."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        self.status = status
        super().__init__(sentence)


@dataclass
class _Body:
    """A request's body without the files, and the files."""

    text: bytes
    words: list[bytes]


class Limits:
    """Reads a request's body, puts its files on the disk, and refuses what is too large.

    Parameters
    ----------
    app : ASGI application
        Gets the body with a short word in place of each file.
    """

    def __init__(self, app: ASGIApp, settings: Settings, spool: Spool) -> None:
        self._app, self._settings, self._spool = app, settings, spool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(Request(scope, receive))
        except RefusedError as error:
            LOGGER.warning("refused: %s", error)
            await _refusal(error)(scope, receive, send)
            return
        except ClientDisconnect:
            return
        try:
            check(body.text)
            resized, replayed = _resized(scope, len(body.text)), _replayed(body.text, receive)
            await self._app(resized, replayed, plainly(send))
        except WrongRequestError as error:
            LOGGER.warning("refused: %s", error)
            await JSONResponse(error.reply)(scope, receive, send)
        finally:
            self._spool.forget(body.words)

    async def _read(self, request: Request) -> _Body:
        """Read the body, the files of which go to the disk."""
        self._check_length(request)
        files: list[Writing] = []

        def begin() -> Writing:
            if len(files) >= self._settings.max_parts:
                sentence = f"The message has more than {self._settings.max_parts} files."
                raise RefusedError(HTTPStatus.BAD_REQUEST, sentence)
            files.append(self._spool.begin())
            return files[-1]

        try:
            text = await self._sifted(request, Sieve(begin))
        except BaseException as error:
            words = [file.word for file in files]
            for file in files:
                file.abandon()
            self._spool.forget(words)
            raise _as_refusal(error) from error
        for file in files:
            file.abandon()
        return _Body(text, [file.word for file in files])

    async def _sifted(self, request: Request, sieve: Sieve) -> bytes:
        seen, text = 0, bytearray()
        async for chunk in request.stream():
            seen += len(chunk)
            if seen > self._settings.max_body:
                raise self._too_large()
            text += sieve.feed(chunk)
            if len(text) > self._settings.max_text:
                limit = self._settings.max_text.human_readable()
                sentence = f"Without its files the message is larger than {limit}."
                raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
        return bytes(text)

    def _check_length(self, request: Request) -> None:
        """Refuse at once what says itself that it is too large."""
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._settings.max_body:
            raise self._too_large()

    def _too_large(self) -> RefusedError:
        limit = self._settings.max_body.human_readable()
        sentence = f"The message is larger than {limit}, the most that this agent takes."
        return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)


def _as_refusal(error: BaseException) -> BaseException:
    """Say what a client may know of why its message could not be taken."""
    if isinstance(error, NoBase64Error):
        return RefusedError(HTTPStatus.BAD_REQUEST, "A file of the message is no valid base64.")
    if isinstance(error, NoRoomError):
        sentence = "Too much is arriving at once. Send the task again later."
        return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence)
    if isinstance(error, OSError):
        LOGGER.error("a file that arrived could not be kept", exc_info=error)
        sentence = "The file could not be kept, for the disk refused it. Try again later."
        return RefusedError(HTTPStatus.INSUFFICIENT_STORAGE, sentence)
    return error


def _refusal(error: RefusedError) -> JSONResponse:
    problem = {"code": -32600, "message": str(error)}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": problem}, error.status)


def _resized(scope: Scope, size: int) -> Scope:
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    return {**scope, "headers": [*headers, (b"content-length", str(size).encode())]}


def _replayed(text: bytes, receive: Receive) -> Receive:
    """Give the body once, then what else the client sends."""
    bodies: list[Message] = [{"type": "http.request", "body": text, "more_body": False}]

    async def replay() -> Message:
        return bodies.pop() if bodies else await receive()

    return replay
