"""Keep two runs from writing to the same files at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold a lock beside a file that this run writes; the system releases it when the process ends, however it ends.

    Where the file system has no locks, there is none.

    Parameters
    ----------
    path : Path
    """
    lock = path.with_name(f"{path.name}.lock")
    file = _opened(path, lock)
    try:
        _hold(path, file)
        # A run that ended just now may have removed the file between opening and locking.
        while not _is_same(lock, file):
            file.close()
            file = _opened(path, lock)
            _hold(path, file)
        try:
            yield
        finally:
            # While the lock is held: a file that another run has locked must not be removed.
            with suppress(OSError):
                lock.unlink()
    finally:
        file.close()


def _opened(path: Path, lock: Path) -> Any:
    if path.is_dir():
        raise IsADirectoryError(f"{str(path)!r} is a folder; give the name of a file for the state of the run.")
    try:
        return lock.open("ab")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise type(error)(f"{str(path)!r} cannot be written: {reason}.") from None


def _hold(path: Path, file: Any) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise ValueError(f"another run is using {str(path)!r}; wait until it ends, or give another file.") from None
    except OSError:
        return


def _is_same(lock: Path, file: Any) -> bool:
    try:
        return os.path.samestat(lock.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
