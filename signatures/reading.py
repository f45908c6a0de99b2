"""Damage of every kind, as one error."""

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from gzip import BadGzipFile
from typing import TYPE_CHECKING, BinaryIO

from signatures.errors import BundleError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# What the standard library raises on files that were cut short, altered, or made to confuse it.
DAMAGE = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    BadGzipFile,
    zipfile.BadZipFile,
    tarfile.TarError,
    struct.error,
    UnicodeDecodeError,
    OverflowError,
    RecursionError,
)


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Raise whatever goes wrong in the block as a `BundleError` about `where`."""
    try:
        yield
    except DAMAGE as error:
        raise BundleError(
            where,
            f"is damaged or cut short ({error or type(error).__name__})",
            "Download or copy it again",
        ) from error
    except NotImplementedError as error:  # a kind of zip that the standard library cannot read
        raise BundleError(
            where, f"is packed in a way that cannot be read ({error})", "Pack it again as tar.gz"
        ) from error
    except OSError as error:
        raise BundleError(
            where,
            f"cannot be read: {error.strerror or error}",
            "Check that the file is whole and that you may read it",
        ) from error


class Guarded(io.RawIOBase):
    """A stream whose errors while reading are `BundleError`, long after it was opened too.

    Reading past `limit` bytes is one of them.
    """

    def __init__(
        self, raw: BinaryIO, where: str, stack: ExitStack, limit: int | None = None
    ) -> None:
        self._raw, self._where, self._stack = raw, where, stack
        self._limit = limit

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether the stream below can seek. Backwards may mean unpacking again."""
        return self._raw.seekable()

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill `buffer` from the stream below."""
        view = memoryview(buffer)
        with reading(self._where):
            data = self._raw.read(len(view))
            if self._limit is not None and self._raw.tell() > self._limit:
                raise BundleError(
                    self._where,
                    f"unpacks to more than {self._limit:,} bytes, far more than tables do",
                    "Check where it comes from; if it is sound, unpack it and hand over the folder",
                )
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move within the stream below."""
        with reading(self._where):
            return self._raw.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the stream below."""
        return self._raw.tell()

    def close(self) -> None:
        """Close the stream below and everything it was opened through."""
        if not self.closed:
            self._stack.close()
        super().close()
