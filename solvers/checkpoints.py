"""Finished fits, kept while a run goes on, so that one that was killed need not do them again."""

import hashlib
import inspect
import json
import os
import platform
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import joblib
import numpy as np

from solvers import environment
from solvers.fits import Fit, FitJob, FitResult, run_fit
from solvers.models import Model

FOLDER = "fits"
_FACTS = ("rounds", "cpu_seconds", "attempts")


class Checkpoints:
    """A folder of finished fits, each under a name made of all that decides its result.

    That is the data, the rows of its fold, the model's parameters, the seed, the versions of the
    libraries, and the code that fits. A fit for which any of these is another is not found.
    The files are arrays without pickled objects.

    Parameters
    ----------
    folder : Path
        Made at the first `save`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, jobs: Sequence[FitJob]) -> dict[Fit, Path]:
        """Name the file of each fit; all have the same features."""
        features = joblib.hash((list(jobs[0].X.columns), jobs[0].X, jobs[0].X_test))
        return {job.fit: self._folder / _name(job, features) for job in jobs}

    def save(self, path: Path, result: FitResult) -> None:
        """Keep a result; the file is there as a whole or not at all.

        Raises
        ------
        OSError
            If the disk is full or cannot be written to. What was kept before stays.
        """
        facts = {name: getattr(result, name) for name in _FACTS}
        arrays = {"valid": result.valid, "test": result.test, "facts": np.array(json.dumps(facts))}
        if result.importance is not None:
            arrays["importance"] = result.importance
        self._folder.mkdir(exist_ok=True)
        half = path.with_suffix(".half")
        try:
            with half.open("wb") as stream:
                np.savez(stream, allow_pickle=False, **arrays)
            os.replace(half, path)
        except OSError:
            half.unlink(missing_ok=True)
            raise


def find(path: Path, fit: Fit) -> FitResult | None:
    """Return the result of a fit that was kept, or None."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            facts = json.loads(str(kept["facts"]))
            return FitResult(
                fit=fit,
                valid=kept["valid"],
                test=kept["test"],
                importance=kept.get("importance"),
                kept=True,
                **{name: facts[name] for name in _FACTS},
            )
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # never kept, or cut short when the machine went down: it is fitted again


def _name(job: FitJob, features: str) -> str:
    facts = [features, repr(job.fit), _code_of(type(job.fit.model)), _versions()]
    digest = hashlib.sha256("\n".join(facts).encode())
    digest.update(np.ascontiguousarray(job.y).tobytes())
    digest.update(np.ascontiguousarray(job.fold_of_row).tobytes())
    return f"{digest.hexdigest()[:32]}.npz"


@cache
def _versions() -> str:
    return json.dumps([platform.python_version(), platform.machine(), environment.packages()])


@cache
def _code_of(model: type[Model]) -> str:
    """Digest the modules that a model's class and its bases come from, and the one that fits."""
    modules = [inspect.getmodule(part) for part in (*model.__mro__, run_fit)]
    files = {getattr(module, "__file__", None) for module in modules}
    digest = hashlib.sha256()
    for file in sorted(filter(None, files)):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()
