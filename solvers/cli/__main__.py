"""``python -m solvers.cli`` is the command ``solvers``."""

from solvers.cli.commands import main

if __name__ == "__main__":
    main()
