"""The runs that lie under a folder: what each solved, how well, and what was verified of it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from signatures import RunFolderError
from solvers.request import UNFINISHED
from solvers.run_folder import n_kept_fits
from solvers.run_record import RECORD, RunRecord, read_record

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
            "note": f"{kept} fits kept" if unfinished else f"{error.problem}",
        }
    verified = last_verification(run)
    return {
        "run": str(run),
        "state": "finished",
        "task": record.task,
        "route": record.route,
        "seed": record.seed,
        "profile": record.settings.profile["name"],
        "score": used_score(record),
        "verdict": verified.get("verdict"),
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


def last_verification(run: Path) -> dict[str, Any]:
    """Read the newest line that `verify` has added to a run; empty where there is none."""
    try:
        lines = (run / VERIFICATIONS).read_text(encoding="utf-8").splitlines()
        last = json.loads(lines[-1])
    except (OSError, ValueError, IndexError):
        return {}
    return last if isinstance(last, dict) else {}


def last_score(slug: str, root: Path = Path("runs")) -> dict[str, Any] | None:
    """Find the newest finished run of a task and return its used score, or None.

    Passed over are runs that carry a note, as those on synthetic data do, and those that are not
    finished or cannot be read.
    """
    runs = [describe_run(run) for run in find_runs(root)]
    scored = [run for run in runs if run.get("task") == slug and run["score"] and not run["note"]]
    return max(scored, key=lambda run: run["finished"], default=None)
