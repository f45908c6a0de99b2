"""Deterministic, hand-written solvers for known tasks.

``solve`` is the whole of it: a dataset goes in, a submission and what is needed to make it again
come out. The heavy libraries are imported at the first use of `solve`, so that ``import solvers``
(and with it the command line's ``match`` and ``list``) stays quick.
"""

from typing import TYPE_CHECKING, Any

from signatures import (
    AmbiguousTaskError,
    BundleError,
    KnownTaskError,
    MissingDependencyError,
    RunFolderError,
    SignatureError,
    SubmissionError,
    TaskRejectedError,
    UnknownTaskError,
)

if TYPE_CHECKING:
    from solvers.solution import Solution, solve

__all__ = [
    "AmbiguousTaskError",
    "BundleError",
    "KnownTaskError",
    "MissingDependencyError",
    "RunFolderError",
    "SignatureError",
    "Solution",
    "SubmissionError",
    "TaskRejectedError",
    "UnknownTaskError",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name in {"solve", "Solution"}:
        from solvers import solution

        return getattr(solution, name)
    msg = f"module 'solvers' has no attribute {name!r}"
    raise AttributeError(msg)
