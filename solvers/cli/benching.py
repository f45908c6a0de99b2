"""The command ``bench``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import JobsOption, JsonOption, ProfileName, ProfileOption
from solvers.cli.printing import print_json

if TYPE_CHECKING:
    from solvers.bench import Bench, TooMuchWorkError
    from solvers.bench.readme import Table

README = Path("README.md")

PathsArgument = Annotated[
    list[Path],
    typer.Argument(exists=True, help="Datasets, or folders with a subfolder for each.",
                   metavar="PATH"),
]  # fmt: skip
SeedsOption = Annotated[str, typer.Option(help="Whole numbers, as in 0,1,2.")]
AnswersOption = Annotated[
    Path | None,
    typer.Option(
        exists=True, file_okay=False,
        help="Grade against <task>.csv, or <task>/answers.csv, in this folder.",
    ),
]  # fmt: skip
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Where the runs go; that of a bench that was stopped, to go on.",
        show_default="runs/bench/<UTC time>",
    ),
]
VerifyOption = Annotated[
    bool, typer.Option("--verify/--no-verify", help="Do each run twice and compare.")
]
MaxFitsOption = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Begin nothing if there are more fits."),
]


def bench(
    paths: PathsArgument,
    seeds: SeedsOption = "0",
    profile: ProfileOption = ProfileName.full,
    answers: AnswersOption = None,
    jobs: JobsOption = None,
    out: OutOption = None,
    verify: VerifyOption = True,
    max_fits: MaxFitsOption = None,
    update_readme: Annotated[
        bool,
        typer.Option(
            "--update-readme",
            help="Rewrite the table in the README, no more. It may lose no task: give all "
            "datasets, and the --out of before, where nothing finished is done again.",
        ),
    ] = False,
    readme: Annotated[Path, typer.Option(help="The file that --update-readme is about.")] = README,
    table: Annotated[
        str, typer.Option(metavar="NAME", help="Which of its tables, where there are several.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Solve several datasets with several seeds, each in its own process: a table of all."""
    with errors_as_sentences(as_json):
        from solvers import bench as benches

        try:
            numbers = benches.parse_seeds(seeds)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--seeds") from error
        if table and not update_readme:
            message = "it names a table that --update-readme rewrites, which was not given"
            raise typer.BadParameter(message, param_hint="--table")
        if update_readme:
            written = _checked(readme, table, paths)
        try:
            seen = benches.bench(
                paths, seeds=numbers, profile=profile.value, answers=answers, jobs=jobs, out=out,
                verify=verify, max_fits=max_fits, tell=_tell, progress=True,
            )  # fmt: skip
        except benches.TooMuchWorkError as error:
            _refuse(error, as_json)
        if update_readme:
            _update(written, seen)
        if as_json:
            print_json(seen.to_dict())
        else:
            typer.echo(seen.to_markdown(), nl=False)
            _tell(f"kept in {seen.out}: the runs, bench.md and bench.json")
    raise typer.Exit(seen.exit_code)


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _refuse(error: "TooMuchWorkError", as_json: bool) -> None:
    """What was asked for is more than was allowed: usage, and nothing has failed."""
    typer.echo(f"solvers: {error}", err=True)
    if as_json:
        print_json({"error": type(error).__name__, "message": str(error), "exit_code": 2})
    raise typer.Exit(2)


def _checked(readme: Path, name: str, paths: list[Path]) -> "Table":
    """Make sure that the table can be rewritten and loses no task, before anything is run."""
    from solvers.bench.datasets import find_datasets
    from solvers.bench.readme import Table

    try:
        table = Table(readme, name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--table") from error
    table.check()
    datasets, _ = find_datasets(paths)
    table.refuse_loss([dataset.name for dataset in datasets])
    return table


def _update(table: "Table", seen: "Bench") -> None:
    """Rewrite the table, unless a run of it failed: people trust what a README says."""
    from solvers.bench import markdown

    if seen.exit_code:
        _tell(f"solvers: {str(table.path)!r} stays as it is, for not all went well.")
        return
    table.rewrite(markdown.block(seen))
    _tell(f"rewrote the table in {table.path}")
