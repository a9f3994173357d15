"""Fit and predict on a dask.dataframe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from numpy.typing import NDArray

from gnbayes.estimator import GeneralizedNB
from gnbayes.scale.blocks import MAX_BYTES
from gnbayes.scale.cluster import check_frame, fit_on, merge_present
from gnbayes.scale.prediction import Prediction, prediction_of

# Number of messages merged by one task.
_FAN_IN = 8


def fit_dask(clf: GeneralizedNB, frame: Any, target: str, *, max_bytes: int = MAX_BYTES) -> GeneralizedNB:
    """Fit a classifier to a dask.dataframe without moving its rows: bit-identical to one `fit`.

    Workers send summaries of columns in a first pass over the rows, and counts in a second one; workers add them up,
    eight at a time. The tree and the probabilities are learned on the driver. Weights are also learned from all rows:
    workers keep the codes of their rows, and send sums in about twenty further passes over them. Tasks return values
    and have no side effects, so a task that runs twice, after the loss of a worker, counts once.

    Parameters
    ----------
    clf : GeneralizedNB
        Its parameters determine what is learned. With `weighting` a sample of rows is also sent.
    frame : dask.dataframe.DataFrame
        Every column except the target is a feature. It is computed twice, and more often if it is wide: persist it if
        it fits into the memory of the cluster.
    target : str
        The column of the classes.
    max_bytes : int, default=67,108,864
        No message has more bytes of numbers or counts than this: counts of more pairs are sent in blocks, and numbers
        of more columns in groups. If it is so small that a column has to be summarized by fewer numbers than in `fit`,
        its cuts may differ from those of `fit`. Sums for weights have one number for each entry of the tables.

    Returns
    -------
    clf : GeneralizedNB
        The same object, fitted.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import fit_dask, predict_dask
    >>> frame = dd.from_pandas(load_iris(as_frame=True).frame, npartitions=3)
    >>> clf = fit_dask(GeneralizedNB(weighting=None), frame, "target")
    >>> clf.counts_.n
    150
    >>> predict_dask(clf, frame).compute().iloc[[0, 60, 120]].tolist()
    [0, 1, 2]
    """
    check_frame(frame, "dask.dataframe.DataFrame", "to_delayed", target)
    return fit_on(_DaskRows(frame.to_delayed()), clf, list(frame.columns), target, max_bytes)


class _DaskRows:
    """The partitions of a frame."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._parts = parts

    def gather(
        self,
        prepare: Callable[[Any], Any],
        work: Callable[[Any, Any], Any],
        jobs: Sequence[Any],
        merge: Callable[[Any, Any], Any],
    ) -> list[Any]:
        import dask

        # Data needed by many tasks is a task of its own, so that it is sent to each worker only once.
        once = partial(dask.delayed, traverse=False)
        work_on_part, prepared = dask.delayed(_work_on_part), self._prepared(prepare)
        work = once(work)
        values = [_tree(merge, [work_on_part(work, rows, job) for rows in prepared]) for job in map(once, jobs)]
        return list(dask.compute(*values))

    @contextmanager
    def keep(self, prepare: Callable[[Any], Any]) -> Iterator[_DaskRows]:
        """Prepared partitions in the memory of the workers; lost ones are computed again."""
        import dask

        yield _PreparedRows(dask.persist(*self._prepared(prepare)))

    def _prepared(self, prepare: Callable[[Any], Any]) -> Sequence[Any]:
        import dask

        prepare_part, once = dask.delayed(_prepare_part), dask.delayed(prepare, traverse=False)
        return [prepare_part(once, part) for part in self._parts]


class _PreparedRows(_DaskRows):
    """Partitions that are already prepared; None for empty ones."""

    def _prepared(self, prepare: Callable[[Any], Any]) -> Sequence[Any]:
        return self._parts


def _tree(merge: Callable[[Any, Any], Any], values: list[Any]) -> Any:
    """Merge the values of all partitions, a few in each task."""
    import dask

    merged = dask.delayed(merge_present)
    while len(values) > 1:
        values = [merged(merge, values[start : start + _FAN_IN]) for start in range(0, len(values), _FAN_IN)]
    return values[0]


def _prepare_part(prepare: Callable[[Any], Any], part: Any) -> Any:
    return prepare(_as_arrow(part)) if len(part) else None


def _as_arrow(part: Any) -> Any:
    """A pandas frame as an Arrow table, whose text is read ten times as fast, if it contains only numbers and text."""
    import pandas as pd
    import pyarrow as pa

    types = [dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype for dtype in part.dtypes]
    is_plain = all(dtype.kind in "biuf" or isinstance(dtype, pd.StringDtype) for dtype in types)
    has_names = all(isinstance(key, str) for key in part)
    return pa.Table.from_pandas(part, preserve_index=False) if is_plain and has_names else part


def _work_on_part(work: Callable[[Any, Any], Any], rows: Any, job: Any) -> Any:
    return None if rows is None else work(rows, job)


def predict_dask(clf: GeneralizedNB, frame: Any, method: str = "predict") -> Any:
    """Classes or probabilities of every row, computed without moving the rows.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted to a data frame, anywhere.
    frame : dask.dataframe.DataFrame
        With the columns to which `clf` was fitted; others are ignored.
    method : {"predict", "predict_proba"}, default="predict"

    Returns
    -------
    prediction : dask.dataframe.Series or DataFrame
        Lazy, with the partitions and the index of `frame`: the class of each row, named "prediction", or one column
        "probability of ..." per class.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import predict_dask
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> predict_dask(clf, dd.from_pandas(X, npartitions=3)).compute().iloc[[0, 60, 120]].tolist()
    [0, 1, 2]
    """
    import dask

    prediction = prediction_of(clf, list(frame.columns), method)
    rows = frame[prediction.reads]
    meta = _as_pandas(prediction, prediction.example, range(len(clf.classes_))).iloc[:0].set_axis(rows._meta.index)
    return rows.map_partitions(_predict_part, dask.delayed(prediction, traverse=False), meta, meta=meta)


def _predict_part(rows: Any, prediction: Prediction, nothing: Any) -> Any:
    return _as_pandas(prediction, prediction.of(_as_arrow(rows)), rows.index) if len(rows) else nothing


def _as_pandas(prediction: Prediction, values: NDArray[Any], index: Any) -> Any:
    import pandas as pd

    if prediction.method == "predict":
        return pd.Series(values, index=index, name=prediction.gives[0])
    return pd.DataFrame(values, index=index, columns=prediction.gives)
