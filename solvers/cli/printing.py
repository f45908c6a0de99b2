"""What the command line prints on stdout."""

import json
import textwrap
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Column, Table

from signatures import Match
from signatures.wording import counted
from solvers.prediction_columns import BLENDS

PRINTED: list[bool] = []  # whether a JSON object has been printed

if TYPE_CHECKING:
    from solvers.solution import Solution
    from solvers.verdict import Verification


def print_tasks(tasks: list[dict[str, Any]]) -> None:
    """Print the known tasks as a table, in which no name is broken: people copy them."""
    longest = max((len(task["task"]) for task in tasks), default=0)
    table = Table(
        Column("task", no_wrap=True, min_width=longest), "metric", "columns", "last score",
        box=None, padding=(0, 2, 0, 0),
    )  # fmt: skip
    for task in tasks:
        if "error" in task:
            table.add_row(task["task"], "-", "-", "-")
            continue
        last = task["newest_run"]
        score = f"{score_text(last['score'])} ({last['profile']})" if last else ""
        table.add_row(task["task"], task["metric"], str(task["columns"]), score)
    Console().print(table, crop=False)
    if any(task["newest_run"] for task in tasks):
        typer.echo(
            "Last scores are those of the newest runs under ./runs; quick ones are rehearsals."
        )
    for task in tasks:
        if "error" in task:
            typer.echo(f"{task['error']} Until then no dataset is matched.")


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


def print_task(facts: dict[str, Any]) -> None:
    """Print what is known of a task, part by part."""
    better = "higher" if facts["metric"]["higher_is_better"] else "lower"
    lines = [
        f"{facts['task']}: {facts['title']} ({facts['source']})",
        f"solved by {facts['solver']}, known by {', '.join(facts['key'])}",
        f"predicts {', '.join(facts['target'])} for each {facts['id']}; "
        f"{facts['metric']['name']}, {better} is better",
        "\ncontract:",
    ]
    for name, column in facts["contract"].items():
        missing = ", may be missing" if column["may_be_missing"] else ""
        expected = f": {column['expected']}" if column["expected"] else ""
        lines.append(f"  {name} ({column['kind']}{missing}){expected}")
    for part in ("rules", "features"):
        lines += [f"\n{part}:" if facts[part] else f"\n{part}: none"]
        lines += [f"  {name}: {told}" for name, told in facts[part].items()]
    lines.append("\nmodels, and what of them may be tuned:")
    for model in facts["models"]:
        values = ", ".join(f"{name} {value}" for name, value in model["parameters"].items())
        tuned = " (tuned)" if model["tuned"] else ""
        lines.append(f"  {model['name']}{tuned}: {values or 'nothing to tune'}")
    where, *rest = _tuned_in_words(facts["tuned"])  # a path is not broken: people copy it
    typer.echo("\n".join([*map(_wrapped, lines), "", where, *map(_wrapped, rest)]))


def _wrapped(line: str) -> str:
    """Break a line that does not fit into 80 columns, at its spaces, and indent what follows."""
    start = "\n" if line.startswith("\n") else ""
    indent = line[: len(line) - len(line.lstrip())].strip("\n")
    return start + textwrap.fill(
        line.strip(), 79, initial_indent=indent, subsequent_indent=f"{indent}    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _tuned_in_words(tuned: dict[str, Any] | None) -> list[str]:
    """Say where tuned parameters come from, and what they gained."""
    if tuned is None:
        return ["tuned parameters: none, the models are as the solver declares them"]
    study, score = tuned["study"], tuned["score"]
    return [
        f"tuned parameters: {tuned['file']}",
        f"  {study['trials']} trials for each model, seed {study['seed']}",
        f"  {score['metric']} {score['after']} ± {score['after_error']} on {score['fold_seeds']} "
        f"fold seeds that the study did not see, before {score['before']} ± "
        f"{score['before_error']}: gained {score['gain']} ± {score['gain_error']}",
        f"  data sha256 {study['data_sha256']}",
        f"  {', '.join(f'{name} {version}' for name, version in tuned['versions'].items())}",
    ]


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
            "inferred": solution.record["inferred"],
        }
        print_json(facts)
        return
    console = Console()
    scores = solution.record["scores"]
    if scores is not None:
        title = solution.record["task"] or solution.route
        table = Table("model", f"{scores['metric']}, out of fold", title=title)
        for name, score in scores["models"].items():
            table.add_row(name + (" (used)" if name == scores["used"] else ""), score_text(score))
        console.print(table)
    if inferred := solution.record["inferred"]:
        _print_inferred(solution.reason, inferred)
    if solution.record["note"]:
        console.print(solution.record["note"], markup=False, highlight=False)
    said = [f"{scores['protocol']}.", scores["reason"], *_why_a_blend(scores)] if scores else [""]
    typer.echo("\n".join([*said, f"submission: {solution.submission}"]))


