"""Where signature files come from: this package, installed packages, and the user's folders."""

import os
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from signatures.checks import check_slug
from signatures.errors import SignatureError

GROUP = "known_task_solvers.tasks"
VARIABLE = "KNOWN_TASKS_PATH"
FOLDER = "folder of signatures"
BUILT_IN = Path(__file__).parent / "tasks"


def find_folders() -> list[Path]:
    """Return every folder that holds signatures, each once.

    Raises
    ------
    SignatureError
        If an installed package or `KNOWN_TASKS_PATH` names a folder that is not there.
    """
    folders = [BUILT_IN, *_installed(), *named_by_user()]
    return list({folder.resolve(): folder for folder in folders}.values())


def find_files(folders: list[Path]) -> dict[str, Path]:
    """Return the signature files in `folders` by slug, in alphabetical order.

    Raises
    ------
    SignatureError
        If two files have one slug, or a file's name cannot be a slug.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        for path in _toml_files(folder):
            slug = path.stem
            if problem := check_slug(slug):
                raise SignatureError(str(path), problem)
            if slug in files:
                problem = f"{slug!r} is already described by {str(files[slug])!r}. Rename one"
                raise SignatureError(str(path), problem)
            files[slug] = path
    return dict(sorted(files.items()))


def _toml_files(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        problem = f"it cannot be listed: {error.strerror}"
        raise SignatureError(str(folder), problem, FOLDER) from error
    return [folder / name for name in names if name.endswith(".toml") and name[0] != "."]


def named_by_user() -> Iterator[Path]:
    """Yield the folders in KNOWN_TASKS_PATH, separated as in PATH.

    A solver may lie there beside its signature, so each is where Python looks for modules too:
    last, that it takes the place of none.
    """
    for name in os.environ.get(VARIABLE, "").split(os.pathsep):
        if name and not os.path.isdir(name):
            problem = f"{VARIABLE} names it, and it is not there. Make it, or unset the variable"
            raise SignatureError(name, problem, FOLDER)
        if name:
            if (place := os.path.abspath(name)) not in sys.path:
                sys.path.append(place)
            yield Path(name)


def _installed() -> Iterator[Path]:
    """Yield the folders of packages that announce tasks through an entry point."""
    for entry in entry_points(group=GROUP):
        folders = _folders_of(entry)
        if not any(_toml_files(folder) for folder in folders):
            problem = f"entry point {entry.name!r} names it, and no signature file lies there"
            raise SignatureError(entry.value, problem, "package of signatures")
        yield from folders


def _folders_of(entry: EntryPoint) -> list[Path]:
    spec = spec_of(entry.value.partition(":")[0].strip())
    if spec is None:
        problem = f"entry point {entry.name!r} names it, and there is no such module"
        raise SignatureError(entry.value, problem, "package of signatures")
    if spec.submodule_search_locations is not None:
        return [Path(place) for place in spec.submodule_search_locations if os.path.isdir(place)]
    return [Path(spec.origin).parent] if spec.origin and os.path.isfile(spec.origin) else []


def spec_of(module: str) -> ModuleSpec | None:
    """Find a module without running it, nor the packages it lies in, as `find_spec` would."""
    name, *inner = module.split(".")
    spec = find_spec(name)
    for part in inner:
        if spec is None or spec.submodule_search_locations is None:
            return None
        name = f"{name}.{part}"
        spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
    return spec
