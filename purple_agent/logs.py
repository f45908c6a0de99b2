"""Logs as JSON lines on stderr, each with the id of the task it is about."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

TASK: ContextVar[str] = ContextVar("task", default="")
LOGGER = logging.getLogger("purple_agent")


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, task, message, traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "task": TASK.get(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in line.items() if value}, ensure_ascii=False)


def log_as_json(level: int = logging.INFO) -> None:
    """Send all logs of this process to stderr, as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # The SDK writes whole requests to its debug log, and one line per request of a page that is
    # asked for every few seconds says nothing.
    for name in ("a2a", "httpx", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.WARNING)
