"""Which walls the sandbox has: those of bubblewrap, or none but limits where that is allowed."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from purple_agent.sandbox import bubblewrap
from purple_agent.sandbox.errors import SandboxError
from purple_agent.sandbox.limits import Limits

Otherwise = Literal["refuse", "limits"]


@dataclass(frozen=True)
class Walls:
    """How a process is started so that it is in the sandbox.

    Attributes
    ----------
    record : str
        What they are, for the record of a run.
    prefix : tuple of str
        The start of the command line.
    closed : bool
        Whether they hide files, processes and the network.
    """

    record: str
    prefix: tuple[str, ...]
    closed: bool


def build(data: Path, work: Path, sockets: Path, limits: Limits, *, otherwise: Otherwise) -> Walls:
    """Build the walls around `work`, or say why that is not done.

    Raises
    ------
    SandboxError
        If bubblewrap cannot be used and `otherwise` is ``"refuse"``.
    """
    reason = bubblewrap.why_not(data, work, sockets, limits)
    if not reason:
        prefix = bubblewrap.command(data, work, sockets, limits)
        return Walls("bubblewrap", tuple(prefix), closed=True)
    if otherwise == "refuse":
        raise SandboxError(
            reason,
            "Install bubblewrap and allow user namespaces, or set SOLVERS_AGENT_WITHOUT_BUBBLEWRAP="
            "limits to run a model's code with the rights of this user",
        )
    # Not a link: nothing but its own copy keeps the data from code that deletes them.
    copy = work / bubblewrap.DATA
    if not copy.exists():
        shutil.copytree(data, copy)
    return Walls(f"limits only: {reason}", (), closed=False)
