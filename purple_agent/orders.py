"""What a worker is to do, as the service writes it into the task's folder."""

from typing import TYPE_CHECKING, Self

from pydantic import BaseModel

if TYPE_CHECKING:
    from purple_agent.settings import Settings


class Order(BaseModel):
    """What the worker is to do.

    Attributes
    ----------
    seed, profile, jobs, report
        As for `solvers.solve`.
    sharing : int
        How many tasks share the CPUs, if `jobs` is None.
    max_members, max_unpacked : int
        Of the archive.
    baseline, agent : str
        Where the functions are, as ``module:name``.
    plain : bool
        Whether to make a baseline only, for the work has ended without a word too often.
    """

    seed: int
    profile: str
    jobs: int | None
    report: bool
    sharing: int = 1
    max_members: int
    max_unpacked: int
    baseline: str
    agent: str
    plain: bool = False

    @classmethod
    def of(cls, settings: "Settings", *, sharing: int, plain: bool) -> Self:
        """Take from the settings what concerns the worker."""
        return cls(
            seed=settings.seed,
            profile=settings.profile,
            jobs=settings.jobs,
            report=settings.report,
            sharing=sharing,
            max_members=settings.max_members,
            max_unpacked=settings.max_unpacked,
            baseline=settings.baseline,
            agent=settings.agent,
            plain=plain,
        )
