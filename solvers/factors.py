"""What two runs of one task can differ by: the recorded things that decide a result."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvers.provenance import PROVENANCE
from solvers.record_types import Code, RunRecord
from solvers.run_record import RECORD


@dataclass(frozen=True)
class Factor:
    """One thing that was recorded, and what it is now; as texts, for people."""

    name: str
    recorded: str
    now: str

    def __str__(self) -> str:
        """Say it in a line."""
        return f"{self.name}: recorded {self.recorded}, now {self.now}"


def edited_since(run: Path, record: RunRecord) -> Iterator[Factor]:
    """Tell whether ``run.json`` is still what its run wrote, by what ``provenance.json`` says."""
    try:
        predicate = json.loads((run / PROVENANCE).read_text(encoding="utf-8"))["predicate"]
        (written,) = (
            product["digest"]["sha256"]
            for product in predicate["runDetails"]["byproducts"]
            if product["name"] == RECORD
        )
        asked = predicate["buildDefinition"]["externalParameters"]
        seed, profile = asked["seed"], asked["profile"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        yield Factor(PROVENANCE, "beside every run", "missing or unreadable")
        return
    now = hashlib.sha256((run / RECORD).read_bytes()).hexdigest()
    if now == written:
        return
    yield Factor(f"{RECORD}, edited since the run", written[:12], now[:12])
    # Of an edit, what the run was asked for decides the result.
    if seed != record.seed:
        yield Factor(f"seed in {RECORD}", str(seed), str(record.seed))
    if profile != record.settings.profile.name:
        yield Factor(f"profile in {RECORD}", str(profile), str(record.settings.profile.name))


def differing(recorded: RunRecord, now: RunRecord) -> Iterator[Factor]:
    """Compare what decides the result of a run: code, settings, data, machine."""
    then = _flat(recorded)
    for name, value in _flat(now).items():
        if (before := then.get(name)) != value:
            yield Factor(name, _short(before), _short(value))
    yield from _flags(recorded.environment.cpu.flags, now.environment.cpu.flags)
    before, after = recorded.environment.code, now.environment.code
    if before.sha256 != after.sha256:
        yield Factor("code of the package", _code(before), _code(after))


def _flat(record: RunRecord) -> dict[str, Any]:
    """Lay out under one name each what decides a result. What does not, such as jobs, is left."""
    environment, match = record.environment, record.match
    return {
        **{f"package {name}": version for name, version in environment.packages.items()},
        "Python": environment.python,
        "Python implementation": environment.implementation,
        "platform": environment.platform,
        "CPU architecture": environment.cpu.machine,
        "CPU model": environment.cpu.model,
        "BLAS": environment.blas,
        "solver's code": match and match.solver_sha256,
        "tuned parameters": match and (match.parameters_sha256 or "none"),
        "signature": match and match.signature_sha256,
        "profile's settings": record.settings.profile.model_dump(),
        "models' parameters": record.models,
        "seeds of the fits": record.fits and [fit.seed for fit in record.fits],
        "rounds of the fits": record.fits and [fit.rounds for fit in record.fits],
        "features": record.features,
        "values that the rules filled": record.rules,
        "folds": record.folds and record.folds.model_dump(),
        "parsed tables": record.tables,
    }


def _flags(recorded: str, now: str) -> Iterator[Factor]:
    before, after = set(recorded.split()), set(now.split())
    if before != after:
        gone, new = sorted(before - after), sorted(after - before)
        yield Factor("CPU flags", f"also {_some(gone)}", f"also {_some(new)}")


def _some(words: list[str]) -> str:
    return (", ".join(words[:6]) + (", ..." if len(words) > 6 else "")) or "none"


def _code(code: Code) -> str:
    """Name code by its version and commit, and by its digest, which alone is certain."""
    commit = f" at commit {code.commit[:12]}" if code.commit else ""
    changed = " with changes" if code.dirty else ""
    return f"{code.version or 'unknown version'}{commit}{changed}, sha256 {code.sha256[:12]}"


def _short(value: object) -> str:
    """Show a value where it fits, else its digest."""
    text = value if isinstance(value, str) else json.dumps(value)
    if isinstance(value, str) and len(text) == 64:
        return text[:12]
    return text if len(text) <= 60 else f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:12]}"
