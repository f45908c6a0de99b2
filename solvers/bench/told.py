"""What a bench says while it is at work, line by line."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from solvers.bench.one_run import State
from solvers.bench.rows import Bench, Row

BEGINS: Mapping[State, str] = {
    "new": "begins",
    "unfinished": "goes on where it was stopped",
    "finished": "is finished already",
}


def beforehand(bench: Bench, answers: Mapping[str, Path]) -> Iterator[str]:
    """Say what is going to be done, how much work that is, and what is not."""
    for folder in bench.passed_over:
        yield f"passed over: {folder.path} {folder.reason}"
    for dataset in bench.asked.datasets:
        if dataset.name != dataset.task:
            yield f"{dataset.name} is {dataset.path}"
    if bench.asked.answers is not None:
        for dataset in bench.asked.datasets:
            if dataset.name not in answers:
                yield f"{dataset.name} is not graded: there are no answers called {dataset.name}"
    yield str(bench.work)


def outcome(row: Row) -> str:
    """Say how a run came out."""
    if row.result is None:
        error = row.error
        return "failed" if error is None else f"failed, exit code {error.exit_code}"
    score = row.result.models[row.result.used]
    parts = [f"{row.result.used} {score.mean:.5f} {row.result.metric}"]
    if row.graded is not None:
        found = row.graded.score
        parts.append("not fit to be graded" if found is None else f"graded {found:.5f}")
    if row.unverified is not None:
        parts.append(f"not verified, exit code {row.unverified.exit_code}")
    elif row.verdict is not None:
        parts.append(row.verdict)
    return ", ".join(parts)
