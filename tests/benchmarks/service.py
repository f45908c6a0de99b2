"""Measure the service: how soon the card comes, what it adds to a solver's time, a large archive,
many tasks at once.

Run it by ``python -m tests.benchmarks.service``; with real data ``--data DIR``.
"""

import json
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import httpx
import psutil
import typer

from signatures import REGISTRY
from tests.purple_agent.service import STAND_INS, Service
from tests.purple_agent.wire import file_part, packed, request, state, submissions

MEGABYTE = 2**20


def measure(
    data: Annotated[Path | None, typer.Option(help="Spaceship data; else synthetic.")] = None,
    profile: Annotated[str, typer.Option(help="Of the single task.")] = "quick",
    pairs: Annotated[int, typer.Option(min=1)] = 3,
    megabytes: Annotated[int, typer.Option(min=1, help="Of the large archive.")] = 200,
    tasks: Annotated[int, typer.Option(min=1, help="At once, profile quick.")] = 8,
) -> None:
    """Print what was measured, a line each."""
    with tempfile.TemporaryDirectory(prefix="service-") as name:
        folder = Path(name)
        dataset = data or _synthetic(folder / "data")
        typer.echo(json.dumps({"seconds to card": _cards(folder, 3)}))
        typer.echo(json.dumps(_added(folder, dataset, profile, pairs)))
        typer.echo(json.dumps(_large(folder, megabytes)))
        typer.echo(json.dumps(_many(folder, dataset, tasks)))


def _synthetic(folder: Path) -> Path:
    folder.mkdir()
    tables = REGISTRY["spaceship-titanic"].load_solver().example(2000, 500, 0)
    for name, table in zip(("train", "test", "sample_submission"), tables, strict=True):
        table.to_csv(folder / f"{name}.csv", index=False)
    return folder


@contextmanager
def _service(home: Path, **settings: object) -> Iterator[Service]:
    service = Service(home, agent=f"{STAND_INS}:no_agent", **settings)
    try:
        yield service
    finally:
        service.end()


def _cards(folder: Path, times: int) -> list[float]:
    found = []
    for number in range(times):
        with _service(folder / f"card{number}") as service:
            found.append(round(service.seconds_to_card, 2))
    return found


def _added(folder: Path, data: Path, profile: str, pairs: int) -> dict[str, Any]:
    """Compare a task over the wire with the command line, in pairs."""
    archive = packed(data)
    alone, served = [], []
    with _service(folder / "added", profile=profile) as service:
        for number in range(pairs):
            words = [sys.executable, "-m", "solvers.cli", "solve", str(data), "--no-report"]
            words += ["--profile", profile, "--out", str(folder / f"alone{number}")]
            began = time.monotonic()
            subprocess.run(words, check=True, capture_output=True)
            alone.append(time.monotonic() - began)
            events = list(service.send(archive))
            served += [event["at"] for event in events if event["kind"] == "artifact-update"]
            expected = (folder / f"alone{number}" / "submission.csv").read_bytes()
            assert submissions(events)[-1] == expected
    more = [there - here for here, there in zip(alone, served, strict=True)]
    return {
        "profile": profile,
        "command line, s": _rounded(alone),
        "request to artifact, s": _rounded(served),
        "more, median s": round(statistics.median(more), 2),
    }


def _large(folder: Path, megabytes: int) -> dict[str, Any]:
    """Send an archive that does not compress, and watch the memory of the service."""
    data = folder / "large"
    data.mkdir()
    (data / "train.csv").write_text("flower,petals,smell\n1,5,0\n2,6,1\n")
    (data / "test.csv").write_text("flower,petals\n5,5\n")
    (data / "sample_submission.csv").write_text("flower,smell\n5,0\n")
    (data / "images.bin").write_bytes(random.Random(0).randbytes(megabytes * MEGABYTE))
    with tarfile.open(folder / "large.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.add(data, arcname="home/data")
    body = folder / "body.json"
    body.write_text(json.dumps(request([file_part((folder / "large.tar.gz").read_bytes())])))
    with (
        _service(folder / "much", baseline=f"{STAND_INS}:baseline") as service,
        _watched(service.process.pid) as peak,
    ):
        began = time.monotonic()
        events = _sent(service.url, body)
        seconds = time.monotonic() - began
    return {
        "archive, MB": round((folder / "large.tar.gz").stat().st_size / MEGABYTE),
        "ended as": state(events),
        "seconds": round(seconds, 1),
        "peak memory, MB": {name: round(value / MEGABYTE) for name, value in peak.items()},
    }


def _sent(url: str, body: Path) -> list[dict[str, Any]]:
    """Send a body from the disk, and return the results of the stream."""
    headers = {"content-type": "application/json"}
    with (
        body.open("rb") as stream,
        httpx.stream("POST", url, content=stream, headers=headers, timeout=300) as response,
    ):
        lines = [line for line in response.iter_lines() if line.startswith("data:")]
    return [json.loads(line.removeprefix("data:"))["result"] for line in lines]


@contextmanager
def _watched(pid: int) -> Iterator[dict[str, float]]:
    """Sample the memory of a process, and of what it has started."""
    peak: dict[str, float] = {"server": 0.0, "workers": 0.0}
    server, over = psutil.Process(pid), threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            with suppress(psutil.NoSuchProcess):
                workers = sum(p.memory_info().rss for p in server.children(recursive=True))
                peak["server"] = max(peak["server"], server.memory_info().rss)
                peak["workers"] = max(peak["workers"], workers)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def _many(folder: Path, data: Path, tasks: int) -> dict[str, Any]:
    """Send many tasks at once; measure silences, and how long the service takes to say hello."""
    archive = packed(data)
    with (
        _service(folder / "many", profile="quick", waiting=tasks) as service,
        ThreadPoolExecutor(tasks) as pool,
        _asked(lambda: service.get("/healthz")) as answers,
    ):
        began = time.monotonic()
        streams = list(pool.map(lambda _: list(service.send(archive)), range(tasks)))
        seconds = time.monotonic() - began
    gaps = [b["at"] - a["at"] for events in streams for a, b in pairwise(events)]
    return {
        "tasks at once": tasks,
        "ended as": sorted({state(events) for events in streams}),
        "submissions alike": len({submissions(events)[-1] for events in streams}) == 1,
        "seconds": round(seconds, 1),
        "longest silence, s": round(max(gaps), 1),
        "slowest /healthz, s": round(max(answers), 2),
        "answers of /healthz": len(answers),
    }


@contextmanager
def _asked(ask: Callable[[], object]) -> Iterator[list[float]]:
    """Ask again and again, and time the answers."""
    seconds: list[float] = []
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(0.5):
            began = time.monotonic()
            ask()
            seconds.append(time.monotonic() - began)

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield seconds
    finally:
        over.set()
        thread.join()


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 1) for value in values]


if __name__ == "__main__":
    typer.run(measure)
