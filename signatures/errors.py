"""Everything that can go wrong on purpose, as one tree.

Each class also derives from the built-in that fits, builds its sentence from its arguments, keeps
these as attributes, and survives pickling, so it can cross from a worker process to its parent.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from signatures.columns import Near
from signatures.wording import counted, quoted, sentences

LISTED = 40  # failures that one message lists; a contract with more columns than that is rare


class KnownTaskError(Exception):
    """Base of every error raised on purpose."""

    fields: ClassVar[tuple[str, ...]] = ()  # attributes, in the order `__init__` takes them

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parts: the default would hand the finished sentence to `__init__`."""
        return type(self), tuple(getattr(self, name) for name in self.fields), vars(self)


class UnknownTaskError(KnownTaskError, LookupError):
    """No signature fits the data. This one goes to the fallback.

    Attributes
    ----------
    reason : str
        The message without what to do about it.
    """

    fields = ("where", "why", "nearest", "next")

    def __init__(self, where: str, why: str, nearest: Near | None = None, next: str = "") -> None:
        self.where, self.why, self.nearest, self.next = where, why, nearest, next
        parts = [f"{where!r} is no known task: {why}"]
        if nearest is not None:
            parts.append(f"The nearest is {nearest.slug!r}, with {nearest.difference}")
        self.reason = sentences(parts)
        super().__init__(sentences([*parts, next]))


class AmbiguousTaskError(KnownTaskError, LookupError):
    """Several signatures fit equally well: a mistake in the registry, never settled by a guess."""

    fields = ("where", "matches")

    def __init__(self, where: str, matches: Iterable[str]) -> None:
        self.where, self.matches = where, tuple(matches)
        super().__init__(
            f"{counted(len(self.matches), 'known task')} fit {where!r} equally well: "
            f"{quoted(self.matches)}. Make their key columns tell them apart, or remove all but "
            "one of them."
        )


class SignatureError(KnownTaskError, ValueError):
    """A signature file, or a place that should hold some, is wrong."""

    fields = ("path", "problem", "what")

    def __init__(self, path: str, problem: str, what: str = "signature") -> None:
        self.path, self.problem, self.what = str(path), problem, what
        super().__init__(sentences([f"The {what} {self.path!r} cannot be used: {problem}"]))


class BundleError(KnownTaskError, ValueError):
    """The data handed over cannot be read, or cannot be told apart.

    Attributes
    ----------
    where : str
        The file or folder.
    problem : str
        What is wrong with it, as the rest of a sentence that starts with its name.
    next : str
        What to do about it.
    """

    fields = ("where", "problem", "next")

    def __init__(self, where: str, problem: str, next: str = "") -> None:
        self.where, self.problem, self.next = str(where), problem, next
        super().__init__(sentences([f"{self.where!r} {problem}", next]))


class TaskRejectedError(KnownTaskError, ValueError):
    """The columns fit a task and the values do not. This one goes to the fallback."""

    fields = ("slug", "failures")

    def __init__(self, slug: str, failures: Iterable[str]) -> None:
        self.slug, self.failures = slug, tuple(failures)
        super().__init__(
            f"{slug!r} declined this data:{_all(self.failures)}"
            "Fix the file, or the contract if the task is yours, and run again."
        )


class MissingDependencyError(KnownTaskError, ImportError):
    """A library that the work needs is not installed."""

    fields = ("library", "extra")

    def __init__(self, library: str, extra: str = "") -> None:
        self.library, self.extra = library, extra
        wanted = f"known-task-solvers[{extra}]" if extra else library
        super().__init__(
            f"The library {library!r} is needed and not installed. "
            f'Install it with: pip install "{wanted}"',
            name=library,
        )


class SubmissionError(KnownTaskError, ValueError):
    """The rows, ids, columns or values of a submission are not those of the sample submission."""

    fields = ("failures",)

    def __init__(self, failures: Iterable[str]) -> None:
        self.failures = tuple(failures)
        super().__init__(
            f"The submission would not be graded:{_all(self.failures)}"
            "Compare it with the sample submission."
        )


class RunFolderError(KnownTaskError, OSError):
    """The folder for the results cannot be used."""

    fields = ("path", "problem", "next")

    def __init__(self, path: str, problem: str, next: str = "") -> None:
        self.path, self.problem, self.next = str(path), problem, next
        super().__init__(sentences([f"{self.path!r} {problem}", next]))


def _all(failures: tuple[str, ...]) -> str:
    """Return one failure as a sentence, or several as a list: whoever mends a file wants all."""
    whole = [sentences([failure]) for failure in failures]
    if len(whole) == 1:
        return f" {whole[0]} "
    shown = "".join(f"\n- {failure}" for failure in whole[:LISTED])
    rest = f"\n- and {len(whole) - LISTED:,} more." if len(whole) > LISTED else ""
    return f"{shown}{rest}\n"
