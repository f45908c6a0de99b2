"""``provenance.json``: where a submission comes from, in the form that supply-chain tools read.

An in-toto Statement v1 [1]_ whose subject is the submission, with a SLSA provenance v1
predicate [2]_.

References
----------
.. [1] in-toto Attestation Framework, Statement layer v1.
.. [2] Supply-chain Levels for Software Artifacts, Provenance v1.
"""

from typing import Any

from solvers.run_record import RECORD, RunRecord

PROVENANCE = "provenance.json"
# Names, not addresses: there is nothing to be fetched there.
_BUILD_TYPE = "tag:known-task-solvers,2026:solve/v1"
_BUILDER = "tag:known-task-solvers,2026:solvers"


def statement(record: RunRecord, record_sha256: str) -> dict[str, Any]:
    """State how the submission was made.

    Parameters
    ----------
    record : RunRecord
        The run's record.
    record_sha256 : str
        Digest of ``run.json`` as it was written: whoever edits it afterwards is found out.
    """
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "submission.csv", "digest": {"sha256": record.submission_sha256}}],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": _BUILD_TYPE,
                "externalParameters": {
                    "command": record.command,
                    "input": record.input.path,
                    "task": record.task,
                    "seed": record.seed,
                    "profile": record.settings.profile.name,
                },
                "internalParameters": {
                    "route": record.route,
                    "jobs": record.settings.jobs,
                    "threads_per_fit": record.settings.threads_per_fit,
                },
                "resolvedDependencies": [*_inputs(record), *_code(record)],
            },
            "runDetails": {
                "builder": {"id": _BUILDER, "version": _versions(record)},
                "metadata": {
                    "startedOn": _rfc3339(record.started.isoformat()),
                    "finishedOn": _rfc3339(record.finished.isoformat()),
                },
                "byproducts": [
                    {"name": name, "digest": {"sha256": sha256}}
                    for name, sha256 in {RECORD: record_sha256, **record.outputs}.items()
                ],
            },
        },
    }


def _inputs(record: RunRecord) -> list[dict[str, Any]]:
    files = [
        {"name": file.name, "digest": {"sha256": file.sha256}, "annotations": {"role": role}}
        for role, file in record.input.files.items()
    ]
    if record.input.archive_sha256 is not None:
        digest = {"sha256": record.input.archive_sha256}
        files.append({"name": record.input.path, "digest": digest, "annotations": {"role": "all"}})
    return files


def _code(record: RunRecord) -> list[dict[str, Any]]:
    """Name the code by digests of its bytes, and by its commit where it was run from a checkout."""
    code = record.environment.code
    digest = {"sha256": code.sha256}
    annotations: dict[str, Any] = {"role": "code"}
    if code.commit is not None:
        digest["gitCommit"] = code.commit
        annotations["changed since the commit"] = bool(code.dirty)
    found = [{"name": "known-task-solvers", "digest": digest, "annotations": annotations}]
    if record.match is not None:
        parts = {record.match.solver: record.match.solver_sha256}
        parts[f"signature of {record.task}"] = record.match.signature_sha256
        if record.match.parameters_sha256 is not None:
            parts[f"tuned parameters of {record.task}"] = record.match.parameters_sha256
        found += [{"name": name, "digest": {"sha256": value}} for name, value in parts.items()]
    return found


def _versions(record: RunRecord) -> dict[str, str]:
    environment = record.environment
    own = {"known-task-solvers": environment.code.version or "unknown"}
    packages = {name: version for name, version in environment.packages.items() if version}
    return {**own, "python": environment.python, **packages}


def _rfc3339(time: str) -> str:
    return time.replace("+00:00", "Z")
