"""One run of a bench: begun, gone on with or read back; graded; done once more to verify it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from signatures import RunFolderError
from solvers import environment, fresh_process
from solvers.bench.answers import graded
from solvers.bench.asked import Asked
from solvers.bench.datasets import Dataset
from solvers.bench.results import read_result
from solvers.bench.rows import Failure, Row
from solvers.comparison import not_as_recorded
from solvers.factors import edited_since
from solvers.inputs import changed_inputs
from solvers.request import REQUEST, read_request
from solvers.run_record import RECORD, UNFINISHED, read_record
from solvers.runs import verifications

State = Literal["new", "unfinished", "finished"]
_DIFFERENT = 5  # the exit code of ``solvers verify`` where it found a difference
_OTHER = "Choose another folder with --out, or delete this run."


@dataclass(frozen=True)
class Planned:
    """A run that is to be there at the end, and where.

    Attributes
    ----------
    inputs : mapping
        The files of the dataset by role, with their digests, as a record names them.
    """

    dataset: Dataset
    seed: int
    place: Path
    inputs: Mapping[str, Any]
    answers: Path | None

    def __str__(self) -> str:
        """Name it to people."""
        return f"{self.dataset.name}, seed {self.seed}"


def state_of(planned: Planned, profile: str) -> State:
    """Tell what there is of a run already.

    Raises
    ------
    RunFolderError
        If its folder holds anything else: another run, or one that was edited.
    """
    place = planned.place
    if (place / RECORD).exists():
        _refuse_another(planned, profile)
        return "finished"
    if (place / UNFINISHED / REQUEST).exists():
        request = read_request(place)
        same = Path(request.path).resolve() == Path(planned.dataset.path).resolve()
        if not same or (request.seed, request.profile) != (planned.seed, profile):
            raise RunFolderError(str(place), "holds an unfinished run of something else", _OTHER)
        return "unfinished"
    if place.exists() and (
        not place.is_dir() or any(p.name != UNFINISHED for p in place.iterdir())
    ):
        raise RunFolderError(str(place), "is not empty, and holds no run", _OTHER)
    return "new"


def _refuse_another(planned: Planned, profile: str) -> None:
    record = read_record(planned.place)
    found = {
        "task": (record.task, planned.dataset.task),
        "seed": (record.seed, planned.seed),
        "profile": (record.settings.profile.name, profile),
        "route": (record.route, "known-task"),
    }
    for name, (there, wanted) in found.items():
        if there != wanted:
            problem = f"holds a run with the {name} {there!r}, not {wanted!r}"
            raise RunFolderError(str(planned.place), problem, _OTHER)
    files = {role: file.model_dump() for role, file in record.input.files.items()}
    if changed_inputs(files, planned.inputs):
        raise RunFolderError(str(planned.place), "holds a run of other data", _OTHER)
    edits = [*edited_since(planned.place, record), *chain(*not_as_recorded(planned.place, record))]
    if edits:
        raise RunFolderError(
            str(planned.place), f"holds a run that was changed: {edits[0]}", _OTHER
        )


def do(planned: Planned, state: State, asked: Asked, *, progress: bool) -> Row:
    """Bring a run to its end and give its row; what fails is in the row, and raises nothing."""
    row = Row(planned.dataset.name, planned.dataset.task, planned.seed, planned.place.name)
    if state != "finished":
        ended = fresh_process.run(_words(planned, state, asked), progress=progress)
        if ended.code != 0:
            return replace(row, error=Failure(ended.code, ended.message))
    try:
        row = replace(row, result=read_result(planned.place))
    except RunFolderError as error:  # what was said to be finished is not there
        return replace(row, error=Failure(1, str(error)))
    if planned.answers is not None:
        row = replace(row, graded=graded(planned.place, planned.dataset.task, planned.answers))
    return row


def _words(planned: Planned, state: State, asked: Asked) -> list[str]:
    if state == "unfinished":
        words = ["solve", "--resume", str(planned.place)]
    else:
        # Without a report: it has no numbers that a table needs; `solvers report` makes it later.
        words = ["solve", planned.dataset.path, "--out", str(planned.place), "--no-report"]
        words += ["--seed", str(planned.seed), "--profile", asked.profile]
    return [*words, *_jobs(asked), "--json"]


def _jobs(asked: Asked) -> list[str]:
    return [] if asked.jobs is None else ["--jobs", str(asked.jobs)]


def verdict_of(planned: Planned) -> str | None:
    """Give the verdict that a finished run has already, if this very code came to it."""
    found = verifications(planned.place)
    ours = environment.describe()["code"]["sha256"]
    return found[-1]["verdict"] if found and found[-1].get("code_sha256") == ours else None


def verified(row: Row, planned: Planned, asked: Asked, *, progress: bool) -> Row:
    """Do a finished run a second time, and add the verdict or why there is none."""
    words = ["verify", str(planned.place), "--data", planned.dataset.path, "--json"]
    ended = fresh_process.run([*words, *_jobs(asked)], progress=progress)
    if ended.code not in (0, _DIFFERENT) or "verdict" not in ended.answer:
        return replace(row, unverified=Failure(ended.code, ended.message))
    return replace(row, verdict=str(ended.answer["verdict"]))
