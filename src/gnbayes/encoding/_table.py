"""Read any table as columns: NumPy arrays, lists, and the data frames that narwhals knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from numbers import Real
from typing import Any, Literal, NamedTuple

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._byte_columns import KINDS, ByteColumns, read_byte_columns
from gnbayes.encoding._texts import Texts, ordered_dictionary, read_texts
from gnbayes.kernels import limit_threads

Kind = Literal["number", "bool", "text", "empty"]

# Up to here float64 holds every whole number, and none that was rounded.
LARGEST_WHOLE = 2**53 - 1

# A matrix up to this size is turned around at once, a larger one a few columns at a time.
_WHOLE_BYTES = 128 * 2**20
_BLOCK_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Table:
    """A table by columns.

    Parameters
    ----------
    names : tuple of str
        One name per column.
    keys : tuple
        The names as they are in the frame; the same as `names` if they are strings.
    kinds : tuple of {"number", "bool", "text", "empty"}
        Type of each column. ``"empty"``: only missing values.
    columns : sequence of ndarray of shape (n,)
        float64 with NaN for missing ("number" and "bool"), or object with None for missing ("text").
    n_rows : int
    is_category : tuple of bool
        Whether the frame itself declares the column as categorical.
    n_threads : int
        Number of threads for reading.
    orders : tuple
        For each column the ordered categories if the frame declares an order, otherwise None; empty if no column has an
        order.
    """

    names: tuple[str, ...]
    keys: tuple[Any, ...]
    kinds: tuple[Kind, ...]
    columns: Sequence[NDArray[Any]]
    n_rows: int
    is_category: tuple[bool, ...]
    n_threads: int = 1
    orders: tuple[tuple[Any, ...] | None, ...] = ()

    @cached_property
    def byte_columns(self) -> ByteColumns | None:
        """The columns of small whole numbers as bytes, where there are any and they can be read fast."""
        if isinstance(self.columns, _MatrixColumns):
            columns: Any = self.columns.matrix
        else:
            columns = self.columns.raw(self.n_rows) if isinstance(self.columns, _FrameColumns) else self.columns
        return read_byte_columns(columns, self.n_rows, limit_threads(self.n_threads, self.n_rows * self.n_columns))

    @property
    def matrix(self) -> NDArray[Any] | None:
        """The numbers of all columns as they came, where the table is a matrix of numbers that the kernels read."""
        matrix = self.columns.matrix if isinstance(self.columns, _MatrixColumns) else None
        if matrix is None or matrix.dtype.name not in KINDS or not matrix.dtype.isnative or not matrix.flags.aligned:
            return None
        return matrix

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.names)

    def position(self, key: Any) -> int | None:
        """Position of a column given by name, or by position if no column name is a number."""
        at = self._position_of_key.get(key) if isinstance(key, Hashable) else None
        is_number = isinstance(key, int | np.integer) and not isinstance(key, bool)
        if at is None and is_number and not self._has_number_names and 0 <= key < self.n_columns:
            return int(key)
        return at

    @cached_property
    def _position_of_key(self) -> dict[Any, int]:
        return {key: at for at, key in enumerate(self.keys)}

    @cached_property
    def _has_number_names(self) -> bool:
        return any(isinstance(key, int | np.integer) for key in self.keys)

    def order(self, j: int) -> tuple[Any, ...] | None:
        """All categories of column j in the order that the frame declares, if it does."""
        return self.orders[j] if self.orders else None

    def texts(self, j: int) -> Texts | None:
        """Column j as few texts and their places, where it was read so."""
        column = self.columns.arrays[j] if isinstance(self.columns, _FrameColumns) else None
        return column if isinstance(column, Texts) else None

    def number_blocks(self, columns: Sequence[int]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
        """The given numeric columns, several at a time where they lie together: their positions and values (n, q)."""
        if isinstance(self.columns, _MatrixColumns):
            yield from self.columns.blocks(columns)
        else:
            for j in columns:
                yield [j], self.columns[j][:, None]

    def take(self, rows: NDArray[np.bool_]) -> Table:
        """The table of the rows where the mask is true."""
        if isinstance(self.columns, _MatrixColumns):
            columns: Sequence[NDArray[Any]] = _MatrixColumns(self.columns.matrix[rows])
        else:
            columns = _FrameColumns([column[rows] for column in self.columns])
        return replace(self, columns=columns, n_rows=int(rows.sum()))


def is_frame(data: Any) -> bool:
    """Whether `data` is a data frame that narwhals can read."""
    return not isinstance(data, np.ndarray | list | tuple) and bool(
        nw.dependencies.is_into_dataframe(data) or nw.dependencies.is_polars_lazyframe(data)
    )


def read_frame(frame: Any, n_threads: int = 1) -> Table:
    """Read a pandas, polars, pyarrow or other data frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.encoding import read_frame
    >>> table = read_frame(pd.DataFrame({"age": [61, None], "sex": ["f", "m"]}))
    >>> table.names, table.kinds
    (('age', 'sex'), ('number', 'text'))
    """
    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_polars_lazyframe(frame):
        raise TypeError("X is a lazy frame; call .collect() on it first.")
    keys = _frame_names(frame)
    names = tuple(str(key) for key in keys)
    series = nw.from_native(frame, eager_only=True).iter_columns()
    columns = [_read_series(name, column) for name, column in zip(names, series, strict=True)]
    return Table(
        names,
        keys,
        tuple(column.kind for column in columns),
        _FrameColumns([column.values for column in columns]),
        frame.shape[0],
        tuple(column.is_category for column in columns),
        n_threads,
        tuple(column.order for column in columns),
    )


def read_array(array: NDArray[Any], names: Sequence[str] | None = None, n_threads: int = 1) -> Table:
    """Read a two-dimensional NumPy array, numeric or object.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import read_array
    >>> read_array(np.array([[1.5, 2.0], [3.0, np.nan]])).names
    ('x0', 'x1')
    """
    n, d = array.shape
    names = tuple(names) if names is not None else tuple(f"x{j}" for j in range(d))
    if array.dtype.kind in "biuf":
        kind: Kind = "bool" if array.dtype.kind == "b" else "number"
        table = Table(names, names, (kind,) * d, _MatrixColumns(array), n, (False,) * d, n_threads)
        if table.byte_columns is None or not table.byte_columns.fits_byte.all():
            _check_range(names, array)
        return table
    columns, kinds = [], []
    for name, column in zip(names, array.astype(object).T, strict=True):
        values, column_kind = _read_objects(name, column.tolist())
        columns.append(values)
        kinds.append(column_kind)
    return Table(names, names, tuple(kinds), _FrameColumns(columns), n, (False,) * d, n_threads)


def is_missing(value: Any) -> bool:
    """Whether a single value stands for "missing": None, NaN, pandas.NA or NaT."""
    if value is None or (isinstance(value, float | np.floating) and value != value):
        return True
    return type(value).__name__ in {"NAType", "NaTType"}


def read_value(name: str, value: Any) -> tuple[Any, Kind]:
    """One value as a column would hold it, and what it is: a finite number, text, or NaN for a missing value.

    Examples
    --------
    >>> from gnbayes.encoding._table import read_value
    >>> read_value("age", 61), read_value("sex", "f")
    ((61.0, 'number'), ('f', 'text'))
    """
    column, kind = _read_objects(name, [value])
    return column.tolist()[0], kind


class _FrameColumns(Sequence[NDArray[Any]]):
    """Columns of a frame; whole numbers and texts stay what they are until they are asked for."""

    def __init__(self, arrays: Sequence[NDArray[Any] | Texts]) -> None:
        self.arrays = arrays

    def raw(self, n_rows: int) -> list[NDArray[Any]]:
        """Columns as they are, but of texts an array without any."""
        no_text = np.broadcast_to(np.array(None, dtype=object), n_rows)
        return [no_text if isinstance(array, Texts) else array for array in self.arrays]

    def __len__(self) -> int:
        return len(self.arrays)

    def __getitem__(self, j: Any) -> Any:
        array = self.arrays[j]
        if isinstance(array, Texts):
            return array.objects
        return array if array.dtype == object else array.astype(np.float64, copy=False)


class _MatrixColumns(Sequence[NDArray[np.float64]]):
    """Columns of a numeric matrix, each contiguous, turned around block by block."""

    def __init__(self, matrix: NDArray[Any]) -> None:
        n, d = matrix.shape
        self.matrix = matrix
        self._width = d if 8 * matrix.size <= _WHOLE_BYTES else max(1, _BLOCK_BYTES // (8 * n))
        self._start = -1
        self._block = np.empty((0, 0))

    def __len__(self) -> int:
        return int(self.matrix.shape[1])

    def __getitem__(self, j: Any) -> Any:
        return self._block_of(j)[:, j % self._width]

    def blocks(self, columns: Sequence[int]) -> Iterator[tuple[list[int], NDArray[np.float64]]]:
        """The given columns block by block; none is kept afterwards, as a block may be as large as the matrix."""
        for number, members in groupby(columns, key=lambda j: j // self._width):
            positions = list(members)
            block = self._block_of(positions[0])
            if len(positions) < block.shape[1]:
                block = block[:, [j - number * self._width for j in positions]]
            yield positions, block
            del block
            self._start, self._block = -1, np.empty((0, 0))

    def _block_of(self, j: int) -> NDArray[np.float64]:
        start = j - j % self._width
        if start != self._start:
            self._block = _by_columns(self.matrix[:, start : start + self._width])
            self._start = start
        return self._block


def _by_columns(matrix: NDArray[Any]) -> NDArray[np.float64]:
    # Row chunks keep both the rows read and the columns written in cache: twice as fast as one assignment.
    out = np.empty(matrix.shape, dtype=np.float64, order="F")
    for start in range(0, len(matrix), 4096):
        out[start : start + 4096] = matrix[start : start + 4096]
    return out


def _frame_names(frame: Any) -> tuple[Any, ...]:
    names = list(getattr(frame, "column_names", frame.columns))  # a pyarrow table keeps its names elsewhere
    twice = sorted(str(name) for name, times in Counter(names).items() if times > 1)
    if twice:
        raise ValueError(f"X has more than one column named {twice[0]!r}; rename them so that every name is unique.")
    return tuple(names)


class _Column(NamedTuple):
    """One column of a frame; fields as in `Table`."""

    values: NDArray[Any] | Texts
    kind: Kind
    is_category: bool = False
    order: tuple[Any, ...] | None = None


def _read_series(name: str, series: nw.Series[Any]) -> _Column:
    dtype = series.dtype
    texts = read_texts(series)
    if texts is not None and texts.values:
        return _Column(texts, "text", isinstance(dtype, nw.Categorical | nw.Enum), _declared_order(series))
    if isinstance(dtype, nw.Categorical | nw.Enum):
        values, found = _read_objects(name, _plain_categories(name, series.to_list()))
        return _Column(values, found, True, _declared_order(series))
    if isinstance(dtype, nw.Boolean) or dtype.is_numeric():
        is_long = isinstance(dtype, nw.Int64 | nw.UInt64 | nw.Int128 | nw.UInt128)
        if is_long and any(abs(int(end)) > LARGEST_WHOLE for end in _ends(series)):
            raise _too_large(name)
        kind: Kind = "bool" if isinstance(dtype, nw.Boolean) else "number"
        if dtype.is_integer() and not isinstance(dtype, nw.Int128 | nw.UInt128) and not series.null_count():
            return _Column(np.asarray(series.to_numpy()), kind)
        return _Column(_finite(name, np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)), kind)
    if dtype.is_temporal():
        raise _is_date(name)
    return _Column(*_read_objects(name, series.to_list()))


def _declared_order(series: nw.Series[Any]) -> tuple[Any, ...] | None:
    """The categories of an ordered categorical, of an Enum of polars, or of an ordered dictionary of pyarrow.

    None for numbers whose order is not that of their size: such an order is as good as none.
    """
    if series.implementation.is_pyarrow():
        categories = ordered_dictionary(series.to_native())
    else:
        native = series.to_native().dtype
        is_ordered = getattr(native, "ordered", False) or isinstance(series.dtype, nw.Enum)
        categories = native.categories.to_list() if is_ordered else None
    if categories is None or all(isinstance(category, str) for category in categories):
        return None if categories is None else tuple(categories)
    if all(isinstance(category, Real) for category in categories):
        numbers = tuple(float(category) for category in categories)
        return numbers if numbers == tuple(sorted(numbers)) else None
    return tuple(str(category) for category in categories)  # such as intervals, which are read by their text


def _read_objects(name: str, values: list[Any]) -> tuple[NDArray[Any], Kind]:
    present = [value for value in values if not is_missing(value)]
    kind = _kind_of(name, present)
    if kind == "text":
        column = np.empty(len(values), dtype=object)
        column[:] = (
            values if len(present) == len(values) else [None if is_missing(value) else value for value in values]
        )
        return column, kind
    if any(isinstance(value, int) and abs(value) > LARGEST_WHOLE for value in present):
        raise _too_large(name)
    numbers = [np.nan if is_missing(value) else float(value) for value in values]
    return _finite(name, np.array(numbers, dtype=np.float64)), kind


def _finite(name: str, column: NDArray[np.float64]) -> NDArray[np.float64]:
    if np.isinf(column).any():
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('float64') in column {name!r}; replace it by a "
            "number or by a missing value."
        )
    return column


def _ends(series: nw.Series[Any]) -> list[Any]:
    """The smallest and the largest value, if there are any."""
    return [end for end in (series.min(), series.max()) if not is_missing(end)]


def _plain_categories(name: str, values: list[Any]) -> list[Any]:
    """Categories that are neither text nor numbers, such as intervals, by their text."""
    types = {type(value) for value in values if not is_missing(value)}
    if all(issubclass(kind, str | Real | Decimal | np.bool_) for kind in types):
        return values
    if any(_is_temporal(kind) for kind in types):
        raise _is_date(name)
    return [None if is_missing(value) else str(value) for value in values]


def _check_range(names: Sequence[str], array: NDArray[Any]) -> None:
    """Refuse whole numbers that float64 cannot tell apart, and numbers that it does not hold."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        if max(-int(array.min()), int(array.max())) > LARGEST_WHOLE:
            is_large = (array > LARGEST_WHOLE) | (array < -LARGEST_WHOLE)
            raise _too_large(names[int(is_large.any(axis=0).argmax())])
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            for name, column in zip(names, array.T, strict=True):
                _finite(name, column.astype(np.float64))


