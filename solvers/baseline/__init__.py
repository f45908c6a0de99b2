"""The baseline: the same pipeline for a table that no one has a solver for.

What is asked and what each column holds is told from names and values; no knowledge of the domain
goes in. The folds, models, stack, checks and record are those of known tasks.
"""

from solvers.baseline.run import run_baseline

__all__ = ["run_baseline"]
