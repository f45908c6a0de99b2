"""Keeps what is sent with a request within bounds: what is old and long is cut, never dropped."""

import json
from collections.abc import Callable
from dataclasses import replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryFeedbackPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
)

STUB = 300  # characters that are left of what is cut
KEPT_WHOLE = 2  # messages at the end that are never cut


def trimmer(most: int) -> Callable[[list[ModelMessage]], list[ModelMessage]]:
    """Return a function that cuts a history to about `most` characters.

    It does nothing up to there, and then goes down to half: a history whose start stays as it was
    costs less, for endpoints remember what they have read.
    """

    def trim(messages: list[ModelMessage]) -> list[ModelMessage]:
        if sum(map(_size, messages)) <= most:
            return messages
        room = most // 2
        kept: list[ModelMessage] = []
        for age, message in enumerate(reversed(messages)):
            last = age == len(messages) - 1  # the first message holds the task
            size = _size(message)
            if age >= KEPT_WHOLE and not last and size > room:
                message = _cut(message)
                size = _size(message)
            room = max(0, room - size)
            kept.append(message)
        return kept[::-1]

    return trim


def _size(message: ModelMessage) -> int:
    return sum(len(_text(part)) for part in message.parts)


def _text(part: object) -> str:
    if isinstance(part, ToolCallPart):
        return part.args_as_json_str()
    return str(getattr(part, "content", ""))


def _cut(message: ModelMessage) -> ModelMessage:
    if isinstance(message, ModelResponse):
        # What a model thought is signed by some endpoints: it is kept whole or left out.
        answer = [_cut_answer(p) for p in message.parts if not isinstance(p, ThinkingPart)]
        return replace(message, parts=answer)
    assert isinstance(message, ModelRequest)
    return replace(message, parts=[_cut_result(part) for part in message.parts])


def _cut_answer(part: ModelResponsePart) -> ModelResponsePart:
    if isinstance(part, ToolCallPart) and len(_text(part)) > STUB:
        # Still a JSON object, for some endpoints parse old calls again.
        return replace(part, args=json.dumps({"code": _stub(_text(part))}))
    return replace(part, content=_stub(part.content)) if isinstance(part, TextPart) else part


def _cut_result(part: ModelRequestPart) -> ModelRequestPart:
    if isinstance(part, ToolReturnPart | RetryFeedbackPart):
        # Results of other tools than ours have other contents; there are none.
        return replace(part, content=_stub(_text(part)))  # type: ignore[arg-type]
    return part


def _stub(text: str) -> str:
    if len(text) <= STUB:
        return text
    return f"{text[:STUB]} [... {len(text) - STUB:,} characters cut; they are no longer needed]"


def clean(text: str) -> str:
    """Replace what is only half of a character, which cannot be sent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cleaned(part: ModelResponsePart) -> ModelResponsePart:
    """Clean what a model said before anything is made of it."""
    if isinstance(part, TextPart | ThinkingPart):
        return replace(part, content=clean(part.content))
    if isinstance(part, ToolCallPart) and isinstance(part.args, str):
        return replace(part, args=clean(part.args))
    return part
