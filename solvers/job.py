"""What a run was asked to do, checked."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from solvers.log import Log, Watcher
from solvers.profiles import PROFILES, Profile
from solvers.run_folder import RunFolder, default_place
from solvers.workers import usable_cpus


@dataclass(frozen=True)
class Job:
    """The arguments of `solvers.solve`, and the log of the run they lead to."""

    path: Path
    out: Path | None
    seed: int
    profile: Profile
    jobs: int
    note: str
    log: Log
    started: datetime

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
        watcher: Watcher | None,
    ) -> Self:
        """Check arguments, before anything is read.

        Raises
        ------
        ValueError
            If the seed is negative, there is no such profile, or no process to work with.
        """
        if seed < 0:
            msg = f"the seed must be 0 or more, not {seed}"
            raise ValueError(msg)
        if profile not in PROFILES:
            msg = f"there is no profile {profile!r}; choose one of {', '.join(PROFILES)}"
            raise ValueError(msg)
        if jobs is not None and jobs < 1:
            msg = f"jobs must be 1 or more, not {jobs}"
            raise ValueError(msg)
        return cls(
            path=Path(path),
            out=None if out is None else Path(out),
            seed=seed,
            profile=PROFILES[profile],
            jobs=usable_cpus() if jobs is None else jobs,
            note=note,
            log=Log(watcher),
            started=datetime.now(UTC),
        )

    def folder(self, slug: str) -> RunFolder:
        """Name the run's folder: the one asked for, or the default one of its task."""
        place = default_place(slug, self.seed, self.started) if self.out is None else self.out
        return RunFolder(place, inputs=self.path)
