"""An OpenAI-compatible server on loopback that plays a model by a script, and a task for it."""

import csv
import itertools
import json
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import signatures
from purple_agent.llm import AgentAnswer, AgentSettings, answer
from purple_agent.llm.parting import Parted, part
from solvers.baseline.contest import Comparison, Contest
from solvers.baseline.foreign_predictions import ROW

KEY = "sk-scripted-0123456789"
N_TRAIN, N_TEST, N_HELD = 80, 60, 16
NUMBERS = itertools.count()

# What a model writes to answer the task of `garden`, without any library that takes long to load.
SUBMIT = """
import csv
test = list(csv.DictReader(open("data/test.csv")))
with open("submission.csv", "w") as file:
    file.write("bed_id,yield\\n")
    for row in test:
        file.write(f"{row['bed_id']},{float(row['worms']) * 2}\\n")
"""
HELD_BACK = """
rows = list(csv.DictReader(open("data/held_back.csv")))
with open("held_back_predictions.csv", "w") as file:
    file.write("held_back_row,yield\\n")
    for row in rows:
        file.write(f"{row['held_back_row']},{float(row['worms']) * 2}\\n")
"""


@dataclass
class Step:
    """One reply: a message, or a failure."""

    text: str | None = None
    calls: list[tuple[str, str]] = field(default_factory=list)
    finish: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    raw: str | None = None  # sent as it is
    seconds: float = 0.0

    def reply(self) -> Response:
        if self.raw is not None:
            return Response(self.raw, media_type="application/json")
        if self.body is not None or self.status != 200:
            body = self.body or {"error": {"message": "no", "type": "scripted"}}
            return JSONResponse(body, self.status, self.headers)
        calls = [
            {
                "id": f"call_{next(NUMBERS)}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for name, arguments in self.calls
        ]
        message = {"role": "assistant", "content": self.text}
        if calls:
            message["tool_calls"] = calls
        finish = self.finish or ("tool_calls" if calls else "stop")
        return JSONResponse(
            {
                "id": f"reply_{next(NUMBERS)}",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
        )


def say(text: str, **more: Any) -> Step:
    return Step(text=text, **more)


def call(name: str, /, **arguments: Any) -> Step:
    return Step(calls=[(name, json.dumps(arguments))])


def run(code: str) -> Step:
    return call("run_python", code=code)


@dataclass
class Server:
    """What was asked of it, as JSON bodies, and with which headers."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def last_told(self, number: int = -1) -> str:
        """Return all that the model was told since its last reply, as of one request."""
        told: list[str] = []
        for message in reversed(self.bodies[number]["messages"]):
            if message["role"] == "assistant":
                break
            told.insert(0, str(message["content"]))
        return "\n".join(told)


@contextmanager
def serving(*steps: Step) -> Iterator[Server]:
    """Serve the steps one after the other, and the last one for ever."""
    import asyncio

    left = list(steps)

    async def complete(request: Request) -> Response:
        server.bodies.append(await request.json())
        server.headers.append(dict(request.headers))
        server.times.append(time.monotonic())
        step = left.pop(0) if len(left) > 1 else left[0]
        await asyncio.sleep(step.seconds)
        return step.reply()

    app = Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    program = uvicorn.Server(config)
    thread = threading.Thread(target=program.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        program.should_exit = True
        thread.join()
        listener.close()


def garden(folder: Path) -> Path:
    """Write a small task that nobody knows."""
    folder.mkdir(parents=True)
    rows = [(number, number % 7, number % 3) for number in range(N_TRAIN + N_TEST)]
    with (folder / "train.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(["bed_id", "worms", "compost", "yield"])
        writer.writerows((n, w, c, 2 * w + 0.1 * c) for n, w, c in rows[:N_TRAIN])
    with (folder / "test.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(["bed_id", "worms", "compost"])
        writer.writerows(rows[N_TRAIN:])
    with (folder / "sample_submission.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(["bed_id", "yield"])
        writer.writerows((n, 0) for n, _, _ in rows[N_TRAIN:])
    (folder / "description.md").write_text("Tell how much a bed yields. The metric is RMSE.\n")
    return folder


class Rows:
    """The last rows of the garden's train, held back; a test says how predictions are taken."""

    predicted = ("yield",)
    hidden = frozenset({"yield"})
    classes = frozenset({"poor", "rich"})

    def __init__(self, data: Path, check: Callable[[Path], object] | None = None) -> None:
        self.train = pd.read_csv(data / "train.csv", dtype=str)
        self.n_rows = N_HELD
        self._check = check

    @property
    def shown(self) -> pd.DataFrame:
        return self.train.iloc[:-N_HELD]

    @property
    def held_back(self) -> pd.DataFrame:
        rows = self.train.iloc[-N_HELD:].drop(columns="yield").reset_index(drop=True)
        return rows.reset_index(names=ROW)

    def check(self, path: Path) -> None:
        if self._check is not None:
            self._check(path)

    def compare(self, path: Path) -> Comparison:
        """Score by the mean of what is in the file, so that a test can choose it."""
        mean = float(pd.read_csv(path)["yield"].mean())
        return Comparison(round(mean, 6), 0.5, 0.1, higher_is_better=True)


def parted(data: Path, folder: Path, check: Callable[[Path], object] | None = None) -> Parted:
    return part(signatures.find(data), cast(Contest, Rows(data, check)), folder)


def settings(server: Server | None = None, **more: Any) -> AgentSettings:
    """Settings with short bounds, and nothing from the environment."""
    given = {
        "model_name": "scripted",
        "openai_base_url": server.url if server else None,
        "openai_api_key": KEY,
        "openrouter_api_key": None,
        "cell_seconds": 20.0,
        "grace_seconds": 0.5,
        "iterations": 8,
        "nudges": 2,
        "seconds": 60.0,
        "retries": 2,
        "memory_mb": 1500,
        "processes": 30,
    }
    return AgentSettings(**{**given, **more})


@dataclass
class Result:
    """One run of the agent, and what it left."""

    answer: AgentAnswer
    server: Server
    out: Path
    data: Path
    reports: list[str]

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = (self.out / "events.jsonl").read_text("utf-8").splitlines()
        return [event for event in map(json.loads, lines) if event["event"] == kind]

    @property
    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = json.loads((self.out / "answer.json").read_text("utf-8"))
        return record


def play(
    tmp_path: Path,
    *steps: Step,
    held_back: bool = False,
    check: Callable[[Path], object] | None = None,
    baseline: Path | None = None,
    **more: Any,
) -> Result:
    """Let the agent answer the garden task with a model that plays `steps`."""
    need_bubblewrap()
    data = garden(tmp_path / "tasks" / "garden")
    out = tmp_path / "out"
    out.mkdir()
    reports: list[str] = []
    with serving(*steps) as server:
        given = answer(
            data,
            out,
            settings=settings(server, **more),
            report=reports.append,
            baseline=baseline,
            parted=parted(data, tmp_path / "bench", check) if held_back else None,
        )
    return Result(given, server, out, data, reports)


def need_bubblewrap() -> None:
    """Skip where bubblewrap is not installed, but never in CI."""
    if shutil.which("bwrap") is None:
        reason = "no bubblewrap: the program bwrap is not on PATH"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI is set")
        pytest.skip(reason)
