"""A client that speaks what an evaluator speaks, byte for byte: JSON-RPC over SSE, and no SDK."""

import base64
import io
import json
import tarfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

TEXT = (
    "You are participating in *MLE-bench*, an offline version of Kaggle competitions. Further "
    "instructions are in /home/instructions.txt and the data in /home/data."
)


def packed(folder: Path) -> bytes:
    """Pack a dataset as the evaluator does: nested under home/data."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        archive.add(folder, arcname="home/data", recursive=True)
    return buffer.getvalue()


def text_part(text: str) -> dict[str, Any]:
    return {"kind": "text", "text": text}


def file_part(data: bytes, name: str = "competition.tar.gz") -> dict[str, Any]:
    file = {"bytes": base64.b64encode(data).decode(), "mimeType": "application/gzip", "name": name}
    return {"kind": "file", "file": file}


def request(parts: list[dict[str, Any]], **more: str) -> dict[str, Any]:
    message = {
        "kind": "message", "messageId": uuid.uuid4().hex, "role": "user", "parts": parts, **more,
    }  # fmt: skip
    configuration = {"acceptedOutputModes": [], "blocking": True}
    return {
        "id": str(uuid.uuid4()), "jsonrpc": "2.0", "method": "message/stream",
        "params": {"configuration": configuration, "message": message},
    }  # fmt: skip


class Client:
    """Talks to the agent at one address."""

    def __init__(self, url: str) -> None:
        self.url = url

    def stream(self, body: dict[str, Any], timeout: float = 120) -> Iterator[dict[str, Any]]:
        """Yield the results of a stream as they come, each with the second it came at."""
        started = time.monotonic()
        headers = {"accept": "text/event-stream"}
        with httpx.stream(
            "POST", self.url, json=body, headers=headers, timeout=timeout
        ) as response:
            assert response.status_code == 200, response.read()
            for line in response.iter_lines():
                if line.startswith("data:"):
                    event = json.loads(line.removeprefix("data:"))
                    result = event.get("result", {"kind": "error", **event})
                    yield {**result, "at": time.monotonic() - started}

    def send(self, archive: bytes, text: str = TEXT) -> Iterator[dict[str, Any]]:
        return self.stream(request([text_part(text), file_part(archive)]))

    def say(self, text: str, **more: str) -> list[dict[str, Any]]:
        return list(self.stream(request([text_part(text)], **more)))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        body = {"id": 1, "jsonrpc": "2.0", "method": method, "params": params}
        answer: dict[str, Any] = httpx.post(self.url, json=body, timeout=30).json()
        return answer

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url.rstrip("/") + path, timeout=10)


def texts(events: list[dict[str, Any]]) -> list[str]:
    """List what was said in statuses."""
    found = []
    for event in events:
        message = event.get("status", {}).get("message") or {}
        found += [part["text"] for part in message.get("parts", []) if part["kind"] == "text"]
    return found


def submissions(events: list[dict[str, Any]]) -> list[bytes]:
    """List the files of artifact updates, as the evaluator reads them; the last one counts."""
    return [
        base64.b64decode(part["file"]["bytes"])
        for event in events
        if event["kind"] == "artifact-update"
        for part in event["artifact"]["parts"]
        if part["kind"] == "file"
    ]


def state(events: list[dict[str, Any]]) -> str:
    """Name the last state."""
    return str([event["status"]["state"] for event in events if "status" in event][-1])
