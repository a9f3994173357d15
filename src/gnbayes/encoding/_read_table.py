"""Read any table as columns: NumPy arrays, lists, and the data frames that narwhals knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from numbers import Real
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._table import FrameColumns, MatrixColumns, Table
from gnbayes.encoding._texts import Texts, ordered_dictionary, read_texts
from gnbayes.encoding._values import (
    LARGEST_WHOLE,
    Kind,
    date_error,
    finite,
    is_missing,
    plain_categories,
    read_objects,
    too_large_error,
)


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
        FrameColumns([column.values for column in columns]),
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
    names = tuple(names) if names is not None else _numbered_names(d)
    if array.dtype.kind in "biuf":
        kind: Kind = "bool" if array.dtype.kind == "b" else "number"
        table = Table(names, names, (kind,) * d, MatrixColumns(array, n_threads), n, (False,) * d, n_threads)
        if table.byte_columns is None or not table.byte_columns.fits_byte.all():
            _check_range(names, array)
        return table
    columns, kinds = [], []
    for name, column in zip(names, array.astype(object).T, strict=True):
        values, column_kind = read_objects(name, column.tolist())
        columns.append(values)
        kinds.append(column_kind)
    return Table(names, names, tuple(kinds), FrameColumns(columns), n, (False,) * d, n_threads)


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


@lru_cache(maxsize=8)
def _numbered_names(n_columns: int) -> tuple[str, ...]:
    """Names of columns without names; wide tables are predicted from again and again."""
    return tuple(f"x{j}" for j in range(n_columns))


def _read_series(name: str, series: nw.Series[Any]) -> _Column:
    dtype = series.dtype
    texts = read_texts(series)
    if texts is not None and texts.values:
        return _Column(texts, "text", isinstance(dtype, nw.Categorical | nw.Enum), _declared_order(series))
    if isinstance(dtype, nw.Categorical | nw.Enum):
        values, found = read_objects(name, plain_categories(name, series.to_list()))
        return _Column(values, found, True, _declared_order(series))
    if isinstance(dtype, nw.Boolean) or dtype.is_numeric():
        is_long = isinstance(dtype, nw.Int64 | nw.UInt64 | nw.Int128 | nw.UInt128)
        if is_long and any(abs(int(end)) > LARGEST_WHOLE for end in _ends(series)):
            raise too_large_error(name)
        kind: Kind = "bool" if isinstance(dtype, nw.Boolean) else "number"
        if dtype.is_integer() and not isinstance(dtype, nw.Int128 | nw.UInt128) and not series.null_count():
            return _Column(np.asarray(series.to_numpy()), kind)
        return _Column(finite(name, np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)), kind)
    if dtype.is_temporal():
        raise date_error(name)
    return _Column(*read_objects(name, series.to_list()))


def _declared_order(series: nw.Series[Any]) -> tuple[Any, ...] | None:
    """The categories of an ordered categorical, of an Enum of polars, or of an ordered dictionary of pyarrow.

    None for numbers that are not in ascending order: such an order is ignored.
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


def _check_range(names: Sequence[str], array: NDArray[Any]) -> None:
    """Refuse whole numbers that float64 cannot distinguish, and numbers beyond its range."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        if max(-int(array.min()), int(array.max())) > LARGEST_WHOLE:
            is_large = (array > LARGEST_WHOLE) | (array < -LARGEST_WHOLE)
            raise too_large_error(names[int(is_large.any(axis=0).argmax())])
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            for name, column in zip(names, array.T, strict=True):
                finite(name, column.astype(np.float64))


def _ends(series: nw.Series[Any]) -> list[Any]:
    """The smallest and the largest value, if there are any."""
    return [end for end in (series.min(), series.max()) if not is_missing(end)]
