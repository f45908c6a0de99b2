"""The SDK's own client, version 1 of the protocol."""

import asyncio
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, create_client
from a2a.helpers import new_raw_part, new_text_part
from a2a.types import (
    GetTaskRequest,
    Message,
    Role,
    SendMessageRequest,
    StreamResponse,
    TaskState,
)

from tests.purple_agent.wire import TEXT, packed


async def talk(url: str, archive: bytes) -> tuple[list[StreamResponse], StreamResponse]:
    async with httpx.AsyncClient(timeout=60) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        client = await create_client(card, ClientConfig(httpx_client=http, streaming=True))
        parts = [
            new_text_part(TEXT),
            new_raw_part(archive, media_type="application/gzip", filename="competition.tar.gz"),
        ]
        message = Message(message_id=uuid.uuid4().hex, role=Role.ROLE_USER, parts=parts)
        events = [event async for event in client.send_message(SendMessageRequest(message=message))]
        task = await client.get_task(GetTaskRequest(id=events[0].task.id))
        return events, task


def test_client_of_version_1_gets_its_submission_and_finds_the_task_again(service, flowers):
    padding = bytes(range(256)) * 40  # long enough to be taken out of the request
    (flowers / "notes.bin").write_bytes(padding)
    events, task = asyncio.run(talk(service.url, packed(flowers)))
    (flowers / "notes.bin").unlink()
    assert events[0].WhichOneof("payload") == "task"
    assert list(events[0].task.history) == []
    (artifact,) = [e.artifact_update.artifact for e in events if e.HasField("artifact_update")]
    assert artifact.parts[0].raw == b"flower,smell\n5,0.25\n6,0.25\n"
    assert events[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED
    assert task.status.state == TaskState.TASK_STATE_COMPLETED
    assert task.artifacts[0].parts[0].raw == artifact.parts[0].raw
