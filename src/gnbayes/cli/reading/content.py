"""The bytes of a table, unpacked: a file or standard input, also in gzip, bzip2, xz, Zstandard or zip."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from gnbayes.cli.failure import CommandError, some
from gnbayes.cli.reading.source import pyarrow

SAMPLE_BYTES = 2**20
# Errors of the decompressors for damaged files.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
_BEGINNINGS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "zip",
}


@dataclass(frozen=True, eq=False)
class Content:
    """Bytes to read.

    Parameters
    ----------
    stream : binary file
        From the first byte on; not seekable.
    sample : bytes
        The first of these bytes.
    is_whole : bool
        Whether the sample is all there is.
    packing : str
        Compression, such as "gzip"; "" for none.
    path : str, optional
        The file that holds exactly these bytes, if there is one.
    share : callable
        The share of the file that has been read; None if its size is unknown.
    """

    stream: BinaryIO
    sample: bytes
    is_whole: bool
    packing: str
    path: str | None
    share: Callable[[], float | None]

    def seekable(self) -> BinaryIO:
        """All bytes in memory, for readers that need random access."""
        return io.BytesIO(self.stream.read())


@contextmanager
def open_content(path: str) -> Iterator[Content]:
    """Open a file, or standard input for "-", and unpack it.

    Parameters
    ----------
    path : str
    """
    with ExitStack() as stack:
        if path == "-":
            raw: Any = sys.stdin.buffer
        else:
            raw = stack.enter_context(open(path, "rb"))
        stream, packing = _unpacked(raw, path, stack)
        sample = stream.read(SAMPLE_BYTES)
        joined = cast(BinaryIO, io.BufferedReader(_Joined(sample, stream), 2**20))
        plain = path if path != "-" and not packing else None
        share = partial(_share, raw, Path(path).stat().st_size if path != "-" else 0)
        yield Content(joined, sample, len(sample) < SAMPLE_BYTES, packing, plain, share)


def _share(raw: Any, size: int) -> float | None:
    return raw.tell() / size if size else None


def packing_of(beginning: bytes) -> str:
    """The compression of some bytes; "" for none.

    Examples
    --------
    >>> import bz2
    >>> from gnbayes.cli.reading.content import packing_of
    >>> packing_of(bz2.compress(b"a,b")), packing_of(b"a,b")
    ('bzip2', '')
    """
    return next((packing for magic, packing in _BEGINNINGS.items() if beginning.startswith(magic)), "")


class _Joined(io.RawIOBase):
    """The sample that was read, followed by the rest of the stream."""

    def __init__(self, sample: bytes, stream: Any) -> None:
        self._sample, self._stream = memoryview(sample), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._sample[: len(buffer)]
        if len(part):
            self._sample = self._sample[len(part) :]
        else:
            part = self._stream.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def _unpacked(raw: Any, path: str, stack: ExitStack) -> tuple[Any, str]:
    packing = packing_of(raw.peek(6)[:6])
    if packing == "gzip":
        return stack.enter_context(gzip.GzipFile(fileobj=raw)), packing
    if packing == "bzip2":
        return stack.enter_context(bz2.BZ2File(raw)), packing
    if packing == "xz":
        return stack.enter_context(lzma.LZMAFile(raw)), packing
    if packing == "Zstandard":
        return stack.enter_context(pyarrow().CompressedInputStream(raw, "zstd")), packing
    if packing == "zip":
        return _unzipped(raw, path, stack)
    return raw, ""


def _unzipped(raw: Any, path: str, stack: ExitStack) -> tuple[Any, str]:
    """The only file of an archive; a spreadsheet, which is also an archive, is not unpacked."""
    file = raw if raw.seekable() else io.BytesIO(raw.read())
    archive = stack.enter_context(zipfile.ZipFile(file))
    names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
    if any(name.startswith("xl/") for name in names) or "mimetype" in names:
        file.seek(0)
        return file, ""
    if len(names) != 1:
        held = f"{len(names)} files, {some(names, 5)}" if names else "no files"
        raise CommandError(f"{path} holds {held}; unpack it, and pass a single table.")
    try:
        return stack.enter_context(archive.open(names[0])), "zip"
    except RuntimeError as error:  # it is encrypted
        raise CommandError(f"{path} cannot be unpacked: {error}.") from None
