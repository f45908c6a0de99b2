"""The known tasks, and which of them a dataset is."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from signatures import layout, sources
from signatures.bundle import find
from signatures.columns import Near, compare, plain
from signatures.errors import AmbiguousTaskError
from signatures.headers import read_header
from signatures.misses import no_task, no_training_table
from signatures.outcome import Match
from signatures.signature import Signature
from signatures.wording import quoted


class Registry(Mapping[str, Signature]):
    """Signatures by slug, read-only and in alphabetical order.

    Nothing is read before the first look-up. Then all file names are, and a signature when it is
    asked for.

    Parameters
    ----------
    folders : iterable of path, optional
        Folders of TOML files. By default those of this package, of every installed package that
        has an entry point in the group ``known_task_solvers.tasks`` (its value names the package,
        or a module, whose folder holds the files), and those in the environment variable
        ``KNOWN_TASKS_PATH``, which is read at the first look-up.
    """

    def __init__(self, folders: Iterable[str | Path] | None = None) -> None:
        self._folders = None if folders is None else [Path(folder) for folder in folders]
        self._signatures: dict[str, Signature] = {}

    def __getitem__(self, slug: str) -> Signature:
        """Read the signature of a task, once."""
        if slug not in self._files:
            near = get_close_matches(str(slug), self._files, 3) or list(self._files)
            message = f"no known task {slug!r}, expected one such as {quoted(near)}"
            raise KeyError(message)
        if slug not in self._signatures:
            self._signatures[slug] = Signature.read(self._files[slug])
        return self._signatures[slug]

    def __contains__(self, slug: object) -> bool:
        """Tell whether a task is known, without reading its signature."""
        return slug in self._files

    def __iter__(self) -> Iterator[str]:
        """Iterate over the slugs."""
        return iter(self._files)

    def __len__(self) -> int:
        """Count the tasks."""
        return len(self._files)

    @cached_property
    def _files(self) -> dict[str, Path]:
        folders = sources.find_folders() if self._folders is None else self._folders
        return sources.find_files(folders)

    @cached_property
    def _layouts(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Key and columns of each task, parsed only where `layout.scan` cannot tell them."""
        return {slug: self._layout(slug, path) for slug, path in self._files.items()}

    def _layout(self, slug: str, path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
        try:
            found = layout.scan(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            found = None  # what is wrong is told by reading it in full
        return found or (self[slug].key, self[slug].columns)

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        """Each key column to the tasks that have it."""
        return _index((slug, key) for slug, (key, _) in self._layouts.items())

    @cached_property
    def _by_column(self) -> dict[str, list[str]]:
        """Each column, whatever its spelling, to the tasks that have it."""
        return _index((slug, map(plain, names)) for slug, (_, names) in self._layouts.items())

    def fitting(self, columns: Iterable[str]) -> list[str]:
        """Return the tasks whose key columns are all in `columns`."""
        hits = _count(columns, self._by_key)
        return [slug for slug in hits if hits[slug] == len(set(self._layouts[slug][0]))]

    def nearest(self, columns: Iterable[str]) -> tuple[Near, float] | None:
        """Return the task that shares most with `columns`, and the share of its columns there.

        What it shares is weighed against all names on both sides, so that neither a long list nor
        a short one is near by its length. None if no column is shared with any task.
        """
        columns = tuple(columns)
        shared = _count({plain(name) for name in columns}, self._by_column)
        if not shared:
            return None

        def closeness(slug: str) -> float:
            return shared[slug] / (len(columns) + len(self._layouts[slug][1]) - shared[slug])

        best = min(shared, key=lambda slug: (-closeness(slug), slug))
        expected = self._layouts[best][1]
        return Near(best, compare(expected, columns)), shared[best] / len(expected)


REGISTRY = Registry()


def match(path: str | Path, registry: Registry = REGISTRY) -> Match:
    """Tell which known task a dataset is, from the column names of its training table.

    A task fits if all its key columns are there, exactly as written. Of several that fit, the one
    with the fewest missing columns is taken, then the one with the fewest unexpected.

    Parameters
    ----------
    path : path
        A folder with the dataset at any depth, or an archive: tar, tar.gz, zip and others.
    registry : Registry
        The tasks to choose from.

    Returns
    -------
    Match
        The task, its files, and how the columns differ from the signature's.

    Raises
    ------
    UnknownTaskError
        If no task fits. It names the nearest and what differs.
    AmbiguousTaskError
        If several fit equally well.
    BundleError
        If the data cannot be read.
    SignatureError
        If a signature file is wrong.
    """
    bundle = find(path)
    if bundle.train is None:
        raise no_training_table(bundle)
    header = read_header(bundle.train)
    fits = {
        slug: compare(registry[slug].columns, header.columns)
        for slug in registry.fitting(header.columns)
    }
    if not fits:
        raise no_task(bundle.train.where, header, registry.nearest(header.columns))
    best = min(difference.rank for difference in fits.values())
    slugs = sorted(slug for slug in fits if fits[slug].rank == best)
    if len(slugs) > 1:
        raise AmbiguousTaskError(bundle.train.where, slugs)
    return Match(registry[slugs[0]], bundle, header, fits[slugs[0]])


def _index(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    """Turn tasks and their columns into columns and their tasks."""
    index: defaultdict[str, list[str]] = defaultdict(list)
    for slug, names in entries:
        for name in dict.fromkeys(names):
            index[name].append(slug)
    return dict(index)


def _count(columns: Iterable[str], index: Mapping[str, list[str]]) -> Counter[str]:
    """Count for each task how many of `columns` the index has for it."""
    return Counter(slug for name in columns for slug in index.get(name, ()))
