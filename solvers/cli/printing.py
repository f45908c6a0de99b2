"""What the command line prints on stdout."""

import json
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from signatures import Match

if TYPE_CHECKING:
    from solvers.solution import Solution


def print_tasks(tasks: list[dict[str, Any]]) -> None:
    """Print the known tasks as a table."""
    table = Table("task", "metric", "columns", "last recorded score (under ./runs)")
    for task in tasks:
        last = task["last_score"]
        score = score_text(last) + (f" ({last['profile']})" if last else "")
        table.add_row(task["task"], task["metric"], str(task["columns"]), score)
    Console().print(table)


def print_match(match: Match) -> None:
    """Say which task was matched, by which columns, in which files, and how they differ."""
    facts = match.to_dict()
    lines = [
        f"{match.slug}: {facts['title']}",
        f"because train has {', '.join(match.signature.key)}",
        *(f"{role}: {name or 'not found'}" for role, name in facts["files"].items()),
    ]
    if match.missing:
        lines.append(f"missing columns: {', '.join(match.missing)}")
    if match.unexpected:
        lines.append(f"unexpected columns, not used: {', '.join(match.unexpected)}")
    for expected, found in match.respelled.items():
        lines.append(f"differently spelled: {found!r} should be {expected!r}")
    lines += match.like
    typer.echo("\n".join(lines))


def print_solution(solution: "Solution", as_json: bool) -> None:
    """Print every score and where the submission lies."""
    if as_json:
        facts = {
            "route": solution.route,
            "reason": solution.reason,
            "task": solution.record["task"],
            "run": str(solution.run),
            "submission": str(solution.submission),
            "submission_sha256": solution.record["submission_sha256"],
            "scores": solution.record["scores"],
        }
        print_json(facts)
        return
    scores = solution.record["scores"]
    table = Table("model", f"{scores['metric']}, out of fold", title=solution.record["task"])
    for name, score in scores["models"].items():
        table.add_row(name + (" (used)" if name == scores["used"] else ""), score_text(score))
    console = Console()
    console.print(table)
    if solution.record["note"]:
        console.print(solution.record["note"], markup=False, highlight=False)
    typer.echo(f"{scores['protocol']}.\n{scores['reason']}\nsubmission: {solution.submission}")


def score_text(score: dict[str, Any] | None) -> str:
    """Write a score with its standard error, where there is one."""
    if score is None:
        return "-"
    error = "" if score["sem"] is None else f" ± {score['sem']:.5f}"
    return f"{score['mean']:.5f}{error}"


def print_json(facts: dict[str, Any]) -> None:
    """Print exactly one JSON object."""
    typer.echo(json.dumps(facts, indent=2, ensure_ascii=False))
