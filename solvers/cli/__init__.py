"""The command line.

It imports nothing heavy before a command needs it: ``match`` and ``list`` answer at once.
"""

from solvers.cli.commands import app, main

__all__ = ["app", "main"]
