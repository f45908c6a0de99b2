"""What an unfinished run was asked to do, written down so that it can go on after a kill."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from signatures import RunFolderError
from solvers.files import write_whole
from solvers.inputs import Files, changed_inputs
from solvers.profiles import PROFILES
from solvers.run_record import UNFINISHED

REQUEST = "request.json"
INPUT = "input.json"
_DELETE = "Delete the folder and start the run again."


class Request(BaseModel):
    """The arguments of a run, and how many sittings it has taken so far."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    seed: int = Field(ge=0)
    profile: str
    jobs: int | None = Field(ge=1)
    note: str
    report: bool
    fallback: Literal["none", "baseline", "own"] = "none"
    as_unknown: bool = False
    started: AwareDatetime
    sittings: int = Field(ge=1)


def write_request(folder: Path, request: Request) -> None:
    """Write the request into `folder`, as a whole or not at all."""
    write_whole(folder / REQUEST, request.model_dump_json(indent=2) + "\n")


def read_request(run: Path) -> Request:
    """Read what the unfinished run in a folder was asked to do.

    Raises
    ------
    RunFolderError
        If it is not there or cannot be understood.
    """
    path = run / UNFINISHED / REQUEST
    try:
        request = Request.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        problem = "holds no run that could go on: none was begun there, or it was killed at once"
        cure = f"Begin it: solvers solve PATH --out {shlex.quote(str(run))}"
        raise RunFolderError(str(run), problem, cure) from error
    except OSError as error:
        raise RunFolderError(str(path), f"cannot be read ({error.strerror})", _DELETE) from error
    except ValidationError as error:
        first = error.errors()[0]
        problem = f"is not what a run writes: {'.'.join(map(str, first['loc']))} {first['msg']}"
        raise RunFolderError(str(path), problem, _DELETE) from error
    if request.profile not in PROFILES:
        problem = f"asks for the profile {request.profile!r}, which is not one of ours"
        raise RunFolderError(str(path), problem, _DELETE)
    return request


def same_input(folder: Path, files: Files) -> None:
    """Hold the digests of the files that were read against those of the first sitting.

    Raises
    ------
    RunFolderError
        If a file has changed since: what was fitted and what would be are not one run.
    """
    path = folder / INPUT
    try:
        changed = changed_inputs(json.loads(path.read_text(encoding="utf-8")), files)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        # Not there yet, or damaged; the fits that are kept are known by their data all the same.
        write_whole(path, json.dumps(files))
        return
    refuse_changed(folder.parent, changed)


def refuse_changed(run: Path, changed: Sequence[str]) -> None:
    """Refuse data of which these files are not those that a run has read.

    Raises
    ------
    RunFolderError
        If there is one.
    """
    if changed:
        problem = f"was begun with other data: {', '.join(changed)} changed since"
        cure = "Put the old file back, or start a new run in another folder."
        raise RunFolderError(str(run), problem, cure)
