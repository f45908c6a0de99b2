"""The command ``tune``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

import signatures
from solvers.cli.errors import done, errors_as_sentences
from solvers.cli.options import (
    JobsOption,
    JsonOption,
    PathArgument,
    ProfileName,
    ProfileOption,
    SeedOption,
    TaskArgument,
    VerboseOption,
)
from solvers.cli.printing import print_json

if TYPE_CHECKING:
    from solvers.tuning import Tuned


def tune(
    task: TaskArgument,
    path: PathArgument,
    trials: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="For each base model; the first is what it declares."
        ),
    ],
    seed: SeedOption = 0,
    profile: ProfileOption = ProfileName.full,
    jobs: JobsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the studies are kept.",
            show_default="runs/tune/<task>/<profile>-s<seed>",
        ),
    ] = None,
    params: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What is adopted is written here.",
            show_default="where the solver reads it",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the studies in the folder.")
    ] = False,
    verbose: VerboseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Look for better parameters of a task's models; adopt them only where they are better.

    Each base model has a study of its own, scored on the solver's folds.

    What they find is held against what is in use, on fold seeds that no study saw.

    It is adopted where it gains more than two errors; --profile quick adopts nothing.
    """
    with errors_as_sentences(as_json):
        match = signatures.match(path)
        if match.slug != task:
            msg = f"{str(path)!r} is the task {match.slug!r}, not {task!r}"
            raise typer.BadParameter(msg, param_hint="PATH")
        from solvers import tuning
        from solvers.cli.progress import progress

        with progress(verbose=verbose) as watcher:
            tuned = tuning.tune(
                match, trials=trials, seed=seed, profile=profile.value, jobs=jobs, out=out,
                file=params, resume=resume, watcher=watcher,
            )  # fmt: skip
        with done(f"All trials are kept, in {str(tuned.folder)!r}. {tuned.verdict.reason}"):
            _print(tuned, as_json)


def _print(tuned: "Tuned", as_json: bool) -> None:
    if as_json:
        print_json(tuned.to_dict())
        return
    title = f"{tuned.task}: {tuned.trials} trials for each model, seed {tuned.seed}"
    table = Table("model", f"{tuned.metric}, declared", "best", "trial", "parameters", title=title)
    for found in tuned.found:
        values = ", ".join(f"{name} {value}" for name, value in found.best.parameters.items())
        scores = (f"{found.declared:.5f}", f"{found.best.score:.5f}")
        table.add_row(found.model, *scores, str(found.best.number), values)
    Console().print(table)
    written = f"parameters: {tuned.written}\n" if tuned.written else ""
    typer.echo(f"{tuned.verdict.reason}\n{written}studies: {tuned.folder}")
