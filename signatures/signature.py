"""A signature: the whole of what is known about a task before it is solved."""

import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signatures.checks import check
from signatures.errors import MissingDependencyError, SignatureError
from signatures.frozen import FrozenMap

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>")


@dataclass(frozen=True)
class Metric:
    """What a submission is judged by."""

    name: str
    higher_is_better: bool


@dataclass(frozen=True)
class Signature:
    """One known task, as its TOML file tells it.

    Attributes
    ----------
    slug : str
        The name of the file without its suffix, as the competition's address writes it.
    title, source : str
        For people: what it is called, and where it comes from.
    solver : str
        Where the solver is, ``"package.module:NAME"``. Imported by `load_solver` only.
    key : tuple of str
        Columns of train that are enough to know the task by.
    columns : tuple of str
        All columns of train, in their order.
    id : str
        The column that names a row.
    target : tuple of str
        The columns to predict.
    labels : tuple of str
        The values allowed in a submission, as they are written there. Empty if not a fixed set.
    metric : Metric
        What a submission is judged by.
    medals : mapping
        ``gold``, ``silver``, ``bronze`` and ``median`` in the metric's unit, and their ``source``.
        May be empty.
    files : mapping
        Usual names of ``train``, ``test`` and ``sample``. For people: the files are found by role.
    missing : tuple of str
        What stands for a missing value in text files.
    like : tuple of str
        Sentences that say which other datasets have these columns.
    aligned : str
        How a grader lays a submission against the answers: by ``"id"``, or by the ``"order"`` of
        the rows, the ids unread. Then ids may start anew in test.
    train_only : tuple of str
        Columns of train that test lacks, besides the target.
    side : tuple of str
        Shell patterns of files that lie beside the tables, such as ``"images/*.jpg"``.
    """

    slug: str
    title: str
    source: str
    solver: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    id: str
    target: tuple[str, ...]
    metric: Metric
    labels: tuple[str, ...] = ()
    medals: FrozenMap[float | str] = field(default_factory=FrozenMap)
    files: FrozenMap[str] = field(default_factory=FrozenMap)
    missing: tuple[str, ...] = MISSING
    like: tuple[str, ...] = ()
    aligned: str = "id"
    train_only: tuple[str, ...] = ()
    side: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> "Signature":
        """Read and check one TOML file.

        Raises
        ------
        SignatureError
            If the file cannot be read or says something that cannot be. It names the file, the
            entry, what was expected and what was found.
        """
        path = Path(path)
        entries = _parse(path)
        if problem := check(path.stem, entries):
            raise SignatureError(str(path), problem)
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in entries.items()
        }
        return cls(
            **values
            | {
                "slug": path.stem,
                "metric": Metric(**values["metric"]),
                "medals": FrozenMap(_as_floats(values.get("medals", {}))),
                "files": FrozenMap(values.get("files", {})),
            }
        )

    @property
    def test_columns(self) -> tuple[str, ...]:
        """The columns of test, in their order."""
        gone = {*self.target, *self.train_only}
        return tuple(name for name in self.columns if name not in gone)

    def load_solver(self) -> Any:
        """Import the solver and return it. Nothing of it is imported before.

        Raises
        ------
        SignatureError
            If there is no such module or no such name in it.
        MissingDependencyError
            If the solver needs a library that is not installed.
        """
        name, _, attribute = self.solver.partition(":")
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            missing = error.name or name
            if f"{name}.".startswith(f"{missing}."):  # the solver's module, or a package around it
                raise SignatureError(
                    self.slug,
                    f"its solver {self.solver!r} is not there: no module named {missing!r}. "
                    "Install it, or put it into a folder that KNOWN_TASKS_PATH or PYTHONPATH names",
                ) from error
            if missing.split(".")[0] == name.split(".")[0]:  # the solver's own bug: let it be seen
                raise
            raise MissingDependencyError(missing.split(".")[0]) from error
        if not hasattr(module, attribute):
            raise SignatureError(self.slug, f"module {name!r} has no {attribute!r}")
        return getattr(module, attribute)


def _parse(path: Path) -> dict[str, Any]:
    """Read TOML, with every way it can fail as a sentence."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SignatureError(str(path), f"it is not valid TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise SignatureError(str(path), "it is not UTF-8 text. Save it again as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise SignatureError(str(path), f"it cannot be read: {reason}") from error


def _as_floats(medals: Mapping[str, float | str]) -> dict[str, float | str]:
    """Return the medal lines as floats: TOML reads a line of 0 as an integer."""
    return {k: value if isinstance(value, str) else float(value) for k, value in medals.items()}
