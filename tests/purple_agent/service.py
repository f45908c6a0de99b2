"""A service in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.purple_agent.wire import Client

ROOT = Path(__file__).resolve().parents[2]
STAND_INS = "tests.purple_agent.stand_ins"


class Service(Client):
    """A service that was started for a test."""

    def __init__(self, home: Path, **settings: object) -> None:
        self.home, self.settings = home, settings
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        super().__init__(f"http://127.0.0.1:{self.port}/")
        self.start()

    def start(self) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SOLVERS_", "MODEL_"))}
        given = {f"SOLVERS_AGENT_{k.upper()}": str(v) for k, v in self.settings.items()}
        words = [sys.executable, "-m", "purple_agent", "--port", str(self.port)]
        began = time.monotonic()
        self.log = self.home.with_name(f"{self.home.name}.log")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*words, "--home", str(self.home)], stdout=log, stderr=log, cwd=ROOT,
                env={**kept, "PYTHONPATH": str(ROOT), **given},
            )  # fmt: skip
        while True:
            try:
                self.card = self.get("/.well-known/agent-card.json").json()
                break
            except httpx.TransportError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() - began < 30
                time.sleep(0.05)
        self.seconds_to_card = time.monotonic() - began

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)

    def folder(self, task: str) -> Path:
        return self.home / "tasks" / task
