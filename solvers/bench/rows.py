"""What a bench has seen, run by run: plain facts, which ``bench.json`` holds and tables show."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from solvers.bench.asked import Asked
from solvers.bench.datasets import PassedOver
from solvers.bench.work import Work

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Failure:
    """Why something was not done, and the exit code of the process that was to do it."""

    exit_code: int
    message: str

    @property
    def in_few_words(self) -> str:
        """The beginning of the message, for a table."""
        line = " ".join(self.message.split())
        return line if len(line) <= 70 else f"{line[:67].rstrip()}..."


@dataclass(frozen=True)
class OutOfFold:
    """A score of one run: mean and standard error over its fold seeds; None for a single one."""

    mean: float
    sem: float | None


@dataclass(frozen=True)
class Result:
    """What the record of a finished run says of it; nothing here is computed anew.

    Attributes
    ----------
    n_train : int or None
        Rows of the training table; None if the run's predictions are gone.
    models : mapping
        Each base model's out-of-fold score, then the average's and the stack's.
    used : str
        The blend that was submitted.
    protocol : str
        How the scores were made.
    fits, rounds : int
        What was done.
    cpu_seconds : float
        Of all fits.
    seconds, peak_mb : float
        Of the run's last sitting, which is the whole run if there was one; memory in 10^6 bytes.
    sittings : int
        More than one if it was stopped and went on.
    """

    n_train: int | None
    metric: str
    higher_is_better: bool
    models: Mapping[str, OutOfFold]
    used: str
    protocol: str
    fits: int
    rounds: int
    cpu_seconds: float
    seconds: float
    peak_mb: float
    sittings: int
    jobs: int
    finished: str
    code: str
    python: str
    cpu: str
    submission_sha256: str


@dataclass(frozen=True)
class Graded:
    """A submission held against the answers; `medal` is "none" without one, None without lines."""

    score: float | None
    medal: str | None
    failures: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One run: a dataset and a seed. Without `result` it failed, and `error` says why.

    `unverified` says why there is no `verdict` though one was asked for.
    """

    name: str
    task: str
    seed: int
    run: str
    error: Failure | None = None
    result: Result | None = None
    verdict: str | None = None
    unverified: Failure | None = None
    graded: Graded | None = None

    @property
    def failed(self) -> bool:
        """Whether anything that was asked for was not done, or not fit to be handed in."""
        invalid = self.graded is not None and self.graded.score is None
        return self.error is not None or self.unverified is not None or invalid


@dataclass(frozen=True)
class Bench:
    """Several datasets and seeds, and what came out.

    Attributes
    ----------
    schema_version : int
        Of ``bench.json``.
    asked : Asked
        The arguments.
    work : Work
        How much it is, known beforehand.
    passed_over : tuple of PassedOver
        Subfolders without a known task.
    out : str
        The folder of the runs, absolute.
    cpus : int
        How many CPUs could be used.
    rows : tuple of Row
        By dataset, then seed.
    """

    schema_version: int
    asked: Asked
    work: Work
    passed_over: tuple[PassedOver, ...]
    out: str
    cpus: int
    rows: tuple[Row, ...]

    @property
    def done(self) -> bool:
        """Whether every run has been tried."""
        return len(self.rows) == self.work.runs

    @property
    def failed(self) -> tuple[Row, ...]:
        """The rows of which something was not done."""
        return tuple(row for row in self.rows if row.failed)

    @property
    def different(self) -> tuple[Row, ...]:
        """The rows that came out differently the second time."""
        return tuple(row for row in self.rows if row.verdict == "different")

    @property
    def exit_code(self) -> int:
        """1 if anything failed, else 5 if a verification found a difference, else 0."""
        if self.failed:
            return 1
        return 5 if self.different else 0

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as JSON values, with a summary of each dataset over the seeds."""
        from solvers.bench.summary import summaries

        return {**asdict(self), "summaries": [asdict(summary) for summary in summaries(self)]}

    def to_markdown(self) -> str:
        """Give a page with a row for each run and a mean for each dataset."""
        from solvers.bench.markdown import page

        return page(self)
