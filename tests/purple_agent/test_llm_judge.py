"""Which submission is handed in: files as cells leave them, one by one."""

import json
import os

import pytest

from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.judge import Judge
from purple_agent.llm.task import Task
from tests.purple_agent.scripted import N_HELD, N_TEST, N_TRAIN, garden, parted


class Cells:
    """Writes files as cells would, each with a time of its own, and has them judged."""

    def __init__(self, folder, check=None):
        data = garden(folder / "garden")
        self.work, self.out = folder / "work", folder / "out"
        self.work.mkdir()
        self.out.mkdir()
        task = Task.of(data, None, parted(data, folder / "bench", check))
        evidence = Evidence(self.out, secrets=(), room_mb=1)
        self.judge = Judge(task, Folders(data, self.work), self.out, evidence)
        self.n = 0

    def write(self, name, text):
        (self.work / name).write_text(text)
        os.utime(self.work / name, ns=(self.n * 10**9, self.n * 10**9))

    def cell(self, submission=None, predictions=None):
        """Leave a submission that says `submission`, predictions that say so, or both."""
        self.n += 1
        if submission is not None:
            rows = "".join(f"{n},{submission + n % 2}\n" for n in range(N_TRAIN, N_TRAIN + N_TEST))
            self.write("submission.csv", f"bed_id,yield\n{rows}")
        if predictions is not None:
            rows = "".join(f"{n},{predictions}\n" for n in range(N_HELD))
            self.write("held_back_predictions.csv", f"held_back_row,yield\n{rows}")
        return self.judge.judge(self.judge.look(), self.n)

    @property
    def best(self):
        """The cell of what would be handed in, and what the predictions say that came with it."""
        best = self.judge.best
        kept = None if best.predictions is None else best.predictions.read_text().split(",")[-1]
        return best.cell, kept and float(kept)


@pytest.fixture
def cells(tmp_path):
    return Cells(tmp_path)


def test_new_submission_does_not_inherit_old_predictions(cells):
    assert cells.cell(1, 0.7).complete
    verdict = cells.cell(2)
    assert verdict.fit
    assert not verdict.complete
    assert "of an earlier submission" in verdict.text
    assert "one of cell 1, which had both, is still" in verdict.text
    assert cells.best == (1, 0.7)


def test_predictions_may_come_before_the_submission_or_after_it(cells):
    cells.cell(None, 0.5)
    assert cells.cell(1).complete
    assert cells.best == (2, 0.5)
    assert not cells.cell(2).complete
    assert cells.cell(None, 0.6).complete
    assert cells.best == (4, 0.6)


def test_same_predictions_count_if_the_cell_wrote_them_again(cells):
    cells.cell(1, 0.7)
    assert cells.cell(2, 0.7).complete
    assert cells.best == (2, 0.7)


def test_last_submission_with_predictions_is_handed_in_and_only_it_is_kept(cells):
    for number in (1, 2, 3):
        cells.cell(number, number / 10)
    cells.cell(9)
    assert cells.best == (3, 0.3)
    kept = sorted(path.name for path in cells.judge.best.path.parent.iterdir())
    assert kept == ["003-held_back_predictions.csv", "003-submission.csv"]


def test_without_any_predictions_the_last_submission_is_handed_in(cells):
    cells.cell(1)
    cells.cell(2)
    assert cells.best == (2, None)


def test_check_that_fails_costs_neither_the_candidate_nor_the_run(tmp_path):
    cells = Cells(tmp_path, check=lambda path: {}["a bug"])
    verdict = cells.cell(1, 0.5)
    assert verdict.fit
    assert "held_back_predictions.csv could not be read" in verdict.text
    assert "a bug" not in verdict.text
    assert cells.best == (1, None)
    (event,) = map(json.loads, (cells.out / "events.jsonl").read_text().splitlines())
    assert event["event"] == "check failed"
    assert "KeyError: 'a bug'" in event["traceback"]
