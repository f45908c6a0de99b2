"""Take the bytes of files out of a JSON text while it arrives, so that they never lie in memory.

A message carries an archive as one long base64 string, under ``bytes`` in version 0.3 of the
protocol and under ``raw`` in 1.0. The JSON parser would hold it several times over. Here it is
decoded piece by piece, and a short word takes its place.
"""

import binascii
import json
import re
from typing import Protocol

KEYS = (b"bytes", b"raw")
SHORT = 4096  # a string up to here is left where it is

_ORDINARY = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_LONGEST_KEY = max(map(len, KEYS))
_ESCAPE = 6  # bytes of the longest escape, \u003d


class Sink(Protocol):
    """Takes one file's bytes; `close` returns the base64 that stands for it in the JSON text."""

    def write(self, data: bytes) -> None:
        """Take the next bytes."""

    def close(self) -> bytes:
        """Finish the file."""


class NoBase64Error(ValueError):
    """What should be a file's bytes is no base64."""


class Sieve:
    """Lets a JSON text through without the files in it.

    Parameters
    ----------
    opened : function
        Called for each file; returns its `Sink`.
    """

    def __init__(self, opened: "Opened") -> None:
        self._opened = opened
        self._state = self._outside
        self._rest = b""  # of the chunk at hand
        self._out: list[bytes] = []
        self._key = b""  # the last string, if it may be a key
        self._gap = b""  # what came after it
        self._held = b""  # of a file's string: not decoded yet
        self._sink: Sink | None = None

    def feed(self, chunk: bytes) -> bytes:
        """Take the next bytes of the text, and return those that stay.

        Raises
        ------
        NoBase64Error
            If a file is not spelled as base64.
        """
        self._rest, self._out = chunk, []
        while self._rest:
            self._state()
        return b"".join(self._out)

    def _outside(self) -> None:
        """Pass on what lies between two strings."""
        gap, quote, self._rest = self._rest.partition(b'"')
        self._out.append(gap + quote)
        self._gap = (self._gap + gap)[:64]
        if quote:
            file = self._gap.strip() == b":" and self._key in KEYS
            self._key = self._gap = self._held = b""
            self._state = self._file if file else self._string

    def _string(self) -> None:
        """Pass on an ordinary string; its last bytes may be a key."""
        found = _ORDINARY.match(self._rest)
        end = found.end() if found else 0
        piece, self._rest = self._rest[:end], self._rest[end:]
        self._pass_on(piece)
        if self._rest == b"\\":  # the chunk ends inside an escape
            self._pass_on(b"\\")
            self._rest, self._state = b"", self._escaped
        elif self._rest:
            self._out.append(b'"')
            self._rest, self._state = self._rest[1:], self._outside

    def _escaped(self) -> None:
        self._pass_on(self._rest[:1])
        self._rest, self._state = self._rest[1:], self._string

    def _pass_on(self, piece: bytes) -> None:
        self._out.append(piece)
        self._key = (self._key + piece)[: _LONGEST_KEY + 1]

    def _file(self) -> None:
        """Decode a file's string; leave a short one where it is."""
        piece, quote, self._rest = self._rest.partition(b'"')
        self._held += piece
        if self._sink is None and len(self._held) <= SHORT:
            if quote:
                self._out.append(self._held + quote)
                self._state = self._outside
            return
        self._sink = self._sink or self._opened()
        self._decode(last=bool(quote))
        if quote:
            self._out.append(self._sink.close() + quote)
            self._sink, self._state = None, self._outside

    def _decode(self, *, last: bool) -> None:
        """Decode as much of what is held as is whole."""
        end = len(self._held)
        if not last:
            tail = self._held.rfind(b"\\", end - _ESCAPE)
            end = tail if tail >= 0 else end
        text, later = _unescaped(self._held[:end]), self._held[end:]
        # Four characters are three bytes; and the last ones may be padding, of which only the
        # end of the string may have some.
        whole = len(text) if last else max(0, (len(text) // 4 - 1) * 4)
        try:
            data = binascii.a2b_base64(text[:whole], strict_mode=True)
        except binascii.Error as error:
            raise NoBase64Error from error
        assert self._sink is not None
        self._sink.write(data)
        self._held = text[whole:] + later


class Opened(Protocol):
    """Opens the next file."""

    def __call__(self) -> Sink:
        """Return where its bytes go."""


def _unescaped(text: bytes) -> bytes:
    """Undo JSON's escapes, which some clients use for the ``/`` and ``=`` of base64."""
    if b"\\" not in text:
        return text
    try:
        return str(json.loads(b'"' + text + b'"')).encode()
    except ValueError as error:
        raise NoBase64Error from error
