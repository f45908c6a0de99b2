"""The commands that look and do not solve: ``list``, ``match`` and ``show``."""

from pathlib import Path
from typing import Any

import signatures
from solvers.cli.errors import errors_as_sentences
from solvers.cli.options import JsonOption, PathArgument, TaskArgument
from solvers.cli.printing import print_json, print_match, print_task, print_tasks


def list_tasks(as_json: JsonOption = False) -> None:
    """Show the known tasks: metric, columns, last recorded score."""
    with errors_as_sentences(as_json):
        from solvers.runs import describe_run, find_runs, newest_scored_run

        runs = [describe_run(run) for run in find_runs(Path("runs"))]
        tasks = [
            {**_facts(slug), "newest_run": newest_scored_run(runs, slug)}
            for slug in signatures.REGISTRY
        ]
        if as_json:
            print_json({"tasks": tasks})
        else:
            print_tasks(tasks)


def _facts(slug: str) -> dict[str, Any]:
    """Tell of a task, or what is wrong with its signature: the others are listed all the same."""
    try:
        signature = signatures.REGISTRY[slug]
    except signatures.SignatureError as error:
        return {"task": slug, "error": str(error)}
    return {
        "task": slug,
        "title": signature.title,
        "metric": signature.metric.name,
        "columns": len(signature.columns),
    }


def match(path: PathArgument, as_json: JsonOption = False) -> None:
    """Say which known task a dataset is, and why."""
    with errors_as_sentences(as_json):
        found = signatures.match(path)
        if as_json:
            print_json(found.to_dict())
        else:
            print_match(found)


def show(task: TaskArgument, as_json: JsonOption = False) -> None:
    """Show what is known of a task: signature, contract, features, models, tuned parameters."""
    with errors_as_sentences(as_json):
        from solvers.description import describe

        facts = describe(signatures.REGISTRY[task])
        if as_json:
            print_json(facts)
        else:
            print_task(facts)
