"""What is too large, or makes no sense, is refused with a sentence and leaves nothing behind."""

import base64
import json
import time

import httpx
import pytest

from tests.purple_agent.wire import (
    file_part,
    packed,
    request,
    state,
    submissions,
    text_part,
    texts,
)


def post(service, content, **headers):
    return httpx.post(service.url, content=content, headers=headers, timeout=30)


@pytest.fixture(autouse=True)
def nothing_stays(service):
    yield
    deadline = time.monotonic() + 5
    while list((service.home / "incoming").iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_body_that_says_it_is_too_large_is_refused_at_once(service):
    answer = post(service, b"x" * 3_000_000)
    assert answer.status_code == 413
    assert "larger than 1.9MiB" in answer.json()["error"]["message"]


def test_body_that_turns_out_too_large_is_refused(service):
    part = json.dumps(file_part(bytes(2_000_000))).encode()
    answer = post(service, iter([part[:1000], part[1000:]]))  # without a content-length
    assert answer.status_code == 413


def test_long_text_is_refused(service):
    answer = post(service, json.dumps(request([text_part("long " * 50_000)])).encode())
    assert answer.status_code == 413
    assert "Without its files" in answer.json()["error"]["message"]


def test_file_that_is_no_base64_is_refused(service):
    body = request([text_part("x"), file_part(b"")])
    body["params"]["message"]["parts"][1]["file"]["bytes"] = "no base64! " * 1000
    answer = post(service, json.dumps(body).encode())
    assert answer.status_code == 400
    assert "no valid base64" in answer.json()["error"]["message"]


def test_too_many_files_are_refused(service):
    body = request([file_part(bytes(9000)) for _ in range(5)])
    assert (
        "more than 4 files" in post(service, json.dumps(body).encode()).json()["error"]["message"]
    )


def test_body_that_is_cut_off_leaves_nothing(service):
    text = json.dumps(request([file_part(bytes(100_000))])).encode()
    assert "error" in post(service, text[:50_000]).json()


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([file_part(b"a,b\n1,2\n" * 2000, "train.csv")], "archive: 'train.csv'"),
        ([file_part(b"a,b\n1,2\n", "train.csv")], "archive: 'train.csv'"),
        ([file_part(b"\x1f\x8bx", "a.tgz"), file_part(b"\x1f\x8by", "b.tgz")], "2 archives"),
        ([text_part("x")] * 5, "5 parts, and 4 are allowed"),
        ([{"kind": "data", "data": {"bytes": "x"}}], "no archive"),
        ([{"kind": "file", "file": {"uri": "file:///etc/passwd"}}], "None of the files"),
        ([{"kind": "file", "file": {"uri": "file:///x.tar.gz"}}], "fetches no files by address"),
    ],
)
def test_nonsense_is_rejected_and_no_work_begins(service, parts, why):
    events = list(service.stream(request(parts)))
    assert state(events) == "rejected"
    assert why in texts(events)[-1]
    assert not (service.folder(events[0].get("id", "none")) / "worker.log").exists()


@pytest.mark.parametrize("data", [b"\x1f\x8b nothing", b"PK\x03\x04 a zip"])
def test_hostile_archive_is_rejected_over_the_wire(service, data):
    events = list(service.send(data))
    assert state(events) == "rejected"
    assert "Send the dataset as one tar.gz" in texts(events)[-1]
    assert str(service.home) not in json.dumps(events)


def test_a_table_beside_the_archive_does_no_harm(service, flowers):
    parts = [file_part(b"a,b\n", "notes.csv"), file_part(packed(flowers)), text_part("go")]
    events = list(service.stream(request(parts)))
    assert state(events) == "completed"
    assert submissions(events)


def test_a_file_cannot_be_named_by_guessing_the_word_that_stands_for_it(service):
    part = {"kind": "file", "file": {"bytes": base64.b64encode(b"file 00").decode(), "name": "x"}}
    assert state(list(service.stream(request([part])))) == "rejected"
