"""What a run was asked to do, checked, and the log that it keeps."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from solvers.log import Log, Watcher
from solvers.places import default_place, refuse_unwritable_name
from solvers.profiles import Profile, named
from solvers.request import Request
from solvers.run_folder import RunFolder
from solvers.workers import checked, usable_cpus


@dataclass(frozen=True)
class Job:
    """A request, where its run goes, and when this sitting of it began."""

    request: Request
    out: Path | None
    log: Log
    sat_down: datetime

    @classmethod
    def ask(
        cls,
        path: str | Path,
        *,
        out: str | Path | None,
        seed: int,
        profile: str,
        jobs: int | None,
        note: str,
        report: bool,
        fallback: Literal["none", "baseline", "own"] = "none",
        as_unknown: bool = False,
        watcher: Watcher | None,
    ) -> Self:
        """Check arguments, before anything is read.

        Raises
        ------
        ValueError
            If the seed is negative, there is no such profile, no process to work with, or no
            fallback for data that are to be taken as unknown.
        """
        if seed < 0:
            msg = f"the seed must be 0 or more, not {seed}"
            raise ValueError(msg)
        if as_unknown and fallback == "none":
            msg = "data that are to be taken as unknown need a fallback"
            raise ValueError(msg)
        named(profile)
        for place in (path, out):
            refuse_unwritable_name(place)
        now = datetime.now(UTC)
        request = Request(
            # Absolute, so that the run can be done again from another working directory.
            path=os.path.abspath(path),
            seed=seed,
            profile=profile,
            jobs=jobs if jobs is None else checked(jobs),
            note=note,
            report=report,
            fallback=fallback,
            as_unknown=as_unknown,
            started=now,
            sittings=1,
        )
        return cls(request, None if out is None else Path(out), Log(watcher), now)

    @classmethod
    def again(
        cls, run: Path, request: Request, *, jobs: int | None, watcher: Watcher | None
    ) -> Self:
        """Go on with the run in the folder `run`.

        Raises
        ------
        ValueError
            If there is no process to work with.
        """
        refuse_unwritable_name(run)
        more = {"sittings": request.sittings + 1}
        if jobs is not None:
            more["jobs"] = checked(jobs)
        return cls(request.model_copy(update=more), run, Log(watcher), datetime.now(UTC))

    @property
    def path(self) -> Path:
        """The dataset."""
        return Path(self.request.path)

    @property
    def profile(self) -> Profile:
        """How much work to do."""
        return named(self.request.profile)

    @property
    def seed(self) -> int:
        """The one seed."""
        return self.request.seed

    @property
    def jobs(self) -> int:
        """Processes to fit in."""
        return usable_cpus() if self.request.jobs is None else self.request.jobs

    def folder(self, slug: str) -> RunFolder:
        """Name the run's folder: the one asked for, or the default one of its task."""
        place = self.out or default_place(slug, self.seed, self.request.started)
        return RunFolder(place, self.request)
