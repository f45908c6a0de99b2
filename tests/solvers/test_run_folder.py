import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from signatures import RunFolderError
from solvers.places import default_place
from solvers.request import REQUEST, Request, read_request
from solvers.run_folder import FITS, SUBMISSION, RunFolder
from solvers.run_record import RECORD, UNFINISHED

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def ask(inputs, sittings=1):
    return Request(
        path=str(inputs), seed=3, profile="quick", jobs=1, note="", report=False,
        started=NOON, sittings=sittings,
    )  # fmt: skip


def fail(folder):
    (folder.path(FITS)).mkdir()
    (folder.path(FITS) / "one.npz").touch()
    _ = 1 / 0


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
    with RunFolder(tmp_path / "run", ask(inputs)) as folder:
        folder.path("submission.csv").write_text("x", encoding="utf-8")
        folder.path(RECORD).write_text("{}", encoding="utf-8")
        assert os.listdir(tmp_path / "run") == [UNFINISHED]
        folder.publish()
    assert sorted(os.listdir(tmp_path / "run")) == [RECORD, "submission.csv"]


def test_the_record_is_moved_last(tmp_path, inputs, monkeypatch):
    moved = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (moved.append(Path(b).name), replace(a, b)))
    with RunFolder(tmp_path / "run", ask(inputs)) as folder:
        for name in (RECORD, "zzz.parquet", "submission.csv"):
            folder.path(name).write_text("x", encoding="utf-8")
        folder.publish()
    assert moved[-1] == RECORD


def test_a_failed_run_leaves_nothing(tmp_path, inputs):
    out = tmp_path / "a" / "b"
    with contextlib.suppress(ZeroDivisionError), RunFolder(out, ask(inputs)) as folder:
        folder.path("log.jsonl").write_text("x", encoding="utf-8")
        _ = 1 / 0
    assert not (tmp_path / "a").exists()


def test_a_failed_run_leaves_the_empty_folder_it_was_given(tmp_path, inputs):
    (tmp_path / "run").mkdir()
    with pytest.raises(ZeroDivisionError), RunFolder(tmp_path / "run", ask(inputs)):
        _ = 1 / 0
    assert os.listdir(tmp_path / "run") == []


def test_a_disk_that_fills_up_while_publishing_leaves_nothing(tmp_path, inputs, monkeypatch):
    replace = os.replace

    def full(a, b):
        if Path(b).name == RECORD:
            raise OSError(28, "No space left on device")
        return replace(a, b)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"), RunFolder(tmp_path / "run", ask(inputs)) as f:
        fill(f, SUBMISSION, RECORD)
    assert not (tmp_path / "run").exists()


def test_a_disk_that_fills_up_takes_moved_folders_back_too(tmp_path, inputs, monkeypatch):
    def full(a, b):
        if Path(b).name == RECORD:
            raise OSError(28, "No space left on device")
        return replace(a, b)

    replace = os.replace
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"), RunFolder(tmp_path / "r", ask(inputs)) as f:
        fill(f, "models/one.json", RECORD)
    assert not (tmp_path / "r").exists()


def fill(folder, *names):
    for name in names:
        folder.path(name).parent.mkdir(exist_ok=True)
        folder.path(name).touch()
    folder.publish()


def test_of_two_runs_in_one_place_the_second_fails_and_the_first_goes_on(tmp_path, inputs):
    with RunFolder(tmp_path / "run", ask(inputs)) as first:
        first.path("log.jsonl").write_text("first", encoding="utf-8")
        for sittings in (1, 2):
            with (
                pytest.raises(RunFolderError, match="written to by another run"),
                RunFolder(tmp_path / "run", ask(inputs, sittings)),
            ):
                pass
        assert first.path("log.jsonl").read_text(encoding="utf-8") == "first"


def test_a_failed_run_with_finished_fits_stays_and_can_go_on(tmp_path, inputs):
    out = tmp_path / "a run"
    with pytest.raises(ZeroDivisionError) as caught, RunFolder(out, ask(inputs)) as folder:
        fail(folder)
    assert caught.value.__notes__ == [
        f"Kept: 1 finished fit. Go on with: solvers solve --resume '{out}'"
    ]
    assert os.listdir(out) == [UNFINISHED]
    assert read_request(out) == ask(inputs)
    with RunFolder(out, ask(inputs, sittings=2)) as folder:
        assert os.listdir(folder.path(FITS)) == ["one.npz"]
        folder.path(RECORD).touch()
        folder.publish()
    assert os.listdir(out) == [RECORD]


