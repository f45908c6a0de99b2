"""Deterministic, hand-written solvers for known tasks.

``solve`` is the main job: a dataset goes in, a submission and what is needed to make it again come
out. ``grade`` tells what a submission is worth. The heavy libraries are imported at the first use
of either, so that ``import solvers`` (and with it the command line's ``match`` and ``list``) stays
quick.
"""

from importlib import import_module
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
    from solvers.grading import Grade, grade
    from solvers.solution import Solution, resume, solve
    from solvers.solver import StackedSolver, load_solver
    from solvers.verdict import Verification
    from solvers.verification import verify

__all__ = [
    "AmbiguousTaskError",
    "BundleError",
    "Grade",
    "KnownTaskError",
    "MissingDependencyError",
    "RunFolderError",
    "SignatureError",
    "Solution",
    "StackedSolver",
    "SubmissionError",
    "TaskRejectedError",
    "UnknownTaskError",
    "Verification",
    "grade",
    "load_solver",
    "resume",
    "solve",
    "verify",
]

# Where each name lies that is imported at its first use.
_LATER = {
    "Grade": "grading",
    "Solution": "solution",
    "StackedSolver": "solver",
    "Verification": "verdict",
    "grade": "grading",
    "load_solver": "solver",
    "resume": "solution",
    "solve": "solution",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"solvers.{_LATER[name]}"), name)
    msg = f"module 'solvers' has no attribute {name!r}"
    raise AttributeError(msg)