def _why_a_blend(scores: dict[str, Any]) -> list[str]:
    """Say why a single model is not handed in where one has the better score."""
    sign = 1 if scores["higher_is_better"] else -1
    value = {name: sign * score["mean"] for name, score in scores["models"].items()}
    best = max(value, key=lambda name: value[name])
    if best in BLENDS or value[best] <= value[scores["used"]]:
        return []
    return [
        f"{best} alone scores better, but the best of several scores is partly luck: a blend is "
        "handed in, which errs less on new rows as a rule."
    ]


def _print_inferred(reason: str, inferred: dict[str, Any]) -> None:
    """Say that the baseline answered, why, and what it took the data for."""
    by = "The baseline answered"
    if inferred["answered_by"] == "constant":
        by = "A CONSTANT ANSWERS EVERY ROW, for nothing could be learned"
    kinds: dict[str, list[str]] = {}
    for name, kind in inferred["columns"].items():
        kinds.setdefault(kind, []).append(name)
    columns = [
        f"{counted(len(names), 'column')} of {kind}" for kind, names in sorted(kinds.items())
    ]
    typer.echo("\n".join([f"{by}: {reason}", *(f"- {n}" for n in [*inferred["notes"], *columns])]))


def print_runs(runs: list[dict[str, Any]]) -> None:
    """Print runs, the newest last: a line that can be copied whole, and what is known of it."""
    for run in sorted(runs, key=lambda run: run.get("finished", "")):
        typer.echo(run["run"])
        if run["state"] != "finished":
            typer.echo(f"    {run['state']}: {run['note']}")
            continue
        score = f"{score_text(run['score'])} {run['score']['metric']}" if run["score"] else "-"
        asked = f"{run['profile']}, seed {run['seed']}"
        verdict = run["verdict"] or "not verified"
        facts = (run["task"] or run["route"], score, asked, verdict)
        typer.echo(f"    {'  '.join(facts)}  {age_text(run['age_seconds'])} ago")


def age_text(seconds: float) -> str:
    """Write an age in its largest unit."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


def print_verification(result: "Verification") -> None:
    """Print the verdict, which rows differ, and which recorded factors do."""
    lines = [f"{result.verdict}: {result.reason}."]
    if result.first_ids:
        more = ", ..." if (result.differing or 0) > len(result.first_ids) else ""
        lines.append(f"first ids: {', '.join(result.first_ids)}{more}")
    if result.largest_difference and result.verdict == "different":
        lines.append(f"largest difference between predictions: {result.largest_difference:.3g}")
    if result.factors:
        same = result.verdict != "different"
        lines.append("not as recorded, without effect:" if same else "not as recorded:")
        lines += [f"- {factor}" for factor in result.factors]
    elif result.verdict == "different":
        lines.append("Nothing that was recorded differs: the cause was not recorded.")
    typer.echo("\n".join(lines))


def score_text(score: dict[str, Any] | None) -> str:
    """Write a score with its standard error, where there is one."""
    if score is None:
        return "-"
    error = "" if score["sem"] is None else f" ± {score['sem']:.5f}"
    return f"{score['mean']:.5f}{error}"


def print_json(facts: dict[str, Any]) -> None:
    """Print exactly one JSON object."""
    PRINTED.append(True)
    typer.echo(json.dumps(facts, indent=2, ensure_ascii=False))
