"""Codes of rows on disk, for passes over more rows than fit into memory."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows
from gnbayes.kernels import for_each
from gnbayes.progress import size_text
from gnbayes.scale.resume_state import ResumableCodes

_NAME = "gnbayes-codes-"
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_OTHER_FOLDER = "name another folder with cache, or in the shell with --cache"


class CodeCache:
    """Coded rows in a temporary file: a `RowSource` that needs memory for one part, or one for each thread.

    Each value takes 1 byte, or 2 or 4 bytes if its feature has more than 256 or 65,536 codes; the same holds for the
    class. The file is removed at the end of the ``with`` block, also after an error. With `kept`, it survives an error
    or the end of the process, and the next cache at the same place with the same content starts with the rows it has.

    Parameters
    ----------
    cardinalities : ndarray of shape (d,)
        Number of codes of each feature.
    n_classes : int
    folder : path, optional
        Where the file goes; the system's folder for temporary files by default.
    n_threads : int, default=1
        Number of parts processed at the same time.
    kept : ResumableCodes, optional
        Where to keep the file, in place of `folder`.

    Attributes
    ----------
    n_done : int
        Number of units of the source whose rows the file had when it was opened.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.scale.code_cache import CodeCache
    >>> rows = CodedRows(np.array([[0, 1], [1, 300]]), np.array([0, 1]), np.array([2, 400]), 2)
    >>> with CodeCache(rows.cardinalities, rows.n_classes) as cache:
    ...     cache.append(rows)
    ...     cache.append(rows)
    ...     cache.n_bytes, cache.add_up(count_values).classes.tolist()
    (16, [2, 2])
    """

    def __init__(
        self,
        cardinalities: NDArray[np.intp],
        n_classes: int,
        folder: str | os.PathLike[str] | None = None,
        n_threads: int = 1,
        kept: ResumableCodes | None = None,
    ) -> None:
        self._cardinalities, self._n_classes, self._n_threads = cardinalities, n_classes, n_threads
        self._kinds = [np.min_scalar_type(max(int(size) - 1, 0)) for size in cardinalities]
        self._label_kind = np.min_scalar_type(max(n_classes - 1, 0))
        self._kept, self.n_done = kept, 0
        self._parts: list[tuple[int, int]] = []
        if kept is None:
            self._file: Any = _new_file(folder)
        else:
            self._file = kept.path.open("r+b" if kept.path.exists() else "w+b")
            self.n_done, self._parts = kept.load()
            if os.fstat(self._file.fileno()).st_size < self.n_bytes:
                self.n_done, self._parts = 0, []
            # Data after the last recorded position may be an incomplete part.
            self._file.truncate(self.n_bytes)
            self._file.seek(self.n_bytes)

    def __enter__(self) -> CodeCache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            # What is not written yet may not fit onto a full disk.
            with suppress(OSError):
                self._file.close()
        finally:
            if self._kept is None:
                Path(self._file.name).unlink(missing_ok=True)
            elif error is None:
                self._kept.remove()

    @property
    def row_bytes(self) -> int:
        """Bytes of one row."""
        return sum(kind.itemsize for kind in self._kinds) + self._label_kind.itemsize

    @property
    def n_bytes(self) -> int:
        """Bytes of the file."""
        return sum(n_rows for _, n_rows in self._parts) * self.row_bytes

    def make_room(self, n_rows: int) -> str:
        """Raise an error if the codes of so many rows in all do not fit onto the disk; otherwise how much they take."""
        folder, size = Path(self._file.name).parent, n_rows * self.row_bytes
        free = shutil.disk_usage(folder).free
        if free < size - self.n_bytes:
            raise OSError(self._no_space(f"take {size_text(size)}, and {size_text(free)} are free"))
        return f"codes of {n_rows:,} rows: {size_text(size)} in {str(folder)!r} until the fit is done"

    def _no_space(self, what: str) -> str:
        folder = str(Path(self._file.name).parent)
        return f"the codes of all rows {what} in {folder!r}; {_OTHER_FOLDER}, or make room."

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """A full disk in one sentence."""
        try:
            yield
        except OSError as error:
            if error.errno not in _FULL:
                raise
            raise OSError(self._no_space("do not fit onto the disk")) from None

    def append(self, rows: CodedRows) -> None:
        """Write one more part, column by column."""
        if rows.weights is not None:
            raise ValueError("rows on disk have no weights.")
        if not rows.n_rows:
            return
        self._parts.append((self.n_bytes, rows.n_rows))
        with self._explained():
            for column, kind in zip(rows.codes.T, self._kinds, strict=True):
                self._file.write(column.astype(kind).data)
            self._file.write(rows.labels.astype(self._label_kind).data)

    def save(self, n_done: int) -> None:
        """Make sure that all parts so far, the rows of this many units, survive the end of the process."""
        if self._kept is not None:
            with self._explained():
                self._file.flush()
                os.fsync(self._file.fileno())
                self._kept.save(n_done, self._parts)

    def add_up(self, work: Callable[[CodedRows], Any]) -> Any:
        """The sum of the results for all parts; see `RowSource`."""
        with self._explained():
            self._file.flush()
        lock = threading.Lock()
        totals: list[Any] = []

        def look(part: tuple[int, int]) -> None:
            value = work(self._read(*part))
            with lock:
                totals[:] = [value if not totals else totals[0] + value]

        for_each(look, self._parts, self._n_threads)
        if not totals:
            raise ValueError("there are no rows.")
        return totals[0]

    def _read(self, start: int, n_rows: int) -> CodedRows:
        widest = max(self._kinds, key=lambda kind: kind.itemsize, default=np.dtype(np.uint8))
        codes = np.empty((n_rows, len(self._kinds)), dtype=widest, order="F")
        with open(self._file.name, "rb") as file:
            file.seek(start)
            for j, kind in enumerate(self._kinds):
                codes[:, j] = np.fromfile(file, dtype=kind, count=n_rows)
            labels = np.fromfile(file, dtype=self._label_kind, count=n_rows)
        return CodedRows(codes, labels.astype(np.int64), self._cardinalities, self._n_classes)


def _new_file(folder: str | os.PathLike[str] | None) -> Any:
    try:
        return tempfile.NamedTemporaryFile(prefix=_NAME, dir=folder, delete=False)
    except OSError as error:
        where = tempfile.gettempdir() if folder is None else os.fspath(folder)
        reason = (error.strerror or str(error)).lower()
        raise type(error)(f"the codes of all rows cannot be written to {where!r}: {reason}; {_OTHER_FOLDER}.") from None
