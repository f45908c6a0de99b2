"""What a bench is asked for, checked before anything is read or started."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from solvers.bench.datasets import Dataset
from solvers.profiles import PROFILES

_DIGITS = 18  # a longer seed is a mistake, and makes a folder's name too long


@dataclass(frozen=True)
class Asked:
    """The arguments of a bench.

    Attributes
    ----------
    datasets : tuple of Dataset
        By name.
    seeds : tuple of int
        In rising order.
    profile : str
        Of every run.
    jobs : int or None
        Processes to fit in; None for the CPUs that may be used.
    verify : bool
        Whether each run is done a second time and compared.
    answers : str or None
        The folder with the answers, absolute.
    """

    datasets: tuple[Dataset, ...]
    seeds: tuple[int, ...]
    profile: str
    jobs: int | None
    verify: bool
    answers: str | None

    def command(self, out: Path | None = None) -> str:
        """Write the command line that asks for this.

        Parameters
        ----------
        out : Path, optional
            The bench's folder; then the command goes on with it, by whole paths. Without it
            folders are called by their last name: for readers on other machines.
        """
        if out is not None:
            paths = [dataset.path for dataset in self.datasets]
        else:
            paths = list(dict.fromkeys(Path(dataset.path).name for dataset in self.datasets))
        words = ["solvers", "bench", *paths, "--seeds", ",".join(map(str, self.seeds))]
        words += ["--profile", self.profile]
        if self.answers is not None:
            words += ["--answers", self.answers if out is not None else Path(self.answers).name]
        words += [] if self.jobs is None else ["--jobs", str(self.jobs)]
        words += [] if self.verify else ["--no-verify"]
        words += [] if out is None else ["--out", str(out)]
        return shlex.join(words)


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read seeds from a text such as ``"0,1,2"``.

    Raises
    ------
    ValueError
        If there are none, or one of them is no whole number of 0 or more, or there twice.

    Examples
    --------
    >>> parse_seeds("2, 0,1")
    (0, 1, 2)
    """
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
            msg = (
                f"{word!r} is no seed: expected whole numbers of 0 or more with commas between "
                f"them, as in 0,1,2, of at most {_DIGITS} digits"
            )
            raise ValueError(msg)
    return check_seeds([int(word) for word in words])


def check_seeds(seeds: Sequence[int]) -> tuple[int, ...]:
    """Return seeds in rising order.

    Raises
    ------
    ValueError
        If there are none, or one of them is negative, or there twice.
    """
    if not seeds:
        msg = "give at least one seed"
        raise ValueError(msg)
    if min(seeds) < 0:
        msg = f"a seed must be 0 or more, not {min(seeds)}"
        raise ValueError(msg)
    twice = sorted({seed for seed in seeds if seeds.count(seed) > 1})
    if twice:
        msg = f"the seed {twice[0]} is given twice: it would make the same run again"
        raise ValueError(msg)
    return tuple(sorted(seeds))


def check_profile(profile: str, jobs: int | None) -> None:
    """Refuse a profile that there is not, and less than one process.

    Raises
    ------
    ValueError
    """
    if profile not in PROFILES:
        msg = f"there is no profile {profile!r}; choose one of {', '.join(PROFILES)}"
        raise ValueError(msg)
    if jobs is not None and jobs < 1:
        msg = f"jobs must be 1 or more, not {jobs}"
        raise ValueError(msg)
