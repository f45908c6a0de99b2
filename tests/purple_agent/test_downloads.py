"""A file that is named by address is fetched over https from hosts that are allowed, or not."""

import asyncio

import httpx
import pytest

from purple_agent.downloads import fetch
from purple_agent.messages import NonsenseError
from purple_agent.settings import Settings

DATA = b"\x1f\x8b archive"


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
    return httpx.Response(404)


def fetched(url, path, **more):
    settings = Settings(**{"hosts": "data.example, other.example", "max_body": "1000", **more})
    return asyncio.run(fetch(url, path, settings, httpx.MockTransport(answer)))


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
