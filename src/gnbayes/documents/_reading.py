"""Read a file from an untrusted source."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gnbayes.documents._envelope import DocumentError

_BYTES_AT_ONCE = 2**20


def read_bytes(path: Path, what: str, max_bytes: int) -> bytes:
    """The bytes of a regular file that is not too large. Never blocks, and never reads without end.

    Parameters
    ----------
    path : Path
    what : str
        Expected content of the file, such as "model", for messages.
    max_bytes : int

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.documents import read_bytes, write_atomically
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder, "a.txt"), "hello")
    ...     print(read_bytes(Path(folder, "a.txt"), "note", max_bytes=100))
    b'hello'
    """
    with open(path, "rb", opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            kind = "pipe" if stat.S_ISFIFO(status.st_mode) else "device"
            raise DocumentError(f"{path.name} is a {kind}, and a {what} is read from a file; write it to one first.")
        if status.st_size > max_bytes:
            raise _too_large(path, what, f"{status.st_size}", max_bytes)
        data = bytearray()
        while chunk := file.read(_BYTES_AT_ONCE):
            data += chunk
            if len(data) > max_bytes:  # a file that grows, or whose size is unknown
                raise _too_large(path, what, "too many", max_bytes)
    return bytes(data)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting: a pipe that nobody writes to is opened as well, so that it can be refused."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _too_large(path: Path, what: str, size: str, max_bytes: int) -> DocumentError:
    return DocumentError(f"{path.name} has {size} bytes, more than a {what} file can have ({max_bytes}).")
