"""Fit and predict on a Spark DataFrame; rows come to Python as Arrow batches (mapInArrow)."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gnbayes.estimator import GeneralizedNB
from gnbayes.scale.blocks import MAX_BYTES
from gnbayes.scale.cluster import JOBS_AT_ONCE, check_frame, fit_on
from gnbayes.scale.prediction import prediction_of

# Names of NumPy's types in Spark and Arrow.
_TYPES = {
    "b": ("boolean", "bool"),
    "i": ("long", "int64"),
    "u": ("long", "int64"),
    "f": ("double", "double"),
    "O": ("string", "string"),
    "U": ("string", "string"),
}
# Rows or bytes counted at a time; Spark's own batches are small.
_ROWS_AT_ONCE = 2**18
_BYTES_AT_ONCE = 2**26
# Maximum number of messages to the driver: if all have the maximum size, half of Spark's limit of 1 GiB.
_AT_DRIVER = JOBS_AT_ONCE
_MESSAGE = "job int, slot int, part int, value binary"
# The job number that marks an error.
_REFUSED = -1


def fit_spark(clf: GeneralizedNB, frame: Any, target: str, *, max_bytes: int = MAX_BYTES) -> GeneralizedNB:
    """Fit a classifier to a Spark DataFrame without moving its rows: bit-identical to one `fit`.

    Python workers receive the rows as Arrow batches. They send summaries of columns in a first pass over the rows, and
    counts in a second one; these are added up after a shuffle, and finally on the driver, where the tree and the
    probabilities are learned. Weights are also learned from all rows: executors keep the codes of their rows, in memory
    or on disk, and send sums in about twenty further passes over them. Tasks return values and have no side effects (no
    accumulators), so a task that runs twice counts once.

    Parameters
    ----------
    clf : GeneralizedNB
        Its parameters determine what is learned. With `weighting` a sample of rows is also sent.
    frame : pyspark.sql.DataFrame
        Every column except the target is a feature. It is computed twice, and more often if it is wide: cache it if it
        fits into the memory of the cluster.
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
    Not run here: it needs Spark and Java.

    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> frame = SparkSession.builder.getOrCreate().read.parquet("patients")  # doctest: +SKIP
    >>> clf = fit_spark(GeneralizedNB(), frame, "disease")  # doctest: +SKIP
    """
    check_frame(frame, "pyspark.sql.DataFrame", "mapInArrow", target)
    return fit_on(_SparkRows(frame), clf, frame.columns, target, max_bytes)


class _SparkRows:
    """A frame whose rows are processed by Python workers."""

    def __init__(self, frame: Any, read: Callable[[Iterator[Any]], Iterable[Any]] | None = None) -> None:
        self._frame, self._read = frame, read or _chunks

    def gather(
        self,
        prepare: Callable[[Any], Any],
        work: Callable[[Any, Any], Any],
        jobs: Sequence[Any],
        merge: Callable[[Any, Any], Any],
    ) -> list[Any]:
        # Values of partitions are merged in slots, and those of slots here.
        n_slots, read = max(1, _AT_DRIVER // len(jobs)), self._read

        def by_partition(batches: Iterator[Any]) -> Iterator[Any]:
            from pyspark import TaskContext

            prepared = map(prepare, read(batches))
            values = ((number, work(rows, job)) for rows in prepared for number, job in enumerate(jobs))
            try:
                merged = _merged(merge, values)
            except (TypeError, ValueError) as error:
                # A retry would not help, and Spark would bury the reason in a long traceback.
                merged = {_REFUSED: error}
            part = TaskContext.get().partitionId()
            yield from _messages(merged, part % n_slots, part)

        def by_slot(batches: Iterator[Any]) -> Iterator[Any]:
            rows = (row for batch in batches for row in batch.to_pylist())
            yield from _messages(_merged(merge, _values(rows)), 0, 0)

        found = _map_in_arrow(self._frame, by_partition, _MESSAGE)
        # A shuffle returns values in any order; of several errors, the same one is always raised.
        in_order = found.repartition("job", "slot").sortWithinPartitions("job", "part")
        messages = _map_in_arrow(in_order, by_slot, _MESSAGE)
        values = _merged(merge, _values(messages.collect()))
        if _REFUSED in values:
            raise values[_REFUSED]
        return [values.get(number) for number in range(len(jobs))]

    @contextmanager
    def keep(self, prepare: Callable[[Any], Any]) -> Iterator[_SparkRows]:
        """Prepared batches in the memory and on the disks of the executors; lost ones are computed again."""

        def prepared(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow as pa

            for chunk in _chunks(batches):
                yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(prepare(chunk))], pa.binary())], ["rows"])

        frame = _map_in_arrow(self._frame, prepared, "rows binary").persist()
        try:
            yield _SparkRows(frame, _unpickled)
        finally:
            frame.unpersist()


def _unpickled(batches: Iterator[Any]) -> Iterator[Any]:
    return (pickle.loads(row) for batch in batches for row in batch.column(0).to_pylist())


def _merged(merge: Callable[[Any, Any], Any], values: Iterable[tuple[int, Any]]) -> dict[int, Any]:
    """One value per job; the first error if there are several."""
    merged: dict[int, Any] = {}
    for job, value in values:
        if job not in merged:
            merged[job] = value
        elif job != _REFUSED:
            merged[job] = merge(merged[job], value)
    return merged


def _messages(values: dict[int, Any], slot: int, part: int) -> Iterator[Any]:
    """Values as Arrow rows, each in a batch of its own."""
    import pyarrow as pa

    schema = pa.schema([(name, pa.int32()) for name in ("job", "slot", "part")] + [("value", pa.binary())])
    for job, value in values.items():
        yield pa.RecordBatch.from_arrays([[job], [slot], [part], [pickle.dumps(value)]], schema=schema)


def _values(rows: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    return ((row["job"], pickle.loads(row["value"])) for row in rows)


def _chunks(batches: Iterable[Any]) -> Iterator[Any]:
    """Combine batches into larger tables; none if there are no rows."""
    import pyarrow as pa

    held: list[Any] = []
    n_rows = n_bytes = 0
    for batch in batches:
        held.append(batch)
        n_rows, n_bytes = n_rows + batch.num_rows, n_bytes + batch.nbytes
        if n_rows >= _ROWS_AT_ONCE or n_bytes >= _BYTES_AT_ONCE:
            yield pa.Table.from_batches(held)
            held, n_rows, n_bytes = [], 0, 0
    if n_rows:
        yield pa.Table.from_batches(held)


def predict_spark(clf: GeneralizedNB, frame: Any, method: str = "predict") -> Any:
    """Classes or probabilities of every row, computed without moving the rows.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted to a data frame, anywhere.
    frame : pyspark.sql.DataFrame
        Contains the columns on which `clf` was fitted.
    method : {"predict", "predict_proba"}, default="predict"

    Returns
    -------
    frame : pyspark.sql.DataFrame
        Lazy: all columns of `frame`, and the class of each row in "prediction", or one column "probability of ..." per
        class.

    Examples
    --------
    Not run here: it needs Spark and Java.

    >>> predict_spark(clf, frame, "predict_proba").show(3)  # doctest: +SKIP
    """
    import pyarrow as pa
    from pyspark.sql.types import StructType

    prediction = prediction_of(clf, frame.columns, method)
    spark_type, arrow_type = _TYPES[prediction.example.dtype.kind]
    taken = [name for name in prediction.gives if name in frame.columns]
    if taken:
        raise ValueError(f"frame has a column {taken[0]!r} already; rename or drop it.")

    def predict_part(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows:
                values = prediction.of(pa.Table.from_batches([batch.select(prediction.reads)]))
                columns = [pa.array(column, arrow_type) for column in values.reshape(len(values), -1).T]
                names = [*batch.schema.names, *prediction.gives]
                yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names=names)

    schema = StructType(list(frame.schema.fields))
    for name in prediction.gives:
        schema.add(name, spark_type)
    return _map_in_arrow(frame, predict_part, schema)


def _map_in_arrow(frame: Any, function: Callable[[Iterator[Any]], Iterator[Any]], schema: Any) -> Any:
    with warnings.catch_warnings():
        # PySpark warns about pandas 3 whenever a Python function is created; this one does not use pandas.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return frame.mapInArrow(function, schema)
