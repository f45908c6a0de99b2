"""What a run leaves: each request, reply, tool call and cell, within bounds, and a script."""

import json
import subprocess
import sys

import pytest

from purple_agent.llm.errors import OutsideError
from purple_agent.llm.evidence import Evidence
from purple_agent.llm.folders import Folders
from purple_agent.llm.script import as_script
from purple_agent.sandbox import Outcome
from tests.purple_agent.scripted import KEY, SUBMIT, call, garden, play, run, say

END = say("That is it.")


def test_cells_are_one_script_that_writes_the_same_submission(tmp_path):
    result = play(
        tmp_path,
        run("lost = 1\nimport os; os._exit(1)"),
        run("print('lost' in globals())\nworms = '''a \"b\" \\n'''"),
        run("1 / 0"),
        run(SUBMIT),
        END,
    )
    again = tmp_path / "again"
    again.mkdir()
    (again / "data").symlink_to(result.data)
    script = (result.out / "cells.py").read_text()
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=again, capture_output=True, text=True, check=False,
        env={"HOME": str(again), "IPYTHONDIR": str(again / "ipython")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "False" in done.stdout
    assert "ZeroDivisionError" in done.stdout
    written = (again / "submission.csv").read_bytes()
    assert written == result.answer.submission.read_bytes()


def test_script_quotes_any_code():
    codes = ["x = '''a'''", "s = 'it\\'s'", "print('end')'", "a\x00b", 'f"""{x}"""']
    script = as_script([(code, Outcome("ok", "", 0.1)) for code in codes])
    compile(script, "cells.py", "exec")
    scope = {"kept": []}
    ran = script.split("instance()\n")[1].replace("shell.run_cell", "kept.append")
    exec(ran, scope)
    assert [code.strip("\n") for code in scope["kept"]] == codes


def test_50_mb_of_output_hurt_neither_the_model_nor_the_disk(tmp_path):
    result = play(
        tmp_path, run("print('y' * 50_000_000)"), run(SUBMIT), END, output_mb=2, shown=2000
    )
    assert len(result.server.last_told(1)) < 3000
    assert "characters cut" in result.server.last_told(1)
    kept = sum(path.stat().st_size for path in result.out.rglob("*") if path.is_file())
    assert kept < 4 * 2**20
    assert result.answer.submission is not None


def test_each_tool_call_is_kept_with_its_result(tmp_path):
    result = play(tmp_path, call("read_file", path="data/description.md"), run(SUBMIT), END)
    (first, _) = result.events("tool")
    assert first["name"] == "read_file"
    assert first["arguments"]["path"] == "data/description.md"
    assert "metric is RMSE" in first["result"]


def test_record_names_the_cell_that_wrote_what_was_sent(tmp_path):
    better = SUBMIT.replace("* 2", "* 3")
    result = play(tmp_path, run(SUBMIT), run("1"), run(better), run("2"), END)
    assert result.record["written_by_cell"] == 3
    assert (result.out / "cells" / "003.py").read_text() == better


def test_evidence_stays_within_its_room(tmp_path):
    evidence = Evidence(tmp_path, secrets=(KEY,), room_mb=1)
    for _ in range(40):
        evidence.event("reply", body="x" * 100_000)
    evidence.event("reply", body=f"{KEY}\ud800")
    path = tmp_path / "events.jsonl"
    assert path.stat().st_size < 1.3 * 2**20
    assert KEY not in path.read_text()
    assert [json.loads(line)["event"] for line in path.read_text().splitlines()] == ["reply"] * 41


@pytest.fixture
def folders(tmp_path):
    """Two folders, with ways out that must not be taken."""
    data, work = garden(tmp_path / "data"), tmp_path / "work"
    work.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (work / "link").symlink_to(tmp_path / "secret.txt")
    (work / "folder").symlink_to(tmp_path)
    (work / "loop").symlink_to("loop")
    (work / "inside").symlink_to("mine.txt")
    (work / "mine.txt").write_text("mine")
    return Folders(data, work)


@pytest.mark.parametrize(
    "name",
    [
        "/etc/hostname", "../secret.txt", "data/../../secret.txt", "link", "folder/secret.txt",
        "loop", "/workbench/../secret.txt", "data/../../work/link", "a\x00b", "/proc/self/environ",
        "~", ".", "nothing.txt",
    ],
)  # fmt: skip
def test_path_that_leads_out_is_refused(folders, name):
    with pytest.raises(OutsideError):
        folders.read(name, 100)


@pytest.mark.parametrize("name", ["mine.txt", "inside", "./mine.txt", "/workbench/mine.txt"])
def test_path_inside_is_read(folders, name):
    assert folders.read(name, 100) == (b"mine", 4)


@pytest.mark.parametrize("name", ["data/train.csv", "/workbench/data/train.csv"])
def test_data_are_read_under_the_name_that_code_uses(folders, name):
    assert folders.read(name, 6)[0] == b"bed_id"


def test_model_is_told_that_a_path_is_refused(tmp_path):
    result = play(
        tmp_path,
        call("read_file", path="/etc/hostname"),
        call("inspect_csv", path="../../secret.csv"),
        call("list_files", folder="../.."),
        run(SUBMIT),
        END,
    )
    for number in (1, 2, 3):
        assert "outside the folders of this task" in result.server.last_told(number)
    assert result.answer.submission is not None
