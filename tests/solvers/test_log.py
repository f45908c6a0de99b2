import json
import logging
from pathlib import Path

import pytest

from solvers.log import LOGGER, Log


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_was_logged_before_there_was_a_file_is_in_it(tmp_path):
    log = Log()
    with log.stage("first") as details:
        details["note"], details["filled"] = "one", {"Age": 3}
    with log.writing_to(tmp_path / "log.jsonl"):
        log.event(logging.WARNING, "a fit failed", reason="ü")
        written = lines(tmp_path / "log.jsonl")
    assert [(line["event"], line["level"]) for line in written] == [
        ("stage", "info"), ("a fit failed", "warning"),
    ]  # fmt: skip
    assert written[0]["filled"] == {"Age": 3}
    assert written[1]["reason"] == "ü"
    assert written[0]["time"] <= written[1]["time"]
    assert log.stages[0].note == "one"


def test_why_a_run_stopped_is_its_last_line(tmp_path):
    log = Log()
    with pytest.raises(KeyError), log.writing_to(tmp_path / "log.jsonl"):
        _ = {}["gone"]
    (line,) = lines(tmp_path / "log.jsonl")
    assert (line["level"], line["event"], line["reason"]) == ("error", "stopped", "'gone'")
    assert "test_log.py" in line["traceback"]


def test_a_later_sitting_adds_to_the_file_and_half_a_line_is_cut_off(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"event": "whole"}\n{"event": "ha')
    log = Log()
    with log.writing_to(path):
        log.event(logging.INFO, "new")
    assert [line["event"] for line in lines(path)] == ["whole", "new"]


def fill_up(log):
    (handler,) = log._logger.handlers
    handler.stream.close()
    handler.stream = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115
    log.event(logging.INFO, "event")


def test_a_file_that_cannot_be_written_stops_the_run(tmp_path):
    log = Log()
    with pytest.raises(OSError, match="No space"), log.writing_to(tmp_path / "log.jsonl"):
        fill_up(log)


def test_two_runs_in_one_process_keep_two_logs(tmp_path):
    one, two = Log(), Log()
    with one.writing_to(tmp_path / "one"), two.writing_to(tmp_path / "two"):
        one.event(logging.INFO, "of one")
        two.event(logging.INFO, "of two")
    assert [line["event"] for line in lines(tmp_path / "one")] == ["of one"]
    assert [line["event"] for line in lines(tmp_path / "two")] == ["of two"]


def test_programs_that_embed_the_package_get_the_same_events(tmp_path, caplog):
    with caplog.at_level(logging.DEBUG, LOGGER.name):
        Log().event(logging.DEBUG, "fit", model="one")
    (record,) = caplog.records
    assert (record.name, record.getMessage()) == ("solvers.run", "fit")
    assert record.details == {"model": "one"}


def test_a_stage_measures_memory_of_what_happened_in_it():
    log = Log()
    with log.stage("small"):
        pass
    with log.stage("large"):
        block = bytearray(120_000_000)
        block[::4096] = b"x" * len(block[::4096])
    assert log.stages[1].peak_mb > log.stages[0].peak_mb + 100
