"""Where the files of a draft go: into a checkout of the project, or into a folder of one's own."""

import keyword
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import solvers
from signatures import REGISTRY
from signatures.checks import check_slug
from signatures.sources import VARIABLE, named_by_user
from solvers.draft.errors import DraftError

# What an installed package has not got: its tests.
_OF_A_CHECKOUT = ("signatures/tasks", "solvers/tasks", "tests/solvers/tasks")


@dataclass(frozen=True)
class Places:
    """Three files that are about to be written, and what the signature calls the solver's module.

    Attributes
    ----------
    root : Path
        The checkout, or the folder of one's own.
    own : bool
        Whether it is the latter.
    """

    root: Path
    own: bool
    signature: Path
    solver: Path
    test: Path
    module: str


def places_for(slug: str, into: Path | None) -> Places:
    """Choose them, and see that nothing is there yet.

    Parameters
    ----------
    into : Path, optional
        A folder of one's own. By default the first that ``KNOWN_TASKS_PATH`` names, else the
        checkout around the working directory, else the one that this package runs from.

    Raises
    ------
    DraftError
        If the slug will not do, there is no place to write to, or a file is there already.
    """
    _check(slug)
    own = into or next(named_by_user(), None)
    places = _in_folder(slug, own) if own is not None else _in_checkout(slug, _checkout())
    package = places.solver.with_suffix("")  # a folder of that name would be the same module
    files = (places.signature, places.solver, package, places.test)
    if there := [str(path) for path in files if os.path.lexists(path)]:
        raise DraftError(
            problem=f"Nothing was written, for {', '.join(there)} would be written over",
            next="Choose another slug, or move what is there",
        )
    return places


def _check(slug: str) -> None:
    """Refuse what cannot name a task, or names one already."""
    if check_slug(slug):
        raise DraftError(
            problem=f"The slug {slug!r} cannot name a task",
            next="Use lower-case words and digits joined by '-', such as 'garden-beds'",
        )
    if slug in REGISTRY:
        raise DraftError(
            problem=f"There is a known task {slug!r} already ({REGISTRY[slug].title})",
            next="Choose another slug; `solvers list` shows those that are taken",
        )
    name = slug.replace("-", "_")
    if keyword.iskeyword(name) or name in sys.stdlib_module_names:
        raise DraftError(
            problem=f"The slug {slug!r} would name a module as Python itself does",
            next=f"Choose a longer one, such as '{slug}-data'",
        )


def _module(slug: str) -> str:
    name = slug.replace("-", "_")
    return name if name.isidentifier() else f"task_{name}"


def _in_folder(slug: str, folder: Path) -> Places:
    module = f"{_module(slug)}_solver"
    return Places(
        root=folder,
        own=True,
        signature=folder / f"{slug}.toml",
        solver=folder / f"{module}.py",
        test=folder / f"test_{slug.replace('-', '_')}.py",
        module=module,
    )


def _in_checkout(slug: str, root: Path) -> Places:
    module = _module(slug)
    return Places(
        root=root,
        own=False,
        signature=root / "signatures" / "tasks" / f"{slug}.toml",
        solver=root / "solvers" / "tasks" / f"{module}.py",
        test=root / "tests" / "solvers" / "tasks" / f"test_{slug.replace('-', '_')}.py",
        module=f"solvers.tasks.{module}",
    )


def _checkout() -> Path:
    here = Path.cwd()
    for root in (here, *here.parents, Path(solvers.__file__).parents[1]):
        folders = [root / name for name in _OF_A_CHECKOUT]
        if all(folder.is_dir() and os.access(folder, os.W_OK) for folder in folders):
            return root
    raise DraftError(
        problem="No checkout of the project that can be written to is here, to put a draft into",
        next=f"Name a folder of your own with --into DIR, or in {VARIABLE}",
    )
