"""The commands that look and do not solve: ``list``, ``match`` and ``show``."""

from pathlib import Path

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
            {
                "task": slug,
                "title": signature.title,
                "metric": signature.metric.name,
                "columns": len(signature.columns),
                "newest_run": newest_scored_run(runs, slug),
            }
            for slug, signature in signatures.REGISTRY.items()
        ]
        if as_json:
            print_json({"tasks": tasks})
        else:
            print_tasks(tasks)


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
