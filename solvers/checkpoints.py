"""Finished fits, kept while a run goes on, so that one that was killed need not do them again."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import joblib
import numpy as np

from solvers import environment
from solvers.files import remove, write_whole
from solvers.fits import Fit, FitJob, FitResult
from solvers.target import Array

_FACTS = ("rounds", "cpu_seconds", "attempts")


class Checkpoints:
    """A folder of finished fits, each under a name made of all that decides its result.

    That is the data, the rows of its fold, the model's parameters, the seed, the code, and all of
    the environment that is recorded: versions, processor, linear algebra. A fit for which any of
    these is another is not found. The files are arrays without pickled objects.

    Parameters
    ----------
    folder : Path
        Made at the first `save`.
    solver_sha256 : str
        Digest of the solver's code, which may lie outside this package.
    """

    def __init__(self, folder: Path, solver_sha256: str = "") -> None:
        self._folder = folder
        self._solver = solver_sha256

    def names(self, jobs: Sequence[FitJob]) -> dict[Fit, Path]:
        """Name the file of each fit; all have the same features."""
        features = joblib.hash((list(jobs[0].X.columns), jobs[0].X, jobs[0].X_test))
        common = [features, self._solver, surroundings()]
        return {job.fit: self._folder / _name(job, common) for job in jobs}

    def save(self, path: Path, result: FitResult) -> None:
        """Keep a result; the file is there as a whole or not at all.

        Raises
        ------
        OSError
            If the disk is full or cannot be written to. What was kept before stays.
        """
        arrays = {"valid": result.valid, "test": result.test}
        if result.importance is not None:
            arrays["importance"] = result.importance
        facts = {name: getattr(result, name) for name in _FACTS}
        content = io.BytesIO()
        text = json.dumps({**facts, "sha256": _digest(arrays)})
        np.savez(content, allow_pickle=False, facts=np.array(text), **arrays)
        self._folder.mkdir(exist_ok=True)
        remove(path)  # whatever it is: it was not found to be this fit
        write_whole(path, content.getvalue())


def find(path: Path, fit: Fit) -> FitResult | None:
    """Return the result of a fit that was kept, or None."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            facts = json.loads(str(kept["facts"]))
            arrays = {name: kept[name] for name in kept.files if name != "facts"}
        if facts["sha256"] != _digest(arrays):
            return None
        return FitResult(
            fit=fit,
            valid=arrays["valid"],
            test=arrays["test"],
            importance=arrays.get("importance"),
            kept=True,
            **{name: facts[name] for name in _FACTS},
        )
    except Exception:
        # Cut short when the machine went down, or damaged in any of the ways in which a zip, an
        # array or a text can be: it is fitted again.
        return None


def _digest(arrays: Mapping[str, Array]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode() + array.tobytes())
    return digest.hexdigest()


def _name(job: FitJob, common: list[str]) -> str:
    digest = hashlib.sha256("\n".join([*common, repr(job.fit)]).encode())
    digest.update(np.ascontiguousarray(job.y).tobytes())
    digest.update(np.ascontiguousarray(job.fold_of_row).tobytes())
    return f"{digest.hexdigest()[:32]}.npz"


def surroundings() -> str:
    """Describe all around a fit that may move its result; of the code, its bytes and no commit."""
    facts = environment.describe()
    return json.dumps({**facts, "code": facts["code"]["sha256"]}, sort_keys=True)
