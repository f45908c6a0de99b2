"""The card, health, logs, what is kept and for how long, and who may call."""

import json
import os
import sqlite3
import subprocess
import sys
import time

import psutil
import pytest

from purple_agent.restart import clear_old_data
from purple_agent.settings import Settings
from purple_agent.task_folder import TaskFile, TaskFolder
from tests.purple_agent.service import ROOT
from tests.purple_agent.wire import file_part, packed, request, text_part


def test_card_comes_quickly_and_names_both_interfaces(service):
    assert service.seconds_to_card < 10  # 1.4 s on an idle machine
    card = service.card
    assert card["capabilities"] == {"streaming": True}
    assert [one["protocolVersion"] for one in card["supportedInterfaces"]] == ["1.0", "0.3"]
    assert card["url"] == service.url
    assert card["preferredTransport"] == "JSONRPC"
    assert "text/csv" in card["defaultOutputModes"]


def test_server_imports_no_library_that_fits(service):
    heavy = ("pandas", "numpy", "sklearn", "catboost", "joblib", "solvers.solution")
    code = (
        "import sys; from purple_agent import app, settings;"
        f"app.build(settings.Settings(home={str(service.home.with_name('other'))!r}));"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr


def test_only_this_machine_is_answered_unless_another_host_is_named(service):
    assert Settings().host == "127.0.0.1"
    addresses = {
        connection.laddr.ip
        for connection in psutil.Process(service.process.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert addresses == {"127.0.0.1"}


def test_card_of_a_service_for_all_machines_names_an_address_that_can_be_called():
    assert Settings(host="0.0.0.0", port=9009).address == "http://127.0.0.1:9009/"
    assert Settings(card_url="http://agent:1/").address == "http://agent:1/"


def test_health_says_what_is_going_on(service):
    assert service.get("/healthz").json() == {"status": "ok", "running": 0, "waiting": 0}


def test_archive_is_not_in_the_task_nor_on_the_disk_once_it_is_answered(service, flowers):
    (flowers / "notes.bin").write_bytes(os.urandom(300_000))
    events = list(service.send(packed(flowers)))
    task = events[0]["id"]
    (flowers / "notes.bin").unlink()
    assert events[0].get("history", []) == []
    kept = service.call("tasks/get", id=task)["result"]
    assert len(json.dumps(kept)) < 20_000
    with sqlite3.connect(service.home / "tasks.db") as store:
        (row,) = store.execute("select * from tasks where id = ?", [task]).fetchall()
    assert len(str(row)) < 20_000
    left = {path.name for path in service.folder(task).iterdir()}
    assert not left & {"archive", "data", "data.part"}
    assert sum(path.stat().st_size for path in service.folder(task).rglob("*")) < 100_000


def test_logs_are_json_lines_with_the_task(service, flowers):
    events = list(service.send(packed(flowers)))
    lines = [json.loads(line) for line in service.log.read_text().splitlines()]
    mine = [line for line in lines if line.get("task") == events[0]["id"]]
    assert any("archive of" in line["message"] for line in mine)
    assert any("TASK_STATE_COMPLETED" in line["message"] for line in mine)
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)


def test_send_without_a_stream_answers_with_the_task(service, flowers):
    body = request([text_part("x"), file_part(packed(flowers))])
    answer = service.call("message/send", **body["params"])["result"]
    assert answer["status"]["state"] == "completed"
    assert answer["artifacts"][0]["artifactId"] == "submission"


def test_client_that_hangs_up_loses_nothing(service, flowers):
    stream = service.send(packed(flowers))
    task = next(stream)["id"]
    stream.close()
    deadline = time.monotonic() + 30
    while service.call("tasks/get", id=task)["result"]["status"]["state"] != "completed":
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_two_services_do_not_share_a_home(service):
    words = [sys.executable, "-m", "purple_agent", "--home", str(service.home), "--port", "9"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "is in use by another service" in done.stderr


@pytest.mark.parametrize(("name", "value"), [("PORT", "x"), ("MAX_BODY", "much"), ("JOBS", "0")])
def test_setting_that_cannot_be_is_a_sentence(name, value):
    environment = {**os.environ, f"SOLVERS_AGENT_{name}": value}
    words = [sys.executable, "-m", "purple_agent"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 2
    assert f"SOLVERS_AGENT_{name}" in done.stderr
    assert "Traceback" not in done.stderr


def test_old_data_of_unfinished_tasks_are_removed_and_runs_stay(tmp_path):
    settings = Settings(home=tmp_path, keep_days=1)
    for name, age, state in (("old", 2, "failed"), ("new", 0, "failed"), ("open", 2, "open")):
        folder = TaskFolder.make(settings.tasks, name, "c")
        created = time.time() - age * 24 * 3600
        folder.write(TaskFile(task=name, context="c", created=created, state=state))
        folder.data.mkdir()
        folder.run.mkdir()
    clear_old_data(settings)
    assert sorted(path.parent.name for path in settings.tasks.glob("*/data")) == ["new", "open"]
    assert len(list(settings.tasks.glob("*/run"))) == 3
