"""Files leave the text of a request while it arrives, however it is cut into pieces."""

import base64
import json

import pytest

from purple_agent.sieve import SHORT, NoBase64Error, Sieve


class Kept:
    """Keeps the bytes of files."""

    def __init__(self) -> None:
        self.files: list[bytes] = []

    def open(self) -> "Kept":
        self.files.append(b"")
        return self

    def write(self, data: bytes) -> None:
        self.files[-1] += data

    def close(self) -> bytes:
        return base64.b64encode(b"file %d" % (len(self.files) - 1))


def sifted(text: bytes, step: int) -> tuple[bytes, list[bytes]]:
    kept = Kept()
    sieve = Sieve(kept.open)
    out = b"".join(sieve.feed(text[at : at + step]) for at in range(0, len(text), step))
    return out, kept.files


FILE = bytes(range(256)) * 40
NASTY = 'quotes " and \\ and \\" and "bytes": "raw": {[:,]} \u00e9\ud83d\ude00 \n'


def body(key: str = "bytes", file: bytes = FILE, text: str = NASTY) -> dict[str, object]:
    inner = {"name": "x", key: base64.b64encode(file).decode(), "mimeType": "a/b"}
    return {"id": 1, "parts": [{"text": text}, {"file": inner}, {text: text}], "bytes": 1}


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 64, 1000, 10**6])
@pytest.mark.parametrize("key", ["bytes", "raw"])
def test_file_is_taken_out_and_the_rest_stays(step, key):
    text = json.dumps(body(key), ensure_ascii=step == 5).encode("utf-8", "surrogatepass")
    out, files = sifted(text, step)
    assert files == [FILE]
    expected = json.loads(text)
    expected["parts"][1]["file"][key] = base64.b64encode(b"file 0").decode()
    assert json.loads(out) == expected


@pytest.mark.parametrize("step", [1, 6, 1000])
def test_escapes_that_some_clients_use_in_base64(step):
    data = b"\xff\xef\xbe" * 4000 + b"\xff"
    spelled = base64.b64encode(data).replace(b"/", b"\\/").replace(b"=", b"\\u003d")
    out, files = sifted(b'{"raw" \n: "' + spelled + b'", "text": "t"}', step)
    assert files == [data]
    assert json.loads(out)["text"] == "t"


def test_short_file_and_other_keys_stay_where_they_are():
    text = json.dumps(
        {"bytes": "aGk=", "text": "A" * 2 * SHORT, "rawer": "B" * 2 * SHORT, "list": ["raw", "C"]}
    ).encode()
    assert sifted(text, 100) == (text, [])


@pytest.mark.parametrize("spelled", [b"!" * 9000, b"A" * 8998 + b"=A", b"=" * 9000, b"\\q" * 9000])
def test_what_is_no_base64_is_refused(spelled):
    with pytest.raises(NoBase64Error):
        sifted(b'{"raw": "' + spelled + b'"}', 1000)


def test_spaces_in_base64_are_refused():
    with pytest.raises(NoBase64Error):
        sifted(b'{"raw": "' + b"AAAA AAA" * 2000 + b'"}', 1000)
