"""Which submission is handed in, and with which score: files as cells leave them, one by one."""

import json
import os

import pytest

from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.judge import Judge
from purple_agent.llm.task import Task
from signatures import SubmissionError
from tests.purple_agent.scripted import N_TEST, N_TRAIN, folds, garden


def mean(path):
    """Score by what is in the file, so that a test can choose it."""
    values = [float(line.split(",")[1]) for line in path.read_text().splitlines()[1:]]
    return round(sum(values) / len(values), 6)


class Cells:
    """Writes files as cells would, each with a time of its own, and has them judged."""

    def __init__(self, folder, scorer=mean, higher_is_better=True):
        data = garden(folder / "garden")
        self.work, self.out = folder / "work", folder / "out"
        self.work.mkdir()
        self.out.mkdir()
        task = Task.of(data, None, folds(folder / "folds.csv"))
        self.judge = Judge(
            task, Folders(data, self.work), self.out, scorer,
            Evidence(self.out, secrets=(), room_mb=1), higher_is_better=higher_is_better,
        )  # fmt: skip
        self.n = 0

    def write(self, name, text):
        (self.work / name).write_text(text)
        os.utime(self.work / name, ns=(self.n * 10**9, self.n * 10**9))

    def cell(self, submission=None, score=None):
        """Leave a submission that says `submission`, predictions that score `score`, or both."""
        self.n += 1
        if submission is not None:
            rows = "".join(f"{n},{submission + n % 2}\n" for n in range(N_TRAIN, N_TRAIN + N_TEST))
            self.write("submission.csv", f"bed_id,yield\n{rows}")
        if score is not None:
            self.write("oof.csv", "row,yield\n" + "".join(f"{n},{score}\n" for n in range(N_TRAIN)))
        return self.judge.judge(self.judge.look(), self.n)

    @property
    def best(self):
        return self.judge.best.cell, self.judge.best.score


@pytest.fixture
def cells(tmp_path):
    return Cells(tmp_path)


def test_new_submission_does_not_inherit_the_score_of_old_predictions(cells):
    assert cells.cell(1, 0.7).complete
    verdict = cells.cell(2)
    assert verdict.fit
    assert not verdict.complete
    assert "of an earlier submission" in verdict.text
    assert "one of cell 1, with 0.7, is still" in verdict.text
    assert cells.best == (1, 0.7)


def test_old_submission_does_not_inherit_the_score_of_new_predictions(cells):
    cells.cell(1, 0.7)
    assert "does not change its score" in cells.cell(None, 0.9).text
    assert cells.best == (1, 0.7)
    cells.cell(2)  # for which they were made
    assert cells.best == (3, 0.9)


def test_old_predictions_that_are_brought_back_do_not_count_again(cells):
    cells.cell(1, 0.9)
    cells.cell(2, 0.5)
    cells.cell(None, 0.9)
    cells.cell(3)
    assert cells.best == (1, 0.9)


def test_predictions_may_come_before_the_submission_or_after_it(cells):
    cells.cell(None, 0.5)
    cells.cell(1)
    assert cells.best == (2, 0.5)
    assert not cells.cell(2).complete
    assert cells.cell(None, 0.6).complete
    assert cells.judge.best.score == 0.6


def test_same_predictions_count_if_the_cell_wrote_them_again(cells):
    cells.cell(1, 0.7)
    cells.cell(2, 0.7)
    assert cells.best == (2, 0.7)


@pytest.mark.parametrize(("higher", "expected"), [(True, (2, 0.8)), (False, (4, 0.5))])
def test_best_score_is_handed_in_and_the_last_of_several(tmp_path, higher, expected):
    cells = Cells(tmp_path, higher_is_better=higher)
    for number, score in enumerate([0.5, 0.8, 0.6, 0.5, 0.7]):
        verdict = cells.cell(number, score)
    cells.cell(9)  # without a score
    assert cells.best == expected
    assert f"cell {expected[0]}" in verdict.text
    best = cells.judge.best.path
    assert best.exists()
    kept = [path for path in best.parent.iterdir() if path.name.endswith("submission.csv")]
    assert len(kept) <= 2  # and the last one


def test_tie_goes_to_the_last_in_either_direction(tmp_path):
    for higher in (True, False):
        (tmp_path / str(higher)).mkdir()
        cells = Cells(tmp_path / str(higher), higher_is_better=higher)
        for number in range(3):
            cells.cell(number, 0.5)
        assert cells.best == (3, 0.5)


def test_scorer_that_fails_costs_neither_the_candidate_nor_the_run(tmp_path):
    def broken(path):
        return {}["a bug"]

    cells = Cells(tmp_path, broken)
    verdict = cells.cell(1, 0.5)
    assert verdict.fit
    assert "could not be scored" in verdict.text
    assert "a bug" not in verdict.text
    assert cells.best == (1, None)
    (event,) = map(json.loads, (cells.out / "events.jsonl").read_text().splitlines())
    assert event["event"] == "scorer failed"
    assert "KeyError: 'a bug'" in event["traceback"]


def test_score_that_is_no_number_does_not_count(tmp_path):
    cells = Cells(tmp_path, lambda path: float("nan"))
    assert "could not be scored" in cells.cell(1, 0.5).text
    assert cells.best == (1, None)


def test_why_a_scorer_declines_is_told_without_the_words_for_a_submission(tmp_path):
    def decline(path):
        raise SubmissionError([f"{path.name}: these are the labels themselves"])

    text = Cells(tmp_path, decline).cell(1, 0.5).text
    assert "oof.csv: these are the labels themselves." in text
    assert "001-" not in text
    assert "sample submission" not in text
