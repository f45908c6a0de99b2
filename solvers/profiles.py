"""How much work a run may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Profile:
    """How much work a run does, counted in fits and rounds and never in seconds.

    Attributes
    ----------
    fold_seeds : int
        How many times the rows are cut into folds.
    folds : int
        Into how many.
    work : float
        Share of each model's rounds, 0 to 1.
    """

    name: str
    fold_seeds: int
    folds: int
    work: float


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "full": Profile("full", fold_seeds=5, folds=5, work=1.0),
        "quick": Profile("quick", fold_seeds=1, folds=3, work=0.25),
    }
)


def named(name: str) -> Profile:
    """Look a profile up by its name.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if name not in PROFILES:
        msg = f"there is no profile {name!r}; choose one of {', '.join(PROFILES)}"
        raise ValueError(msg)
    return PROFILES[name]
