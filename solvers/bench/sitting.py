"""A bench at work, one run after the other, in a folder that no other bench has."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import signatures
from solvers.bench import told
from solvers.bench.bench_folder import keep, refuse_foreign, run_name
from solvers.bench.one_run import Planned, State, do, state_of, verdict_of, verified
from solvers.bench.rows import Bench, Row
from solvers.inputs import of_inputs
from solvers.run_record import RECORD

Tell = Callable[[str], None]


class Sitting:
    """One start of a bench, which may go on with what an earlier one left.

    Parameters
    ----------
    bench : Bench
        Without rows.
    answers : mapping
        The file with the answers of each dataset that has one, by name.
    tell : function
        Called with lines of progress.
    progress : bool
        Whether the runs' processes may write their progress to stderr.
    """

    def __init__(
        self, bench: Bench, answers: Mapping[str, Path], tell: Tell, *, progress: bool
    ) -> None:
        self._bench, self._answers, self._tell = bench, answers, tell
        self._progress = progress
        self._out = Path(bench.out)
        self._rows: dict[str, Row] = {}

    def take(self) -> Bench:
        """Do what is not done yet; write down after each run what was seen so far.

        Raises
        ------
        RunFolderError
            If the folder holds anything that is not of this bench; nothing is begun then.
        """
        refuse_foreign(self._out, self._bench.asked)
        plan = [(run, state_of(run, self._bench.asked.profile)) for run in self._planned()]
        for line in told.beforehand(self._bench, self._answers):
            self._tell(line)
        try:
            self._do(plan)
        except BaseException as error:
            if any(self._out.iterdir()):
                error.add_note(self._how_to_go_on())
            raise
        return self._seen()

    def _planned(self) -> Iterator[Planned]:
        asked = self._bench.asked
        for dataset in asked.datasets:
            inputs = of_inputs(signatures.find(dataset.path), dataset.task)["files"]
            for seed in asked.seeds:
                place = self._out / run_name(dataset.name, seed)
                answers = self._answers.get(dataset.name)
                yield Planned(dataset, seed, place, inputs, answers)

    def _do(self, plan: list[tuple[Planned, State]]) -> None:
        for number, (run, state) in enumerate(plan, start=1):
            head = f"[{number}/{len(plan)}] {run}"
            self._tell(f"{head}: {told.BEGINS[state]}")
            row = self._kept(do(run, state, self._bench.asked, progress=self._progress))
            if row.result is not None:
                row = self._kept(self._verified(row, run, head))
            self._tell(f"{head}: {told.outcome(row)}")

    def _verified(self, row: Row, run: Planned, head: str) -> Row:
        if (verdict := verdict_of(run)) is not None:
            return replace(row, verdict=verdict)
        if not self._bench.asked.verify:
            return row
        self._tell(f"{head}: once more, to verify it")
        return verified(row, run, self._bench.asked, progress=self._progress)

    def _kept(self, row: Row) -> Row:
        """Write down what was seen so far, with this row."""
        self._rows[row.run] = row
        keep(self._out, self._seen())
        return row

    def _seen(self) -> Bench:
        """Give the bench with the rows that there are, in the order of datasets and seeds."""
        rows = tuple(self._rows[name] for name in self._names() if name in self._rows)
        return replace(self._bench, rows=rows)

    def _names(self) -> list[str]:
        asked = self._bench.asked
        return [run_name(dataset.name, seed) for dataset in asked.datasets for seed in asked.seeds]

    def _how_to_go_on(self) -> str:
        finished = sum((self._out / name / RECORD).exists() for name in self._names())
        command = self._bench.asked.command(self._out)
        return (
            f"Kept in {str(self._out)!r}: {finished} of {self._bench.work.runs} runs finished. "
            f"Go on with: {command}"
        )
