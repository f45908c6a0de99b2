"""A sandbox for code that a model wrote: no network, no environment, no files but its own."""

from purple_agent.sandbox.cells import Outcome, Sandbox
from purple_agent.sandbox.errors import SandboxError
from purple_agent.sandbox.limits import Limits
from purple_agent.sandbox.output import Output

__all__ = ["Limits", "Outcome", "Output", "Sandbox", "SandboxError"]
