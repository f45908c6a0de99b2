"""The runs that lie under a folder: what each solved, how well, and what was verified of it."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from signatures import RunFolderError
from signatures.wording import counted
from solvers.run_folder import n_kept_fits
from solvers.run_record import RECORD, UNFINISHED, RunRecord, read_record

VERIFICATIONS = "verifications.jsonl"


def find_runs(root: Path) -> Iterator[Path]:
    """Yield the folders under `root` that hold a run, finished or not, in order of their names."""
    found = {path.parent for name in (RECORD, UNFINISHED) for path in root.rglob(name)}
    # An answer that was put aside as evidence may itself be a run; it is part of the outer one.
    yield from sorted(run for run in found if UNFINISHED not in run.parts)


def describe_run(run: Path) -> dict[str, Any]:
    """Tell of one run what a list of runs shows; a run that cannot be read says why."""
    try:
        record = read_record(run)
    except RunFolderError as error:
        unfinished = (run / UNFINISHED).is_dir() and not (run / RECORD).exists()
        kept = n_kept_fits(run)
        return {
            "run": str(run),
            "state": "unfinished" if unfinished else "unreadable",
            "note": f"{counted(kept, 'fit')} kept" if unfinished else f"{error.problem}",
        }
    verified = verifications(run)
    return {
        "run": str(run),
        "state": "finished",
        "task": record.task,
        "route": record.route,
        "seed": record.seed,
        "profile": record.settings.profile.name,
        "score": used_score(record),
        "verdict": verified[-1]["verdict"] if verified else None,
        "finished": record.finished.isoformat(timespec="seconds"),
        "age_seconds": round((datetime.now(UTC) - record.finished).total_seconds()),
        "note": record.note,
    }


def used_score(record: RunRecord) -> dict[str, Any] | None:
    """Give the score of the blend that is used, with its metric; None where nothing was scored."""
    if record.scores is None:
        return None
    used = record.scores.models[record.scores.used]
    return {"mean": used.mean, "sem": used.sem, "metric": record.scores.metric}


def verifications(run: Path) -> list[dict[str, Any]]:
    """Read what `verify` has added to a run, the oldest first; lines that are none are left out."""
    if not (run / VERIFICATIONS).is_file():
        return []
    try:
        lines = (run / VERIFICATIONS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [fact for line in lines if (fact := _verification(line))]


def _verification(line: str) -> dict[str, Any]:
    try:
        fact = json.loads(line)
        return {**fact, "checked": str(fact["checked"]), "verdict": str(fact["verdict"])}
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


def newest_scored_run(runs: Iterable[dict[str, Any]], task: str) -> dict[str, Any] | None:
    """Find a task's newest finished run among what `describe_run` tells, or None.

    Passed over are runs that carry a note, as those on synthetic data do, and those that are not
    finished or cannot be read.
    """
    scored = [run for run in runs if run.get("task") == task and run["score"] and not run["note"]]
    return max(scored, key=lambda run: run["finished"], default=None)
