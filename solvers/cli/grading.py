"""The command ``grade``.

An invalid submission is exit code 1: the work was done and its outcome is bad. Answers or a
leaderboard that cannot be used are 4, as all data that has to be mended before anything can be
done; a path or a task that does not exist is 2, since it was typed wrong.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from signatures import RunFolderError
from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import JsonOption, known
from solvers.cli.printing import print_json
from solvers.files import refuse_another, write_whole

if TYPE_CHECKING:
    from solvers.grading import Grade


def grade(
    # Not `exists`: a submission that is not there is graded, as invalid.
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION", help="The csv to grade.")],
    answers: Annotated[
        Path,
        typer.Option(exists=True, dir_okay=False, help="A table with ids and true targets."),
    ],
    task: Annotated[
        str | None,
        typer.Option(callback=known, help="A known task.", show_default="told from the answers"),
    ] = None,
    leaderboard: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="A csv with a score for each team: gives a rank."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            help="Write MLE-bench's grading report here; call it *grading_report*.json.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score a submission against the answers: the metric, and the medal it would be."""
    with errors_as_sentences(as_json):
        from solvers.grading import grade

        if report is not None:
            refuse_another(report, b'"competition_reports"', "--report")
        graded = grade(submission, answers=answers, task=task, leaderboard=leaderboard)
        if report is not None:
            _write(report, graded)
            typer.echo(f"wrote {report}", err=True)
        if as_json:
            print_json(graded.to_dict())
        if not graded.valid:
            _print_failures(graded)
            raise typer.Exit(1)
        if not as_json:
            _print_grade(graded)


def _write(path: Path, graded: "Grade") -> None:
    text = json.dumps(graded.grading_report(), indent=2, ensure_ascii=False)
    try:
        write_whole(path, f"{text}\n")
    except OSError as error:
        raise RunFolderError(
            str(path), f"cannot be written: {error.strerror or error}", "Choose another --report"
        ) from error


def _print_failures(graded: "Grade") -> None:
    typer.echo(
        f"solvers: {graded.submission!r} is no valid submission for {graded.task}:", err=True
    )
    for failure in graded.failures:
        typer.echo(f"- {failure}", err=True)


def _print_grade(graded: "Grade") -> None:
    better = "higher" if graded.metric.higher_is_better else "lower"
    lines = [f"{graded.task}: {graded.metric.name} {graded.score:.5f} ({better} is better)"]
    lines += _standing(graded)
    if graded.rank is not None and graded.n_teams is not None:
        lines.append(
            f"It would stand at rank {graded.rank} of {graded.n_teams + 1}: the "
            f"{graded.n_teams} teams of the leaderboard and itself, after those of equal score."
        )
    lines += [f"note: {note}" for note in graded.notes]
    typer.echo("\n".join(lines))


def _standing(graded: "Grade") -> list[str]:
    """Say what the medal lines make of the score, and how far from each it is."""
    from solvers.grading.medals import lead

    known = graded.lines.known()
    if not known or graded.score is None:
        return ["No medal lines are known for this task."]
    medal = f"a {graded.medal} medal" if graded.medal else "no medal"
    rows = [f"It would be {medal}, by the lines of {graded.lines.source}:"]
    for name, line in known.items():
        ahead = lead(graded.score, line, graded.metric)
        place = (
            f"{abs(ahead):.5f} {'ahead' if ahead > 0 else 'behind'}" if ahead else "just reached"
        )
        rows.append(f"  {name:<6} {line:.5f}  {place}")
    return rows
