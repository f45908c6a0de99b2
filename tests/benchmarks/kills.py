"""Kill runs at random moments, let each go on, and compare what comes out with a run left alone.

A kill is SIGKILL to the process that was started; no part of it can clean up. With ``--each 2`` a
run is killed again while it goes on. Run it by ``make kills ARGS=DIR`` with a folder of real data.
"""

import hashlib
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

OUTPUTS = ("submission.csv", "oof_predictions.parquet", "test_predictions.parquet")


@dataclass
class Tally:
    """What was seen of all runs."""

    killed: int = 0
    before_it_began: int = 0
    identical: int = 0
    different: int = 0
    looked_finished: int = 0
    kept: int = 0


def kill(
    data: Annotated[Path, typer.Argument(exists=True, help="A dataset of a known task.")],
    runs: Annotated[int, typer.Option(min=1)] = 30,
    each: Annotated[int, typer.Option(min=1, help="How often a run is killed.")] = 1,
    profile: Annotated[str, typer.Option()] = "full",
    seed: Annotated[int, typer.Option(help="Of the moments.")] = 0,
) -> None:
    """Print how many runs were killed, and how many came out as the one that was not."""
    moments = random.Random(seed)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        started = time.monotonic()
        _solve(["solve", str(data), "--profile", profile, "--out", f"{folder}/alone"]).wait()
        length = time.monotonic() - started
        expected = _digests(Path(folder, "alone"))
        for number in track(range(runs), console=Console(stderr=True)):
            out = Path(folder, f"run{number}")
            words = ["solve", str(data), "--profile", profile, "--out", str(out)]
            # Of a run that is killed several times each part is as long as another.
            for moment in (moments.uniform(0.0, length / each) for _ in range(each)):
                _kill_at(words, out, moment, tally)
                if out.exists() and any(out.rglob("*.json")):
                    words = ["solve", "--resume", str(out)]
                else:
                    tally.before_it_began += 1
            process = _solve(words)
            process.wait()
            same = process.returncode == 0 and _digests(out) == expected
            tally.identical += same
            tally.different += not same
    lines = [f"{name.replace('_', ' ')}: {count}" for name, count in vars(tally).items()]
    typer.echo("\n".join([f"one run alone: {length:.1f} s", *lines]))
    if tally.different or tally.looked_finished:
        raise typer.Exit(1)


def _kill_at(words: list[str], out: Path, moment: float, tally: Tally) -> None:
    """Kill a run at a moment; one that had finished by then is not counted as killed."""
    process = _solve(words)
    try:
        process.wait(timeout=moment)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        tally.killed += 1
        tally.looked_finished += (out / "run.json").exists()
        tally.kept += len(list((out / ".unfinished" / "fits").glob("*.npz")))


def _solve(words: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "solvers.cli", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _digests(run: Path) -> list[str]:
    """Digest the outputs of a finished run; of any other there are none."""
    if not (run / "run.json").exists():
        return []
    return [hashlib.sha256((run / name).read_bytes()).hexdigest() for name in OUTPUTS]


if __name__ == "__main__":
    typer.run(kill)