def test_a_run_that_went_on_in_vain_is_still_there(tmp_path, inputs):
    (tmp_path / "run" / UNFINISHED).mkdir(parents=True)
    with pytest.raises(ZeroDivisionError), RunFolder(tmp_path / "run", ask(inputs, sittings=2)):
        _ = 1 / 0
    assert read_request(tmp_path / "run").sittings == 2


def test_the_submission_is_moved_after_all_but_the_record(tmp_path, inputs, monkeypatch):
    moved = []
    replace = os.replace
    with RunFolder(tmp_path / "run", ask(inputs)) as folder:
        for name in (RECORD, SUBMISSION, "a.parquet", "zzz.parquet"):
            folder.path(name).touch()
        monkeypatch.setattr(os, "replace", lambda a, b: (moved.append(Path(b).name), replace(a, b)))
        folder.publish()
    assert moved == ["a.parquet", "zzz.parquet", SUBMISSION, RECORD]


def test_a_disk_that_fills_up_while_publishing_keeps_the_fits_and_shows_no_run(
    tmp_path, inputs, monkeypatch
):
    replace = os.replace

    def full(a, b):
        if Path(b).name == RECORD:
            raise OSError(28, "No space left on device")
        return replace(a, b)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"), RunFolder(tmp_path / "r", ask(inputs)) as f:
        fill(f, f"{FITS}/one.npz", SUBMISSION, RECORD)
    assert os.listdir(tmp_path / "r") == [UNFINISHED]
    assert os.listdir(f.path(FITS)) == ["one.npz"]


def test_what_a_fallback_left_stays_when_it_fails(tmp_path, inputs):
    with pytest.raises(ZeroDivisionError) as caught, RunFolder(tmp_path / "r", ask(inputs)) as f:
        leave_evidence(f)
    evidence = tmp_path / "r" / UNFINISHED / "fallback"
    assert os.listdir(evidence) == ["thoughts.txt"]
    assert caught.value.__notes__ == [f"What the fallback left is kept in {str(evidence)!r}."]


def leave_evidence(folder):
    folder.path("fallback").mkdir()
    (folder.path("fallback") / "thoughts.txt").touch()
    _ = 1 / 0


def test_half_a_file_of_an_earlier_sitting_is_not_published(tmp_path, inputs):
    with RunFolder(tmp_path / "run", ask(inputs)) as folder:
        fill(folder, ".report.html.123", RECORD)
    assert os.listdir(tmp_path / "run") == [RECORD]


def test_the_place_of_a_run_that_was_killed_at_once_is_free(tmp_path, inputs):
    (tmp_path / "run" / UNFINISHED).mkdir(parents=True)
    with RunFolder(tmp_path / "run", ask(inputs)) as folder:
        assert os.listdir(folder.path("")) == [REQUEST]


def unfinished(out):
    (out / UNFINISHED).mkdir(parents=True)
    (out / UNFINISHED / REQUEST).touch()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda out: out.write_text("x", encoding="utf-8"), "is a file"),
        (lambda out: (out.mkdir(), (out / "old.csv").touch()), "is not empty"),
        (unfinished, "not finished.*solve --resume"),
    ],
)
def test_a_place_that_is_taken_is_refused_and_left_alone(tmp_path, inputs, spoil, words):
    out = tmp_path / "run"
    spoil(out)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RunFolderError, match=words), RunFolder(out, ask(inputs)):
        pass
    assert sorted(tmp_path.rglob("*")) == before


def test_the_input_folder_is_refused(inputs):
    for out in (inputs, inputs / "run"):
        with (
            pytest.raises(RunFolderError, match=r"the input folder|inside the input"),
            RunFolder(out, ask(inputs)),
        ):
            pass
    assert os.listdir(inputs) == []


def test_a_place_that_cannot_be_made_is_refused(tmp_path, inputs, monkeypatch):
    def read_only(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", read_only)
    with (
        pytest.raises(RunFolderError, match="cannot be written to"),
        RunFolder(tmp_path / "run", ask(inputs)),
    ):
        pass
