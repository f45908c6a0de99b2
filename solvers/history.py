"""Runs that were made before, in the default place. Standard library only, so it is quick."""

import json
from pathlib import Path
from typing import Any


def last_score(slug: str, root: Path = Path("runs")) -> dict[str, Any] | None:
    """Find the newest finished run of a task and return its used score, or None.

    A run folder whose record cannot be read is passed over: it is not a finished run.
    """
    newest: dict[str, Any] | None = None
    for path in sorted(root.glob(f"{slug}/*/run.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            scores = record["scores"]
            used = scores["models"][scores["used"]]
            found = {
                "mean": used["mean"],
                "sem": used["sem"],
                "metric": scores["metric"],
                "profile": record["settings"]["profile"]["name"],
                "finished": record["finished"],
                "run": str(path.parent),
            }
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if newest is None or found["finished"] > newest["finished"]:
            newest = found
    return newest
