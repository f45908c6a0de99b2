"""Read ``run.json``, or say why that cannot be done."""

import json
import shlex
from pathlib import Path

from pydantic import ValidationError

from signatures import RunFolderError
from solvers.record_types import RunRecord

__all__ = ["RECORD", "SCHEMA_VERSION", "UNFINISHED", "RunRecord", "read_record", "understand"]

SCHEMA_VERSION = 2
RECORD = "run.json"
UNFINISHED = ".unfinished"


def read_record(run: Path) -> RunRecord:
    """Read the record of a finished run.

    Raises
    ------
    RunFolderError
        If `run` is not the folder of a finished run, or its record cannot be understood.
    """
    path = run / RECORD
    if not run.is_dir():
        raise RunFolderError(str(run), "is not a folder", "Give the folder of a run.")
    if not path.is_file():
        raise RunFolderError(str(run), *_not_finished(run))
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        problem = f"is not JSON text ({error}): it was cut short, or is not the record of a run"
        raise RunFolderError(str(path), problem, _DO_AGAIN) from error
    except OSError as error:
        raise RunFolderError(str(path), f"cannot be read ({error.strerror})") from error
    return understand(facts, str(path))


_DO_AGAIN = "Give another run, or make this one again with: solvers solve"


def _not_finished(run: Path) -> tuple[str, str]:
    if (run / UNFINISHED).is_dir():
        return (
            "holds a run that is not finished",
            f"Go on with: solvers solve --resume {shlex.quote(str(run))}",
        )
    return f"holds no run: there is no {RECORD} in it", "Give the folder of a finished run."


def understand(facts: object, name: str) -> RunRecord:
    """Check parsed JSON against the schema.

    Raises
    ------
    RunFolderError
        With the first thing that is wrong in it.
    """
    version = facts.get("schema_version") if isinstance(facts, dict) else None
    if version is not None and version != SCHEMA_VERSION:
        problem = f"has schema version {version!r}; this version of solvers reads {SCHEMA_VERSION}"
        raise RunFolderError(name, problem, _DO_AGAIN)
    try:
        # Strict in JSON mode: a number that was written as text is not what we wrote.
        return RunRecord.model_validate_json(json.dumps(facts), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "as a whole"
        rest = f", and {error.error_count() - 1} more" if error.error_count() > 1 else ""
        problem = f"is not the record of a run: {where}: {first['msg']}{rest}"
        raise RunFolderError(name, problem, _DO_AGAIN) from error
