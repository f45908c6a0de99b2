"""The command line.

It imports nothing heavy before a command needs it: ``match`` and ``list`` answer at once.
"""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from solvers.cli.commands import app

        app()
    except KeyboardInterrupt:
        # Before a command, which answers for itself, has begun.
        sys.stderr.write("solvers: Interrupted. Nothing was kept.\n")
        sys.exit(130)
