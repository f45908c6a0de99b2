"""The log of one run: stages timed and measured, events with levels, and whoever watches told.

Each line of ``log.jsonl`` is one JSON object with ``time``, ``level`` and ``event``. The same
records go to the standard logger ``solvers``, for programs that embed this one.
"""

import json
import logging
import time
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from solvers.files import drop_half_a_line
from solvers.memory import watched

LOGGER = logging.getLogger("solvers")
LOGGER.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Stage:
    """One stage that has ended. `peak_mb`: largest memory of all processes together, sampled."""

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
    score: float | None


class Watcher(Protocol):
    """Told of a run's progress."""

    def stage_begins(self, name: str) -> None:
        """A stage begins."""

    def stage_ends(self, stage: Stage) -> None:
        """A stage has ended."""

    def fit_ends(self, end: FitEnd) -> None:
        """A fit has ended."""


class Log:
    """Times the stages of one run and keeps its events, in a file once there is one."""

    def __init__(self, watcher: Watcher | None = None) -> None:
        self.stages: list[Stage] = []
        self.watcher = watcher
        # Of this run alone, so that two runs in one process keep two logs.
        self._logger = logging.Logger("solvers.run", logging.DEBUG)
        self._logger.parent = LOGGER
        self._early: list[logging.LogRecord] = []

    @contextmanager
    def writing_to(self, path: Path) -> Iterator[None]:
        """Append to `path` what has been logged so far, and each event during the block."""
        drop_half_a_line(path)
        with closing(_JsonLines(path, encoding="utf-8")) as lines:
            self._logger.addHandler(lines)
            for record in self._early:
                lines.handle(record)
            self._early.clear()
            try:
                yield
            except BaseException as error:
                self._last_words(error)
                raise
            finally:
                self._logger.removeHandler(lines)

    def _last_words(self, error: BaseException) -> None:
        """Log why a run stops, with the traceback; where that is refused, go without."""
        trace = "".join(traceback.format_exception(error))
        with suppress(OSError):
            self.event(logging.ERROR, "stopped", reason=str(error), traceback=trace)

    def event(self, level: int, event: str, **details: Any) -> None:
        """Log one event; `details` must be JSON values."""
        record = self._logger.makeRecord(
            self._logger.name, level, "", 0, event, (), None, extra={"details": details}
        )
        if not self._logger.handlers:
            self._early.append(record)
        self._logger.handle(record)

    @contextmanager
    def stage(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage. What the caller puts into the yielded dict is logged with it.

        One key is special: ``note`` is one sentence for whoever watches.
        """
        if self.watcher is not None:
            self.watcher.stage_begins(name)
        started, clock = datetime.now(UTC), time.perf_counter()
        details: dict[str, Any] = {}
        with watched() as peak:
            yield details
        stage = Stage(
            stage=name,
            started=started.isoformat(timespec="milliseconds"),
            seconds=round(time.perf_counter() - clock, 3),
            peak_mb=round(peak.mb, 1),
            note=details.pop("note", ""),
        )
        self.stages.append(stage)
        self.event(logging.INFO, "stage", **asdict(stage), **details)
        if self.watcher is not None:
            self.watcher.stage_ends(stage)


class _JsonLines(logging.FileHandler):
    """A file of JSON lines that does not swallow its errors: a full disk stops the run."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one event as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": at, "level": record.levelname.lower(), "event": record.getMessage()}
        return json.dumps({**line, **getattr(record, "details", {})}, ensure_ascii=False)

    def handleError(self, record: logging.LogRecord) -> None:
        """Raise what happened."""
        raise