def _too_large(name: str) -> ValueError:
    return ValueError(
        f"column {name!r} holds whole numbers beyond 2**53, which cannot all be distinguished as numbers; convert it "
        "to text."
    )


def _is_date(name: str) -> TypeError:
    return TypeError(
        f"column {name!r} contains dates or times; convert it to numbers (such as days since a fixed date) or to text, "
        "or drop it."
    )


def _is_temporal(kind: type) -> bool:
    return issubclass(kind, date | time | timedelta | np.datetime64 | np.timedelta64) or kind.__name__ == "Period"


def _kind_of(name: str, present: Iterable[Any]) -> Kind:
    types = {type(value) for value in present}
    if not types:
        return "empty"
    if all(issubclass(kind, str) for kind in types):
        return "text"
    if all(issubclass(kind, bool | np.bool_) for kind in types):
        return "bool"
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in types):
        return "number"
    if any(issubclass(kind, str) for kind in types) and all(issubclass(kind, str | Real | Decimal) for kind in types):
        raise TypeError(f"column {name!r} mixes text and numbers; convert it to one or the other.")
    if any(_is_temporal(kind) for kind in types):
        raise _is_date(name)
    odd = sorted(kind.__name__ for kind in types if not issubclass(kind, str | Real | Decimal))[0]
    raise TypeError(
        f"column {name!r} holds a value of type {odd}, but an argument must be a string or a number; convert the "
        "column to text or numbers, or drop it."
    )
