"""A dataset's runs taken together: means over the seeds, with their standard errors."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from solvers.bench.rows import Bench, Row


@dataclass(frozen=True)
class Mean:
    """A mean over `n` seeds and its standard error, ``sd / sqrt(n)``; None for a single seed."""

    mean: float
    sem: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Self | None:
        """Average values; None if there are none.

        Examples
        --------
        >>> Mean.of([1.0, 2.0, 3.0, 4.0])
        Mean(mean=2.5, sem=0.6454972243679028, n=4)
        """
        if not values:
            return None
        n = len(values)
        sem = statistics.stdev(values) / math.sqrt(n) if n > 1 else None
        return cls(statistics.fmean(values), sem, n)


@dataclass(frozen=True)
class Summary:
    """The finished runs of one dataset.

    Attributes
    ----------
    seeds : tuple of int
        Of the finished runs.
    n_failed : int
        How many runs have no result.
    models : mapping
        Each model's and blend's mean of the runs' out-of-fold scores.
    used, medals, verdicts : mapping
        How many runs each was the case in.
    graded : Mean or None
        Of the submissions' scores against the answers.
    cpu_seconds, seconds : float or None
        Means; `seconds` over the runs that were never stopped.
    peak_mb : float or None
        The largest of these, in 10^6 bytes.
    """

    name: str
    task: str
    seeds: tuple[int, ...]
    n_failed: int
    n_train: int | None
    metric: str | None
    higher_is_better: bool | None
    models: Mapping[str, Mean]
    used: Mapping[str, int]
    graded: Mean | None
    medals: Mapping[str, int]
    cpu_seconds: float | None
    seconds: float | None
    peak_mb: float | None
    verdicts: Mapping[str, int]


def summaries(bench: Bench) -> tuple[Summary, ...]:
    """Summarise each dataset of which a run was tried, in the order of the rows."""
    return tuple(_summary(list(rows)) for _, rows in groupby(bench.rows, key=lambda row: row.name))


def _summary(rows: Sequence[Row]) -> Summary:
    results = [row.result for row in rows if row.result is not None]
    first = results[0] if results else None
    whole = [result for result in results if result.sittings == 1]
    names = dict.fromkeys(name for result in results for name in result.models)
    means = {
        name: Mean.of([result.models[name].mean for result in results if name in result.models])
        for name in names
    }
    graded = [row.graded for row in rows if row.graded is not None]
    cpu, seconds = (
        Mean.of([result.cpu_seconds for result in results]),
        Mean.of([result.seconds for result in whole]),
    )
    return Summary(
        name=rows[0].name,
        task=rows[0].task,
        seeds=tuple(row.seed for row in rows if row.result is not None),
        n_failed=len(rows) - len(results),
        n_train=first.n_train if first else None,
        metric=first.metric if first else None,
        higher_is_better=first.higher_is_better if first else None,
        models={name: mean for name, mean in means.items() if mean is not None},
        used=_counts(result.used for result in results),
        graded=Mean.of([grade.score for grade in graded if grade.score is not None]),
        medals=_counts(grade.medal for grade in graded if grade.score is not None),
        cpu_seconds=cpu.mean if cpu else None,
        seconds=seconds.mean if seconds else None,
        peak_mb=max((result.peak_mb for result in whole), default=None),
        verdicts=_counts(row.verdict for row in rows),
    )


def _counts(values: Iterable[str | None]) -> dict[str, int]:
    """Count values, in alphabetical order; what is None is not counted."""
    counted = Counter(value for value in values if value is not None)
    return dict(sorted(counted.items()))
