"""The datasets of a bench: what each path is, or holds, and which task that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import signatures
from signatures import BundleError, Match, UnknownTaskError
from signatures.wording import counted, quoted

_UNKNOWN = "is no known task"
_Tasks = dict[Path, tuple[str, Path]]  # resolved path: slug, and the path as it was given


@dataclass(frozen=True)
class Dataset:
    """A dataset of a known task.

    Attributes
    ----------
    name : str
        What rows and run folders call it: its task, and a number from the second of a task on.
    task : str
        The slug.
    path : str
        Absolute.
    """

    name: str
    task: str
    path: str


@dataclass(frozen=True)
class PassedOver:
    """A subfolder that is no dataset of a known task, and why."""

    path: str
    reason: str


def find_datasets(
    paths: Iterable[str | Path],
) -> tuple[tuple[Dataset, ...], tuple[PassedOver, ...]]:
    """Find the datasets that paths are, or, where a path is a folder of datasets, that it holds.

    A folder holds datasets if several of its direct subfolders match a known task, or if it
    matches none itself and one of them does.

    Returns
    -------
    datasets : tuple of Dataset
        By name, each once; of several of one task, in the order of their paths.
    passed_over : tuple of PassedOver
        The other subfolders of the folders of datasets.

    Raises
    ------
    UnknownTaskError
        If a path is no known task and holds none.
    BundleError
        If it cannot be read at all.
    """
    tasks: _Tasks = {}
    passed: dict[str, str] = {}
    for path in paths:
        found, others = _look(Path(path).absolute())
        tasks |= found
        passed |= others
    return _named(tasks), tuple(PassedOver(path, passed[path]) for path in sorted(passed))


def _look(path: Path) -> tuple[_Tasks, dict[str, str]]:
    try:
        match = signatures.match(path)
    except (UnknownTaskError, BundleError) as error:
        found, others = _inside(path)
        if found:
            return found, others
        raise _none_of(path, others) or error from None
    if _is_nested(match):
        found, others = _inside(path)
        if len(found) > 1:
            return found, others
    return {path.resolve(): (match.slug, path)}, {}


def _is_nested(match: Match) -> bool:
    """Tell whether the training table lies in a subfolder, beside which may lie other datasets."""
    train = match.bundle.train
    return not match.bundle.is_archive and train is not None and "/" in train.name


def _inside(path: Path) -> tuple[_Tasks, dict[str, str]]:
    """Match each subfolder by itself."""
    found: _Tasks = {}
    others: dict[str, str] = {}
    if not path.is_dir():
        return found, others
    for folder in sorted(path.iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        try:
            found[folder.resolve()] = signatures.match(folder).slug, folder
        except UnknownTaskError as error:
            near = "" if error.nearest is None else f"; the nearest is {error.nearest.slug!r}"
            others[str(folder)] = f"{_UNKNOWN}: {error.why.partition('. ')[0]}{near}"
        except BundleError as error:
            others[str(folder)] = error.problem
    return found, others


def _none_of(path: Path, others: dict[str, str]) -> UnknownTaskError | None:
    """Say of a folder of datasets, which is none itself, that none of them is known."""
    if sum(reason.startswith(_UNKNOWN) for reason in others.values()) < 2:
        return None
    names = quoted([Path(folder).name for folder in others])
    why = f"none of its {counted(len(others), 'subfolder')} ({names}) is the data of one"
    return UnknownTaskError(str(path), why)


def _named(tasks: _Tasks) -> tuple[Dataset, ...]:
    """Name each after its task; by the paths, so that the order of arguments makes no difference.

    A number that would make the name of another task is passed over.
    """
    slugs = {slug for slug, _ in tasks.values()}
    taken: dict[str, Dataset] = {}
    for _, (slug, path) in sorted(tasks.items()):
        name, number = slug, 1
        while name in taken or (number > 1 and name in slugs):
            number += 1
            name = f"{slug}-{number}"
        taken[name] = Dataset(name, slug, str(path))
    return tuple(sorted(taken.values(), key=lambda dataset: (dataset.task, len(dataset.name),
                                                             dataset.name)))  # fmt: skip
