"""Write files atomically: a partial file is never visible under its final name."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO


def write_atomically(path: Path, text: str) -> None:
    """Write a text file atomically: a partial file is never visible under its final name.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.documents import write_atomically
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder, "a.txt"), "hello")
    ...     print(Path(folder, "a.txt").read_text(encoding="utf-8"))
    hello
    """
    with complete_file(path) as file:
        file.write(text.encode("utf-8", errors="surrogatepass"))


@contextmanager
def complete_file(path: Path) -> Iterator[BinaryIO]:
    """A file object for writing; the file is moved into place only when it is complete and on disk.

    Links are followed; data for a pipe or a device is written directly. A file that is replaced keeps its permissions.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.documents import complete_file
    >>> with TemporaryDirectory() as folder:
    ...     with complete_file(Path(folder, "a.bin")) as file:
    ...         _ = file.write(b"all or nothing")
    ...     print(Path(folder, "a.bin").read_bytes())
    b'all or nothing'
    """
    mode = _mode_of(path)
    if path.is_relative_to("/dev") or (mode is not None and not stat.S_ISREG(mode)):
        with path.open("wb") as stream:
            yield stream
        return
    place = path.resolve()
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask() if mode is None else stat.S_IMODE(mode))
        os.replace(name, place)
    except BaseException:
        os.unlink(name)
        raise


def _mode_of(path: Path) -> int | None:
    """Type and permissions of an existing file, with links followed; None if there is none."""
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(f"{path} is a link that leads back to itself; give another place to write to.") from None
        return None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def readable(document: dict[str, Any]) -> str:
    """JSON with one line per key, and innermost lists on one line.

    Examples
    --------
    >>> from gnbayes.documents import readable
    >>> print(readable({"name": "age", "edges": [40, 60]}), end="")
    {
      "name": "age",
      "edges": [40, 60]
    }
    """
    return _lines(document, 0) + "\n"


def _lines(value: Any, depth: int) -> str:
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        items = [f"{inner}{_plain(key)}: {_lines(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{outer}}}"
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(inner + _lines(item, depth + 1) for item in value) + f"\n{outer}]"
    return _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
