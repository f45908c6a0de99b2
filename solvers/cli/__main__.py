"""``python -m solvers.cli`` is the command ``solvers``."""

from solvers.cli import main

if __name__ == "__main__":
    main()
