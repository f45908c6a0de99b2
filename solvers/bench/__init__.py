"""Several datasets and seeds, each run in its own process, and what came out in one table."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from solvers.bench.answers import find_answers
from solvers.bench.asked import Asked, check_profile, check_seeds, parse_seeds
from solvers.bench.bench_folder import default_folder, opened
from solvers.bench.datasets import find_datasets
from solvers.bench.rows import SCHEMA_VERSION, Bench, Row
from solvers.bench.sitting import Sitting, Tell
from solvers.bench.work import TooMuchWorkError, work_of
from solvers.workers import usable_cpus

__all__ = ["Bench", "Row", "TooMuchWorkError", "bench", "parse_seeds"]


def bench(
    paths: Iterable[str | Path],
    *,
    seeds: Sequence[int] = (0,),
    profile: str = "full",
    answers: str | Path | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    verify: bool = True,
    max_fits: int | None = None,
    tell: Tell | None = None,
    progress: bool = False,
) -> Bench:
    """Solve each dataset with each seed, one run at a time, and put what came out in a table.

    Each run, and each verification, is a process of its own. One that fails becomes a row that
    says so, and the others go on. What was seen is written after each run: a bench that was
    stopped goes on if it is started again with the same `out`.

    Parameters
    ----------
    paths : iterable of path
        Datasets, or folders of datasets with a subfolder for each.
    seeds : sequence of int
        Of the runs; each makes its own folds, and fits with them.
    profile : {"full", "quick"}
        Of every run.
    answers : path, optional
        A folder with the answers, ``<task>.csv`` or ``<task>/answers.csv``: submissions are graded.
    jobs : int, optional
        Processes to fit in; by default the CPUs that may be used.
    out : path, optional
        Where the runs go and stay; by default ``runs/bench/<UTC time>`` in the working directory.
    verify : bool
        Whether each run is done a second time and compared.
    max_fits : int, optional
        The bound: a bench with more fits, those of verifications included, is not begun.
    tell : function, optional
        Called with a line of progress before and after each run.
    progress : bool
        Whether the runs' processes may write their progress to stderr.

    Returns
    -------
    Bench

    Raises
    ------
    ValueError
        If seeds, profile or jobs cannot be, or there is no path.
    UnknownTaskError
        If a path is no known task and holds none.
    TooMuchWorkError
        If `max_fits` is not enough.
    RunFolderError
        If `out` or `answers` cannot be used.
    BundleError
        If data or answers cannot be read.
    OSError
        If what was seen cannot be written down. It alone can be raised once a run has begun.
    """
    check_profile(profile, jobs)
    rising = check_seeds(list(seeds))
    given = [Path(path) for path in paths]
    if not given:
        msg = "give at least one dataset"
        raise ValueError(msg)
    datasets, passed_over = find_datasets(given)
    place = None if answers is None else str(Path(answers).absolute())
    asked = Asked(datasets, rising, profile, jobs, verify, place)
    work = work_of(asked)
    if max_fits is not None and work.all_fits > max_fits:
        raise TooMuchWorkError(work.all_fits, max_fits, verify)
    folder = (default_folder(datetime.now(UTC)) if out is None else Path(out)).absolute()
    keys = find_answers(place, datasets)
    empty = Bench(SCHEMA_VERSION, asked, work, passed_over, str(folder), usable_cpus(), ())
    with opened(folder, given):
        return Sitting(empty, keys, tell or (lambda line: None), progress=progress).take()
