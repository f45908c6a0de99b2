"""Find the answers of each dataset, and grade submissions against them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from signatures import REGISTRY, BundleError, RunFolderError
from signatures.wording import quoted
from solvers.bench.datasets import Dataset
from solvers.bench.rows import Graded
from solvers.grading import grade
from solvers.grading.answers import read_answers
from solvers.run_folder import SUBMISSION

# Where a folder holds several csv files, the answers are the first of these.
_USUAL = ("answers.csv", "test.csv")


def find_answers(folder: str | Path | None, datasets: Sequence[Dataset]) -> dict[str, Path]:
    """Find answers and read them, before anything is run that is to be held against them.

    They are ``<name>.csv``, else the csv file in ``<name>/``; of several there ``answers.csv``,
    else ``test.csv``. The name of a dataset is its task, with a number from the second of a task
    on.

    Returns
    -------
    dict
        The file of each dataset that has one, by name.

    Raises
    ------
    RunFolderError
        If there is no such folder, or no answers of any dataset in it, or several of one.
    BundleError
        If they cannot be read, or are none of the task.
    """
    if folder is None:
        return {}
    place = Path(folder)
    if not place.is_dir():
        raise RunFolderError(str(folder), "is not a folder", "Give the folder of the answers.")
    found = {
        dataset.name: path
        for dataset in datasets
        if (path := _find(place, dataset.name)) is not None
    }
    if not found:
        names = [f"{dataset.name}.csv" for dataset in datasets]
        problem = f"holds the answers of none of the datasets: neither {quoted(names)} nor a csv "
        raise RunFolderError(str(folder), f"{problem}file in a subfolder of that name")
    for dataset in datasets:
        if dataset.name in found:
            read_answers(found[dataset.name], dataset.task, REGISTRY)
    return found


def _find(place: Path, name: str) -> Path | None:
    alone, folder = place / f"{name}.csv", place / name
    if alone.is_file():
        return alone
    files = {path.name: path for path in sorted(folder.glob("*.csv"))} if folder.is_dir() else {}
    if len(files) <= 1:
        return next(iter(files.values()), None)
    for usual in _USUAL:
        if usual in files:
            return files[usual]
    problem = f"holds several csv files, {quoted(files)}"
    raise RunFolderError(str(folder), problem, "Call the answers answers.csv.")


def graded(run: Path, task: str, answers: Path) -> Graded:
    """Grade the submission of a run; what cannot be graded says why."""
    try:
        result = grade(run / SUBMISSION, answers=answers, task=task)
    except BundleError as error:  # changed since the bench began
        return Graded(None, None, (str(error),))
    if result.score is None:
        return Graded(None, None, result.failures)
    lines: Mapping[str, float] = result.lines.known()
    medal = (result.medal or "none") if lines else None
    return Graded(result.score, medal, ())
