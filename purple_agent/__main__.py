"""``python -m purple_agent`` is the command ``solvers serve``."""

import typer

from purple_agent.command import serve

if __name__ == "__main__":
    typer.run(serve)
