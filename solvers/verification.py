"""Do a run again in a fresh process, and say whether it comes out the same."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import signatures
from signatures import KnownTaskError, RunFolderError
from signatures.sources import VARIABLE
from solvers import fresh_process
from solvers.factors import Factor
from solvers.files import append_line
from solvers.inputs import changed_inputs, of_inputs
from solvers.profiles import PROFILES
from solvers.run_record import RunRecord, read_record
from solvers.runs import VERIFICATIONS
from solvers.verdict import Verification, judge, verdict


class VerificationError(KnownTaskError, RuntimeError):
    """The run could not be done again, so there is nothing to compare."""

    fields = ("run", "reason")

    def __init__(self, run: str, reason: str) -> None:
        self.run, self.reason = run, reason
        super().__init__(f"The run {run!r} could not be done again: {reason}")


def verify(
    run: str | Path,
    *,
    data: str | Path | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    progress: bool = False,
) -> Verification:
    """Do a run again from its record, compare, and add the verdict to the run.

    The inputs are compared first. Then the run is done in a new process, which knows the record's
    seed and profile and nothing of its results; these are read once the new ones exist.

    Parameters
    ----------
    run : path
        The folder of a finished run.
    data : path, optional
        Where the data are now, by default where they were.
    jobs : int, optional
        Processes to fit in.
    out : path, optional
        Where to keep the second run; by default it is deleted.
    progress : bool
        Whether the new process may write its progress to stderr.

    Returns
    -------
    Verification

    Raises
    ------
    RunFolderError
        If `run` is no finished run of a solver or the baseline, its task is not
        known here, or its data are gone.
    VerificationError
        If it could not be done again.
    """
    run = Path(run)
    recorded = read_record(run)
    _refuse_what_cannot_be_done(run, recorded)
    started = datetime.now(UTC)
    path = Path(recorded.input.path if data is None else os.path.abspath(data))
    if changed := list(_changed_inputs(run, recorded, path)):
        names = ", ".join(factor.name for factor in changed)
        result = verdict(started, "different", f"{names}: not the data of this run", changed)
    else:
        with _again(run, recorded, path, jobs, out, progress=progress) as new:
            result = judge(started, run, recorded, new)
    return _added(run, result)


def _refuse_what_cannot_be_done(run: Path, recorded: RunRecord) -> None:
    if recorded.route == "agent":
        problem = f"was answered by the route {recorded.route!r}, which promises no second time"
        raise RunFolderError(str(run), problem, "Give a run of a known task or of the baseline.")
    if recorded.route == "known-task" and recorded.task not in signatures.REGISTRY:
        problem = f"is of the task {recorded.task!r}, which is not known here"
        cure = f"Is {VARIABLE} set as it was then? `solvers list` shows what is known."
        raise RunFolderError(str(run), problem, cure)
    if recorded.settings.profile.name not in PROFILES:
        problem = f"has the profile {recorded.settings.profile.name!r}, which is not one of ours"
        raise RunFolderError(str(run), problem)


def _changed_inputs(run: Path, recorded: RunRecord, path: Path) -> Iterator[Factor]:
    """Name the files whose bytes are not those that were read."""
    if not path.exists():
        problem = f"was made from {str(path)!r}, which is not there"
        raise RunFolderError(str(run), problem, "Say where the data are with --data PATH.")
    before = {role: file.model_dump() for role, file in recorded.input.files.items()}
    now = of_inputs(signatures.find(path), recorded.task)["files"]
    for role in changed_inputs(before, now):
        texts = [
            files[role]["sha256"][:12] if role in files else "no such file"
            for files in (before, now)
        ]
        yield Factor(f"{role} file {(before.get(role) or now[role])['name']}", *texts)


@contextmanager
def _again(
    run: Path,
    recorded: RunRecord,
    path: Path,
    jobs: int | None,
    out: str | Path | None,
    *,
    progress: bool,
) -> Iterator[Path]:
    """Do the run again in a new process and yield its folder."""
    with tempfile.TemporaryDirectory(prefix="solvers-verify-") as temporary:
        place = Path(temporary, "run") if out is None else Path(os.path.abspath(out))
        words = ["solve", str(path), "--out", str(place), "--seed", str(recorded.seed)]
        words += ["--profile", str(recorded.settings.profile.name), "--no-report", "--json"]
        if recorded.route == "baseline":
            words += ["--fallback", "baseline", "--as-unknown"]
        words += [] if jobs is None else ["--jobs", str(jobs)]
        # A new process, which has no setting but those of the record.
        ended = fresh_process.run(words, progress=progress)
        if ended.code != 0:
            raise VerificationError(str(run), ended.message)
        yield place


def _added(run: Path, result: Verification) -> Verification:
    """Add a line to the run's verifications; what is there is never changed."""
    try:
        append_line(run / VERIFICATIONS, json.dumps(result.to_dict(), ensure_ascii=False))
    except OSError as error:
        note = f"The verdict could not be added to the run ({error.strerror})."
        return replace(result, note=note)
    return result
