"""The solvers as a service: an agent that is sent a dataset over A2A and answers a submission.

The server imports no library that fits models. Each task is worked on in a process of its own,
by `purple_agent.work`, with a folder of its own that outlives both.

``serve`` starts it; ``python -m purple_agent`` and ``solvers serve`` do the same.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from purple_agent.server import serve
    from purple_agent.settings import Settings

__all__ = ["Settings", "serve"]

_LATER = {"Settings": "settings", "serve": "server"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"purple_agent.{_LATER[name]}"), name)
    msg = f"module 'purple_agent' has no attribute {name!r}"
    raise AttributeError(msg)
