"""The first draft of a known task: a signature, a solver and a test, told from a dataset.

What the data ask and what each column holds is told by the baseline's own inference; here it is
written down as code for people to go on from.
"""

from solvers.draft.errors import DraftError

__all__ = ["DraftError"]
