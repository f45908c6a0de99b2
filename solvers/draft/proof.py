"""A draft is held against the data it was written from, before anything is written."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from signatures import Match, Signature, read_header
from signatures.columns import compare
from solvers import features, intake
from solvers.draft.sources import Sources
from solvers.draft.understood import Understood
from solvers.profiles import PROFILES
from solvers.solver import StackedSolver

_MODULE = "solvers_draft"


def prove(slug: str, sources: Sources, understood: Understood) -> None:
    """See that the draft takes the data: all that `solvers solve` does before it fits.

    Raises
    ------
    TaskRejectedError
        If a known task cannot be made of the data as they are, with every reason.
    """
    bundle = understood.bundle
    assert bundle.train is not None
    with TemporaryDirectory() as folder, _loaded(sources.solver) as solver:
        path = Path(folder, f"{slug}.toml")
        path.write_text(sources.signature, encoding="utf-8")
        signature = Signature.read(path)
        header = read_header(bundle.train)
        match = Match(signature, bundle, header, compare(signature.columns, header.columns))
        data = intake.check(intake.read(match), match, solver, PROFILES["full"])
        features.prepare(data, solver)


@contextmanager
def _loaded(source: str) -> Iterator[StackedSolver]:
    """Run the source of a solver as a module, which pandera looks up by its name."""
    module = ModuleType(_MODULE)
    sys.modules[_MODULE] = module
    try:
        exec(compile(source, _MODULE, "exec"), module.__dict__)
        solver: StackedSolver = module.SOLVER
        yield solver
    finally:
        del sys.modules[_MODULE]
