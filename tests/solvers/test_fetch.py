"""The command ``fetch``, with Kaggle's own client and a server on loopback, or errors made up."""

import dataclasses
import errno
import gc
import io
import json
import sys
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import kagglehub
import pytest
import requests
from kagglehub.exceptions import BackendError, DataCorruptionError
from kagglesdk import kaggle_env
from typer.testing import CliRunner

from signatures import REGISTRY
from solvers.cli.commands import app
from solvers.fetching import _competition

# The client leaves the connection of an answer that it refuses to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

TASK = "spaceship-titanic"


def run(*words):
    return CliRunner().invoke(app, ["fetch", *words])


def archive(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as members:
        for name, text in files.items():
            members.writestr(f"{name}.csv", text)
    return content.getvalue()


@contextmanager
def server(status, body=b"{}"):
    """Answer every request in the same way; yield the address and the paths asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}", asked
        serving.shutdown()
        thread.join()


@pytest.fixture
def kaggle(tmp_path, monkeypatch):
    """Point the client to an address, with a token, a cache and a home of its own."""
    for name in ("KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_KERNEL_RUN_TYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KAGGLE_API_TOKEN", "made up")
    monkeypatch.setenv("KAGGLEHUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "no credentials"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def point(address):
        monkeypatch.setitem(kaggle_env._env_to_endpoint, kaggle_env.KaggleEnv.PROD, address)

    yield point
    gc.collect()


@pytest.fixture
def failing(monkeypatch):
    """Let the client's download raise an error."""

    def fail(error):
        def download(*arguments, **options):
            raise error

        monkeypatch.setattr(kagglehub, "competition_download", download)

    return fail


def test_a_dataset_is_downloaded_once_and_the_next_command_is_named(kaggle, tmp_path):
    with server(200, archive(train="a\n1\n", test="a\n2\n")) as (address, asked):
        kaggle(address)
        result = run(TASK, "--json")
        assert result.exit_code == 0, result.output
        told = json.loads(result.stdout)
        assert tmp_path / "cache" in Path(told["path"]).parents
        assert told["next"] == f"solvers solve {told['path']}"
        assert any("DownloadDataFiles" in path for path in asked)
        out = tmp_path / "data"
        assert run(TASK, "--out", str(out)).exit_code == 0
        assert sorted(path.name for path in out.iterdir()) == ["test.csv", "train.csv"]


def test_what_lies_in_the_folder_is_replaced_only_by_force_and_never_what_is_not_ours(
    kaggle, tmp_path
):
    out = tmp_path / "data"
    out.mkdir()
    (out / "train.csv").write_text("old")
    with server(200, archive(train="new")) as (address, asked):
        kaggle(address)
        refused = run(TASK, "--out", str(out))
        assert refused.exit_code == 2
        assert "is not empty. Choose another with --out" in refused.stderr
        assert asked == []
        (out / "thesis.txt").write_text("mine")
        refused = run(TASK, "--out", str(out), "--force")
        assert refused.exit_code == 2
        assert "holds what is not the dataset's: 'thesis.txt'" in refused.stderr
        assert (out / "train.csv").read_text() == "old"
        (out / "thesis.txt").unlink()
        assert run(TASK, "--out", str(out), "--force").exit_code == 0
    assert (out / "train.csv").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir() if "data" in path.name) == ["data"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "Kaggle does not accept the token. Make a token on https://www.kaggle.com/settings"),
        (403, "its rules are not accepted. Accept them on https://www.kaggle.com/competitions/"
              "spaceship-titanic/rules, and try again."),
        (404, "Kaggle has no competition of that name. Look at https://www.kaggle.com/"),
        (429, "Kaggle was asked too often. Wait a while, and try again."),
        (500, "Kaggle answered 500. Try again later."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_do(kaggle, tmp_path, status, words):
    with server(status) as (address, _):
        kaggle(address)
        result = run(TASK, "--out", str(tmp_path / "data"))
    assert result.exit_code == 1
    assert words in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "data").exists()


def test_without_a_token_it_says_where_to_get_one(kaggle, monkeypatch):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    result = run(TASK)
    assert result.exit_code == 1
    assert "found no token. Make a token on https://www.kaggle.com/settings/api" in result.stderr


def test_without_a_network_it_names_the_page_to_download_by_hand(kaggle):
    with server(200) as (address, _):
        pass  # nobody listens there any more
    kaggle(address)
    result = run(TASK)
    assert result.exit_code == 1
    assert "Kaggle could not be reached (ConnectionError). Check the network" in result.stderr
    assert (
        "by hand from https://www.kaggle.com/competitions/spaceship-titanic/data" in result.stderr
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/cache/x"),
         "the disk is full (/cache/x). Free some space, or name a folder on another disk in"),
        (requests.ReadTimeout("slow"), "could not be reached (ReadTimeout)"),
        (DataCorruptionError("checksum"), "what arrived is damaged, and was thrown away. Try"),
        (ValueError("Invalid Kaggle credentials file at /x"), "credentials file at /x. Make a"),
        (BackendError("no"), "the notebook's own service refused: no. Add the competition with"),
        (PermissionError(errno.EACCES, "Permission denied", "/cache"),
         "The operating system refused at /cache: Permission denied"),
    ],
)  # fmt: skip
def test_other_failures_say_what_to_do_too(failing, error, words):
    failing(error)
    result = run(TASK)
    assert result.exit_code == 1
    assert words in result.stderr


def test_a_full_disk_leaves_nothing_in_the_folder(kaggle, tmp_path, monkeypatch):
    def full(source, target):
        target.mkdir()
        (target / "train.csv").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr("solvers.fetching.shutil.copytree", full)
    with server(200, archive(train="new")) as (address, _):
        kaggle(address)
        result = run(TASK, "--out", str(tmp_path / "data"))
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr
    assert [path.name for path in tmp_path.iterdir() if "data" in path.name] == []


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "kagglehub", None)
    result = run(TASK)
    assert result.exit_code == 1
    assert 'pip install "known-task-solvers[kaggle]"' in result.stderr


def test_a_task_that_is_not_known_names_the_nearest():
    result = run("spaceship-titanik", "--json")
    assert result.exit_code == 1
    assert "Did you mean 'spaceship-titanic'" in json.loads(result.stdout)["message"]


def test_a_task_from_elsewhere_is_left_to_the_user(monkeypatch):
    elsewhere = dataclasses.replace(REGISTRY[TASK], source="a gardener")
    monkeypatch.setitem(REGISTRY._signatures, TASK, elsewhere)
    result = run(TASK)
    assert "its data come from elsewhere (a gardener). Fetch them by hand" in result.stderr


def test_every_known_task_says_which_competition_it_is_from():
    assert [_competition(task) for task in REGISTRY] == list(REGISTRY)
