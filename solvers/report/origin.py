"""Where a run came from, and how it can be checked: inputs, machine, commands, verdicts."""

import shlex
from pathlib import Path
from typing import Any

from solvers.record_types import RunRecord
from solvers.runs import verifications

_ROLES = {"train": "train", "test": "test", "sample": "sample submission"}


def input_rows(record: RunRecord) -> list[tuple[str, str, str]]:
    """List what was read and what was written: what, its name, its digest."""
    rows = [
        (_ROLES.get(role, role), file.name, file.sha256)
        for role, file in record.input.files.items()
    ]
    if record.input.archive_sha256 is not None:
        rows.insert(0, ("archive", record.input.path, record.input.archive_sha256))
    for name, digest in (record.tables or {}).items():
        rows.append((f"{name} rows, as checked", "sorted by id, any format", digest))
    if record.match is not None:
        rows.append(("signature", record.task or "-", record.match.signature_sha256))
        rows.append(("solver", record.match.solver, record.match.solver_sha256))
    code = record.environment.code
    rows.append(("code of the package", f"solvers {code.version or ''}".strip(), code.sha256))
    if record.predictions is not None:
        within = f"rounded to {record.predictions.rounded_to:g}".replace("e-0", "e-")
        rows.append(("predictions, out of fold", within, record.predictions.oof_sha256))
        rows.append(("predictions, test", within, record.predictions.test_sha256))
        for model, digest in record.predictions.base_models_sha256.items():
            rows.append((f"predictions, test, {model} in each fold seed", within, digest))
    return [*rows, ("submission", "submission.csv", record.submission_sha256)]


def machine(record: RunRecord) -> list[tuple[str, str]]:
    """Describe what the run ran on."""
    found = record.environment
    code = found.code.version or "unknown version"
    if found.code.commit is not None:
        code += f", commit {found.code.commit[:12]}"
        code += ", with uncommitted changes" if found.code.dirty else ""
    return [
        ("solvers", code),
        ("Python", f"{found.python} ({found.implementation})"),
        ("platform", found.platform),
        ("CPU", f"{found.cpu.model or 'unknown'} ({found.cpu.machine})"),
        *(("linear algebra", _one_line(pool)) for pool in found.blas),
        ("processes", f"{record.settings.jobs}, {record.settings.threads_per_fit} thread per fit"),
        ("sittings", f"{record.sittings:,}"),
    ]


def _one_line(pool: dict[str, Any]) -> str:
    """Write a library of linear algebra or threads as `threadpoolctl` tells of it."""
    name = [str(pool[key]) for key in ("internal_api", "version") if pool.get(key)]
    rest = [str(pool[key]) for key in ("architecture", "threading_layer") if pool.get(key)]
    return ", ".join([" ".join(name), *rest])


def commands(record: RunRecord, name: str) -> list[tuple[str, str]]:
    """List commands that show whether the run can be made again: what each tells, and its words."""
    run = shlex.quote(name)
    listed = []
    if record.route != "agent":
        listed.append(("Make the run again and compare", f"solvers verify {run}"))
    digest = f"{record.submission_sha256}  {name.rstrip('/')}/submission.csv"
    check = f"echo {shlex.quote(digest)} | sha256sum --check"
    return [*listed, ("Check that the submission is the recorded one", check)]


def verdicts(run: Path) -> list[tuple[str, str]]:
    """Give earlier verifications, time and verdict."""
    return [(fact["checked"], fact["verdict"]) for fact in verifications(run)]
