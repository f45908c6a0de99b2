"""A file that is named by address is fetched over https from hosts that are allowed, or not."""

import asyncio
import time

import httpx
import pytest

from purple_agent.downloads import fetch
from purple_agent.messages import NonsenseError
from purple_agent.settings import Settings
from purple_agent.spool import Spool

DATA = b"\x1f\x8b archive"


async def drops():
    """Send a byte now and then, each in time, and never end."""
    while True:
        yield b"x"
        await asyncio.sleep(0.02)


def answer(request: httpx.Request) -> httpx.Response:
    match request.url.path:
        case "/data.tar.gz":
            return httpx.Response(200, content=DATA)
        case "/moved":
            return httpx.Response(302, headers={"location": "https://elsewhere.example/x"})
        case "/large":
            return httpx.Response(200, content=b"x" * 2000)
        case "/slow":
            msg = "slow"
            raise httpx.ReadTimeout(msg)
        case "/drops":
            return httpx.Response(200, content=drops())
    return httpx.Response(404)


def fetched(url, path, **more):
    settings = Settings(**{"hosts": "data.example, other.example", "max_body": "1000", **more})
    spool = Spool(path.with_name("incoming"), 1500)
    try:
        return asyncio.run(fetch(url, path, settings, spool, httpx.MockTransport(answer)))
    finally:
        spool.take(1500)  # all room has come back, whatever happened


def test_allowed_host_is_fetched_from(tmp_path):
    arrived = fetched("https://data.example/data.tar.gz", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == DATA
    assert arrived.size == len(DATA)
    assert len(arrived.sha256) == 64


@pytest.mark.parametrize(
    "url",
    [
        "http://data.example/data.tar.gz",
        "file:///etc/passwd",
        "ftp://data.example/data.tar.gz",
        "https://elsewhere.example/data.tar.gz",
        "https://data.example.evil.example/data.tar.gz",
        "https://data.example@elsewhere.example/data.tar.gz",
        "https://data.example:8443/data.tar.gz",
        "https://127.0.0.1/data.tar.gz",
        "//data.example/data.tar.gz",
        "https://[",
        "",
    ],
)
def test_other_addresses_are_refused(tmp_path, url):
    with pytest.raises(NonsenseError):
        fetched(url, tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("moved", "status 302"),
        ("large", "larger than 1,000"),
        ("slow", "ReadTimeout"),
        ("x", "404"),
    ],
)
def test_what_does_not_come_as_it_should_is_refused(tmp_path, path, why):
    with pytest.raises(NonsenseError, match=why):
        fetched(f"https://data.example/{path}", tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_nothing_is_fetched_unless_a_setting_names_a_host(tmp_path):
    assert Settings().hosts == ()
    with pytest.raises(NonsenseError, match="fetches no files"):
        fetched("https://data.example/data.tar.gz", tmp_path / "a", hosts="")


def test_host_that_sends_drop_by_drop_is_left_in_time(tmp_path):
    began = time.monotonic()
    with pytest.raises(NonsenseError, match=r"did not come from its address in 0\.3 seconds"):
        fetched("https://data.example/drops", tmp_path / "a", download_seconds=0.3)
    assert time.monotonic() - began < 5
    assert not (tmp_path / "a").exists()


def test_what_is_fetched_counts_as_arriving(tmp_path):
    with pytest.raises(NonsenseError, match="Too much is arriving"):
        fetched("https://data.example/large", tmp_path / "a", max_body="9999")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("error", "kind"),
    [(OSError(28, "No space left", "/a/secret"), NonsenseError), (KeyError("bug"), KeyError)],
)
def test_nothing_is_left_whatever_happens(tmp_path, monkeypatch, error, kind):
    def fails(self, size):
        raise error

    monkeypatch.setattr(Spool, "take", fails)
    with pytest.raises(kind) as raised:
        asyncio.run(
            fetch(
                "https://data.example/data.tar.gz", tmp_path / "a", Settings(hosts="data.example"),
                Spool(tmp_path / "incoming", 1), httpx.MockTransport(answer),
            )
        )  # fmt: skip
    assert "secret" not in str(raised.value)
    assert not (tmp_path / "a").exists()
