import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from signatures import RunFolderError
from solvers.run_folder import RECORD, UNFINISHED, RunFolder, default_place

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def test_default_place_names_task_time_and_seed(tmp_path):
    place = default_place("some-task", 7, NOON, tmp_path)
    assert place == tmp_path / "some-task" / "20260102T120000Z-s7"
    place.mkdir(parents=True)
    assert default_place("some-task", 7, NOON, tmp_path).name == "20260102T120000Z-s7-2"


def test_nothing_shows_before_the_run_is_published(tmp_path, inputs):
    with RunFolder(tmp_path / "run", inputs=inputs) as folder:
        folder.path("submission.csv").write_text("x", encoding="utf-8")
        folder.path(RECORD).write_text("{}", encoding="utf-8")
        assert os.listdir(tmp_path / "run") == [UNFINISHED]
        folder.publish()
    assert sorted(os.listdir(tmp_path / "run")) == [RECORD, "submission.csv"]


def test_the_record_is_moved_last(tmp_path, inputs, monkeypatch):
    moved = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (moved.append(Path(b).name), replace(a, b)))
    with RunFolder(tmp_path / "run", inputs=inputs) as folder:
        for name in (RECORD, "zzz.parquet", "submission.csv"):
            folder.path(name).write_text("x", encoding="utf-8")
        folder.publish()
    assert moved[-1] == RECORD


def test_a_failed_run_leaves_nothing(tmp_path, inputs):
    out = tmp_path / "a" / "b"
    with contextlib.suppress(ZeroDivisionError), RunFolder(out, inputs=inputs) as folder:
        folder.path("log.jsonl").write_text("x", encoding="utf-8")
        _ = 1 / 0
    assert not (tmp_path / "a").exists()


def test_a_failed_run_leaves_the_empty_folder_it_was_given(tmp_path, inputs):
    (tmp_path / "run").mkdir()
    with pytest.raises(ZeroDivisionError), RunFolder(tmp_path / "run", inputs=inputs):
        _ = 1 / 0
    assert os.listdir(tmp_path / "run") == []


def test_a_disk_that_fills_up_while_publishing_leaves_nothing(tmp_path, inputs, monkeypatch):
    def full(a, b):
        raise OSError(28, "No space left on device")

    calls = iter([os.replace, full])
    monkeypatch.setattr(os, "replace", lambda a, b: next(calls)(a, b))
    with contextlib.suppress(OSError), RunFolder(tmp_path / "run", inputs=inputs) as folder:
        folder.path("submission.csv").write_text("x", encoding="utf-8")
        folder.path(RECORD).write_text("x", encoding="utf-8")
        folder.publish()
    assert next(calls, None) is None
    assert not (tmp_path / "run").exists()


def test_a_disk_that_fills_up_takes_moved_folders_back_too(tmp_path, inputs, monkeypatch):
    def full(a, b):
        if Path(b).name == RECORD:
            raise OSError(28, "No space left on device")
        return replace(a, b)

    replace = os.replace
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"), RunFolder(tmp_path / "r", inputs=inputs) as f:
        fill(f)
    assert not (tmp_path / "r").exists()


def fill(folder):
    folder.path("fallback").mkdir()
    (folder.path("fallback") / "answer.csv").touch()
    folder.path(RECORD).touch()
    folder.publish()


def test_of_two_runs_in_one_place_the_second_fails_and_the_first_goes_on(tmp_path, inputs):
    first, second = (RunFolder(tmp_path / "run", inputs=inputs) for _ in range(2))
    with first:
        first.path("log.jsonl").write_text("first", encoding="utf-8")
        with pytest.raises(RunFolderError, match="not finished"):
            second.__enter__()
        # Neither does one that had looked before the first made its folder.
        second._refuse_bad_place = lambda: None
        with pytest.raises(RunFolderError, match="cannot be written to"):
            second.__enter__()
        assert first.path("log.jsonl").read_text(encoding="utf-8") == "first"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda out: out.write_text("x", encoding="utf-8"), "is a file"),
        (lambda out: (out.mkdir(), (out / "old.csv").touch()), "is not empty"),
        (lambda out: (out / UNFINISHED).mkdir(parents=True), "not finished, or was killed"),
    ],
)
def test_a_place_that_is_taken_is_refused_and_left_alone(tmp_path, inputs, spoil, words):
    out = tmp_path / "run"
    spoil(out)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RunFolderError, match=words), RunFolder(out, inputs=inputs):
        pass
    assert sorted(tmp_path.rglob("*")) == before


def test_the_input_folder_is_refused(inputs):
    for out in (inputs, inputs / "run"):
        with (
            pytest.raises(RunFolderError, match="inside the input"),
            RunFolder(out, inputs=inputs),
        ):
            pass
    assert os.listdir(inputs) == []


def test_a_place_that_cannot_be_made_is_refused(tmp_path, inputs, monkeypatch):
    def read_only(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", read_only)
    with (
        pytest.raises(RunFolderError, match="cannot be written to"),
        RunFolder(tmp_path / "run", inputs=inputs),
    ):
        pass
