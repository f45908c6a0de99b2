"""The commands that solve: ``solve`` and ``demo``."""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from signatures import RunFolderError
from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.hosts import Host, find_host, with_dataset
from solvers.cli.options import (
    FallbackName,
    JobsOption,
    JsonOption,
    ProfileName,
    ProfileOption,
    ReportOption,
    SeedOption,
    VerboseOption,
)
from solvers.cli.printing import print_solution

if TYPE_CHECKING:
    from solvers.solution import Solution

SUBMISSION = "submission.csv"


def solve(
    context: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(
            exists=True, metavar="PATH", help="A folder, .tar.gz or .zip with train and test."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="A new or empty folder.", show_default="runs/<task>/<UTC time>-s<seed>"),
    ] = None,
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.full,
    jobs: JobsOption = None,
    fallback: Annotated[
        FallbackName,
        typer.Option(
            metavar="NAME",
            help="What answers for data that no known task takes: none, baseline or agent.",
        ),
    ] = FallbackName.none,
    as_unknown: Annotated[
        bool, typer.Option("--as-unknown", help="Go to the fallback, even if a task is known.")
    ] = False,
    report: ReportOption = True,
    verbose: VerboseOption = False,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Go on with a run that was killed or failed; with PATH, if its data moved.",
        ),
    ] = None,
    submission_dir: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="A folder to hand submission.csv in as well."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a dataset: a submission, and beside it all that is needed to make it again.

    In a Kaggle notebook and in a container of MLE-bench, PATH and --submission-dir are theirs.
    """
    host = find_host(os.environ)
    if resume is not None:
        _refuse_with_resume(context, "out", "seed", "profile", "report", "as_unknown")
        if fallback is FallbackName.baseline:
            msg = "a run that was begun with --fallback baseline remembers it; leave it out"
            raise typer.BadParameter(msg)
    elif path is None and host is None:
        msg = "give the PATH of a dataset, or --resume RUN"
        raise typer.BadParameter(msg)
    elif as_unknown and fallback is FallbackName.none:
        msg = "--as-unknown needs --fallback baseline or --fallback agent"
        raise typer.BadParameter(msg)
    with errors_as_sentences(as_json):
        if host is not None:
            path, out, submission_dir = _as_is_usual(host, path, out, submission_dir, resume)
        if submission_dir is not None:
            _refuse_as_place(submission_dir, path)
        if resume is not None:
            solution = _resume(resume, path, jobs, fallback, verbose=verbose)
        elif path is not None:
            solution = _solve(
                path, out=out, seed=seed, profile=profile, jobs=jobs, report=report,
                verbose=verbose, fallback=_fallback(fallback), as_unknown=as_unknown,
            )  # fmt: skip
        with done(f"The run itself is finished, in {str(solution.run)!r}."):
            if submission_dir is not None:
                _hand_in(solution.submission, submission_dir)
            print_solution(solution, as_json)


def _as_is_usual(
    host: Host, path: Path | None, out: Path | None, submission_dir: Path | None, run: Path | None
) -> tuple[Path | None, Path | None, Path]:
    """Fill what was left out as is usual on this host, and say so on stderr."""
    said = []
    if path is None and run is None:
        path = with_dataset(host).data
        said.append(f"the data are {path}")
    if out is None and run is None and host.out is not None:
        out = host.out
        said.append(f"the run goes to {out}")
    if submission_dir is None:
        submission_dir = host.submission_dir
        said.append(f"submission.csv goes to {submission_dir} too")
    if said:
        typer.echo(f"solvers: this is {host.name}: {', '.join(said)}.", err=True)
    return path, out, submission_dir


def _refuse_as_place(folder: Path, data: Path | None) -> None:
    """Refuse a folder that a submission cannot be put into, before there is one."""
    from solvers.places import refuse_bad_place

    if data is not None:
        refuse_bad_place(folder, data, option="--submission-dir")
    if (folder / SUBMISSION).is_dir():
        cure = "Remove it, or choose another folder with --submission-dir."
        raise RunFolderError(str(folder / SUBMISSION), "is a folder, and no file", cure)
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        problem = f"cannot be written to: {error.strerror}"
        raise RunFolderError(
            str(folder), problem, "Choose another with --submission-dir."
        ) from error


def _hand_in(submission: Path, folder: Path) -> None:
    """Copy a submission; an older one is replaced when all of this one is there."""
    from solvers.files import write_whole

    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / SUBMISSION, submission.read_bytes())
    typer.echo(f"solvers: submission.csv is in {folder} too.", err=True)


def _refuse_with_resume(context: typer.Context, *names: str) -> None:
    """A run that goes on is the one that was asked for; its data may have moved, no more."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            flag = f"--{name.replace('_', '-')}"
            msg = f"{flag} cannot be given with --resume: the run goes on as it was asked for"
            raise typer.BadParameter(msg)


def demo(
    out: Annotated[
        Path | None,
        typer.Option(help="A new or empty folder.", show_default="runs/demo/<UTC time>-s<seed>"),
    ] = None,
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.quick,
    jobs: JobsOption = None,
    report: ReportOption = True,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Do the main job on synthetic passengers that the package makes itself."""
    with errors_as_sentences(as_json):
        from solvers import demonstration

        with demonstration.dataset(out, seed=seed) as (data, run):
            solution = _solve(
                data, out=run, seed=seed, profile=profile, jobs=jobs, report=report,
                note=demonstration.NOTICE, verbose=verbose,
            )  # fmt: skip
        with done(f"The run itself is finished, in {str(solution.run)!r}."):
            print_solution(solution, as_json)


def _fallback(name: FallbackName) -> Any:
    """Give what `solvers.solve` takes."""
    if name is FallbackName.agent:
        from solvers.cli.plugins import fallback

        return fallback(name.value)
    return None if name is FallbackName.none else name.value


def _solve(path: Path, *, profile: ProfileName, verbose: bool, **options: Any) -> "Solution":
    """Run the main job with progress on stderr."""
    from solvers import solution
    from solvers.cli.progress import progress

    with progress(verbose=verbose) as watcher:
        return solution.solve(path, profile=profile.value, watcher=watcher, **options)


def _resume(
    run: Path, data: Path | None, jobs: int | None, fallback: FallbackName, *, verbose: bool
) -> "Solution":
    """Go on with a run, with progress on stderr."""
    from solvers import solution
    from solvers.cli.progress import progress

    with progress(verbose=verbose) as watcher:
        own = _fallback(fallback) if fallback is FallbackName.agent else None
        return solution.resume(run, data=data, jobs=jobs, fallback=own, watcher=watcher)
