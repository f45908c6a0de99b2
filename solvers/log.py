"""The stages of a run: timed, logged as JSON lines, and told to whoever watches."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from solvers.environment import peak_mb


@dataclass(frozen=True)
class Stage:
    """One stage that has ended. `peak_mb`: largest memory so far; of fits, over all processes."""

    stage: str
    started: str
    seconds: float
    peak_mb: float
    note: str


@dataclass(frozen=True)
class FitEnd:
    """`done` of `total` fits have ended; `score` is the model's mean over its folds so far."""

    model: str
    done: int
    total: int
    cpu_seconds: float
    score: float


class Watcher(Protocol):
    """Told of a run's progress."""

    def stage_begins(self, name: str) -> None:
        """A stage begins."""

    def stage_ends(self, stage: Stage) -> None:
        """A stage has ended."""

    def fit_ends(self, end: FitEnd) -> None:
        """A fit has ended."""


class Log:
    """Times the stages of one run; writes each to a file as it ends, once there is a file."""

    def __init__(self, watcher: Watcher | None = None) -> None:
        self.stages: list[Stage] = []
        self.watcher = watcher
        self._lines: list[str] = []
        self._path: Path | None = None

    def write_to(self, path: Path) -> None:
        """Write the stages so far to `path`, and from now on each as it ends."""
        path.write_text("".join(self._lines), encoding="utf-8")
        self._path = path

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage. What the caller puts into the yielded dict is logged with it.

        Two keys are special: ``note`` is one sentence for whoever watches, and
        ``workers_peak_mb`` is added to this process's own peak memory.
        """
        if self.watcher is not None:
            self.watcher.stage_begins(name)
        started, clock = datetime.now(UTC), time.perf_counter()
        details: dict[str, Any] = {}
        yield details
        stage = Stage(
            stage=name,
            started=started.isoformat(timespec="milliseconds"),
            seconds=round(time.perf_counter() - clock, 3),
            peak_mb=round(peak_mb() + details.pop("workers_peak_mb", 0.0), 1),
            note=details.pop("note", ""),
        )
        self._keep(stage, details)
        if self.watcher is not None:
            self.watcher.stage_ends(stage)

    def _keep(self, stage: Stage, details: dict[str, Any]) -> None:
        self.stages.append(stage)
        line = json.dumps({**asdict(stage), **details}) + "\n"
        self._lines.append(line)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)
