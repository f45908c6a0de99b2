"""The commands: what each takes, and what it calls."""

from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

import signatures
from solvers.cli.errors import errors_as_sentences
from solvers.cli.printing import print_json, print_match, print_solution, print_tasks
from solvers.run_folder import last_score

if TYPE_CHECKING:
    from solvers.solution import Solution

app = typer.Typer(
    name="solvers",
    help="Recognise a known task from its columns and solve it, the same way every time.",
    epilog="Exit codes: 0 done, 1 failed, 2 usage, 3 unknown task, 4 data rejected.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


class ProfileName(StrEnum):
    """The names of the profiles, as choices."""

    full = "full"
    quick = "quick"


PathArgument = Annotated[
    Path, typer.Argument(exists=True, help="A folder, .tar.gz or .zip with train and test.")
]
SeedOption = Annotated[int, typer.Option(min=0, help="The one seed.")]
JobsOption = Annotated[
    int | None, typer.Option(min=1, help="Processes to fit in.  [default: usable CPUs]")
]
ProfileOption = Annotated[ProfileName, typer.Option(help="quick is a rehearsal.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(metadata.version("known-task-solvers"))
        raise typer.Exit


@app.command("list")
def list_tasks(as_json: JsonOption = False) -> None:
    """Show the known tasks: metric, columns, last recorded score."""
    with errors_as_sentences(as_json):
        tasks = [
            {
                "task": slug,
                "title": signature.title,
                "metric": signature.metric.name,
                "columns": len(signature.columns),
                "last_score": last_score(slug),
            }
            for slug, signature in signatures.REGISTRY.items()
        ]
        if as_json:
            print_json({"tasks": tasks})
        else:
            print_tasks(tasks)


@app.command()
def match(path: PathArgument, as_json: JsonOption = False) -> None:
    """Say which known task a dataset is, and why."""
    with errors_as_sentences(as_json):
        found = signatures.match(path)
        if as_json:
            print_json(found.to_dict())
        else:
            print_match(found)


@app.command()
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


@app.command()
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
