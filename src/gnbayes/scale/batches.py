"""Read one batch of rows: a table of the features, and the class of every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Table, Texts, check_target, read_array, read_frame, read_texts

# The class of every row: an array, or distinct texts and their positions.
Labels = NDArray[Any] | Texts


def read_batch(
    batch: Any, target: str | None, names: Sequence[Any] | None = None, n_threads: int = 1
) -> tuple[Table, Labels]:
    """A batch as a table of its features and an array of its labels.

    Parameters
    ----------
    batch : data frame, pyarrow.RecordBatch, or pair (X, y)
    target : str, optional
        The column of the classes; None for pairs.
    names : sequence, optional
        Columns of the features, in their order; all but the target by default.
    n_threads : int
    """
    if target is None:
        return _read_pair(batch, names, n_threads)
    frame = nw.from_native(as_frame(batch), eager_only=True)
    if target not in frame.columns:
        raise ValueError(f"target {target!r} is not a column of the batch; there are {_some(frame.columns)}.")
    wanted = [name for name in frame.columns if name != target] if names is None else list(names)
    if not wanted:
        raise ValueError(f"a batch has no column besides the target {target!r}; there is nothing to learn from.")
    return read_frame(_select(frame, wanted), n_threads), _read_labels(target, frame[target])


def _read_pair(batch: Any, names: Sequence[Any] | None, n_threads: int) -> tuple[Table, Labels]:
    if not isinstance(batch, tuple | list) or len(batch) != 2:
        raise TypeError(
            f"target is None, and a batch is not a pair (X, y) but {type(batch).__name__}; name the column of the "
            "classes."
        )
    X, y = batch
    X = as_frame(X)
    if nw.dependencies.is_into_dataframe(X):
        table = read_frame(X if names is None else _select(nw.from_native(X, eager_only=True), names), n_threads)
    else:
        table = read_array(np.atleast_2d(np.asarray(X)), n_threads=n_threads)
        if names is not None and len(names) != table.n_columns:
            raise ValueError(f"a batch has {table.n_columns} columns, and the first one had {len(names)}.")
    return table, check_target(y, table.n_rows)


def _select(frame: nw.DataFrame[Any], names: Sequence[Any]) -> nw.DataFrame[Any]:
    """Columns by name, also by names that are numbers."""
    places = {name: at for at, name in enumerate(frame.columns)}
    for name in names:
        if name not in places:
            raise ValueError(f"a batch lacks column {name!r}; all batches must have the same columns.")
    return frame[:, [places[name] for name in names]]


def as_frame(batch: Any) -> Any:
    """A pyarrow batch as a table, which narwhals supports."""
    batch = nw.to_native(batch, pass_through=True)
    if type(batch).__name__ == "RecordBatch" and type(batch).__module__.startswith("pyarrow"):
        import pyarrow as pa

        return pa.Table.from_batches([batch])
    return batch


def _read_labels(target: str, series: nw.Series[Any]) -> Labels:
    n_missing = series.null_count()
    if series.dtype.is_float() and not n_missing:
        n_missing = int(np.isnan(series.to_numpy()).sum())
    if n_missing:
        raise ValueError(
            f"target {target!r} has {n_missing} missing values in one batch, and every row needs a class; leave such "
            "rows out, with row_filter for files."
        )
    if series.dtype.is_numeric() or isinstance(series.dtype, nw.Boolean):
        return check_target(np.asarray(series.to_numpy()), len(series))
    texts = read_texts(series)
    if texts is not None:
        return texts
    labels = np.empty(len(series), dtype=object)
    labels[:] = series.to_list()
    odd = next((value for value in labels.tolist() if not isinstance(value, str)), None)
    if odd is not None:
        raise ValueError(
            f"target {target!r} holds values of type {type(odd).__name__}; classes are text, whole numbers or booleans."
        )
    return labels


def _some(names: Sequence[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")
