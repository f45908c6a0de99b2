"""The commands that solve: ``solve`` and ``demo``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import (
    JobsOption,
    JsonOption,
    PathArgument,
    ProfileName,
    ProfileOption,
    SeedOption,
)
from solvers.cli.printing import print_solution

if TYPE_CHECKING:
    from solvers.solution import Solution


def solve(
    path: PathArgument,
    out: Annotated[
        Path | None,
        typer.Option(help="A new or empty folder.  [default: runs/<task>/<UTC time>-s<seed>]"),
    ] = None,
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.full,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a known task: a submission, and beside it all that is needed to make it again."""
    with errors_as_sentences(as_json):
        solution = _solve(path, out=out, seed=seed, profile=profile, jobs=jobs)
        print_solution(solution, as_json)


def demo(
    out: Annotated[
        Path | None,
        typer.Option(help="A new or empty folder.  [default: runs/demo/<UTC time>-s<seed>]"),
    ] = None,
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.quick,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Do the main job on synthetic passengers that the package makes itself."""
    with errors_as_sentences(as_json):
        from solvers import demonstration

        with demonstration.dataset(out, seed=seed) as (data, run):
            solution = _solve(
                data, out=run, seed=seed, profile=profile, jobs=jobs, note=demonstration.NOTICE
            )
        print_solution(solution, as_json)


def _solve(path: Path, *, profile: ProfileName, **options: Any) -> "Solution":
    """Run the main job with progress on stderr."""
    from solvers import solve
    from solvers.cli.progress import ProgressBar

    with ProgressBar(Console(stderr=True)) as watcher:
        return solve(path, profile=profile.value, watcher=watcher, **options)
