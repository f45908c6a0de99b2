"""A draft from start to end: understood, written as source, held against the data, stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from solvers.baseline.asked import Wanted
from solvers.draft.errors import DraftError
from solvers.draft.places import Places, places_for
from solvers.draft.proof import prove
from solvers.draft.reading import read
from solvers.draft.sources import sources
from solvers.draft.understood import Understood
from solvers.places import make_folders, remove_empty


@dataclass(frozen=True)
class Draft:
    """A first draft that lies on the disk."""

    slug: str
    places: Places
    understood: Understood

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that were written."""
        return self.places.signature, self.places.solver, self.places.test


def draft(
    slug: str,
    path: Path,
    *,
    into: Path | None = None,
    id: str | None = None,
    targets: tuple[str, ...] = (),
    metric: str | None = None,
) -> Draft:
    """Write the first draft of a known task: signature, solver and test.

    Parameters
    ----------
    slug : str
        What the task is to be called.
    path : Path
        A dataset, as `solvers.solve` takes it.
    into : Path, optional
        A folder of one's own; see `places_for`.
    id, targets, metric : optional
        What is known of the task; the rest is told from the data.

    Raises
    ------
    DraftError
        If the slug, the place or what is known of the task will not do.
    KnownTaskError
        If no known task can be made of the data. In any case nothing was written.
    """
    places = places_for(slug, into)
    understood = read(path, Wanted(id, targets), metric)
    written = sources(slug, understood, places)
    prove(slug, written, understood)
    _store(
        {
            places.signature: written.signature,
            places.solver: written.solver,
            places.test: written.test,
        }
    )
    return Draft(slug, places, understood)


def _store(texts: Mapping[Path, str]) -> None:
    """Write new files and the folders that they need, all of them or none."""
    stored: list[Path] = []
    made: list[Path] = []
    try:
        for path, text in texts.items():
            make_folders(path.parent, made)
            with path.open("x", encoding="utf-8", newline="\n") as stream:
                stored.append(path)
                stream.write(text)
    except BaseException as error:
        for path in stored:
            path.unlink()
        remove_empty(made)
        if isinstance(error, OSError):
            raise DraftError(
                problem=f"Nothing was written, for {str(path)!r} cannot be ({error.strerror})",
                next="Mend that, or name another folder with --into DIR",
            ) from error
        raise
