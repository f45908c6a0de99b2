"""What is refused before the service is there: settings that cannot be, a home that is in use."""

import asyncio
import fcntl
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from purple_agent.server import _alone, _listening, serve, settings_from
from purple_agent.settings import Settings
from purple_agent.store import check_store
from signatures import RunFolderError
from solvers.cli.settings import SettingsError
from tests.purple_agent.service import ROOT


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ({"port": 0}, "The flag --port cannot be used: "),
        ({"ask_for_check": "perhaps"}, "The flag --ask-for-check cannot be used: "),
        ({"port": 80}, "The variable SOLVERS_AGENT_MAX_BODY cannot be used: "),
    ],
)
def test_wrong_setting_is_named_as_it_was_given(monkeypatch, flags, sentence):
    if flags.get("port"):
        monkeypatch.setenv("SOLVERS_AGENT_MAX_BODY", "much")
    with pytest.raises(SettingsError) as raised:
        settings_from(flags)
    assert str(raised.value).startswith(sentence)
    assert "solvers serve --help" in str(raised.value)


def test_flag_is_named_where_the_variable_is_right(monkeypatch):
    monkeypatch.setenv("SOLVERS_AGENT_PORT", "8081")
    with pytest.raises(SettingsError, match="--port"):
        settings_from({"port": 0})


def test_home_in_use_is_said_and_free_again_later(tmp_path):
    settings = Settings(home=tmp_path)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(RunFolderError, match="in use by another service"), _alone(settings):
        pytest.fail("was let in")
    os.close(handle)
    with _alone(settings):
        pass


def test_error_while_serving_is_not_taken_for_a_home_in_use(tmp_path):
    with pytest.raises(BlockingIOError), _alone(Settings(home=tmp_path)):
        raise BlockingIOError(11, "of a socket")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("PROFILE", "slow", "expected 'full' or 'quick'; found 'slow'"),
        ("CARD_URL", "example.org:80", "expected an address that others can call"),
        ("CARD_URL", "http://me:secret@example.org/", "expected an address"),
        ("CARD_URL", "http://example.org:port/", "expected an address"),
        ("MAX_BODY", "-1", "expected a size of more than 0 bytes"),
        ("MAX_BODY", "0", "expected a size of more than 0 bytes"),
        ("MAX_UNPACKED", "9" * 400, "expected a size of more than 0 bytes"),
        ("LONGEST", "inf", "expected a finite number; found 'inf'"),
        ("HEARTBEAT", "-2", "expected more than 0; found '-2'"),
        ("KEEP_DAYS", "inf", "expected a finite number"),
        ("CONCURRENT", "two", "expected a whole number; found 'two'"),
        ("CONCURRENT", "0", "expected 1 or more; found '0'"),
        ("PORT", "70000", "expected 65535 or less; found '70000'"),
        ("REPORT", "perhaps", "expected true or false; found 'perhaps'"),
        ("DOWNLOAD_SECONDS", "nan", "found 'nan'"),
    ],
)
def test_what_was_expected_and_found_is_said_in_our_own_words(monkeypatch, name, value, expected):
    monkeypatch.setenv(f"SOLVERS_AGENT_{name}", value)
    with pytest.raises(SettingsError) as raised:
        settings_from({})
    assert str(raised.value).startswith(f"The variable SOLVERS_AGENT_{name} cannot be used: ")
    assert expected in str(raised.value)
    assert "Input should" not in str(raised.value)


def test_empty_variable_is_none_and_an_empty_flag_is_refused(monkeypatch):
    monkeypatch.setenv("SOLVERS_AGENT_HOME", "")
    assert settings_from({}).home.name == "agent-home"
    with pytest.raises(SettingsError, match="--home cannot be used: expected the name of a folder"):
        settings_from({"home": ""})


def made_a_file(place):
    place.write_text("mine")
    return place


def made_below_a_file(place):
    return made_a_file(place) / "home"


def made_a_broken_link(place):
    place.symlink_to(place.with_name("nowhere"))
    return place


def made_with_a_file_in_it(place):
    place.mkdir()
    made_a_file(place / "tasks")
    return place


@pytest.mark.parametrize(
    "made", [made_a_file, made_below_a_file, made_a_broken_link, made_with_a_file_in_it]
)
def test_home_that_cannot_be_one_is_said_and_left_as_it_is(tmp_path, made):
    home = made(tmp_path / "place")
    with pytest.raises(RunFolderError, match=r"cannot be the home of the agent.*--home"):
        serve(Settings(home=home))
    assert all(path.read_text() == "mine" for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("place", [sys.prefix, sys.base_prefix, "/usr"])
def test_home_that_the_sandbox_would_show_is_refused(place):
    home = Path(place, "agent-home")
    with pytest.raises(RunFolderError, match=r"which a language model's code can read.*--home"):
        serve(Settings(home=home))
    assert not home.exists()


def test_home_that_cannot_be_written_to_is_said():
    with pytest.raises(RunFolderError, match="cannot be the home of the agent"):
        serve(Settings(home="/proc/1/home"))


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".invalid", "203.0.113.7"])
def test_host_that_is_not_ours_is_said(host):
    with (
        pytest.raises(SettingsError, match=f"The address {host}:8080 cannot be used: "),
        _listening(Settings(host=host)),
    ):
        pytest.fail("listens")


def test_port_in_use_is_one_sentence_and_a_usage_error(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "solvers.cli", "serve", "--port", port],
            capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, "SOLVERS_AGENT_HOME": str(tmp_path)},
        )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"127.0.0.1:{port} cannot be used: Address already in use" in line
    assert "--port" in line


@pytest.mark.parametrize(
    "store",
    [
        "nonsense",
        "sqlite:///tasks.db",
        "oracle+nothing://a:secret@host/b",
        "sqlite+aiosqlite:////no/such/folder/tasks.db",
        "postgresql+asyncpg://a:secret@host:port/b",
    ],
)
def test_store_that_cannot_be_opened_is_said_without_its_password(tmp_path, store):
    with pytest.raises(SettingsError, match="SOLVERS_AGENT_STORE cannot be used: ") as raised:
        asyncio.run(check_store(Settings(home=tmp_path, store=store)))
    assert "secret" not in str(raised.value)
    assert "SQLAlchemy URL" in str(raised.value)


def damage_the_start(path):
    path.write_bytes(b"no database" * 1000)


def damage_a_later_page(path):
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 200] = b"\xff" * 200
    path.write_bytes(data)


def damage_the_table(path):
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE tasks DROP COLUMN status")
    connection.close()


@pytest.mark.parametrize("damage", [damage_the_start, damage_a_later_page, damage_the_table])
def test_damaged_store_is_said_and_left_as_it_is(tmp_path, damage):
    settings = Settings(home=tmp_path)
    asyncio.run(check_store(settings))
    damage(tmp_path / "tasks.db")
    before = (tmp_path / "tasks.db").read_bytes()
    with pytest.raises(SettingsError, match=r"tasks.db' cannot be used: .*move the file away"):
        serve(settings.model_copy(update={"port": free_port()}))
    assert (tmp_path / "tasks.db").read_bytes() == before


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
