"""More rows than memory: batches of a Parquet file through partial_fit, against merely reading them.

Usage: tall.py [ROWS] [COLUMNS], 10,000,000 x 50 by default. Writes a file of codes to a temporary folder, reads it
three times in batches of a million rows, and prints the times and the peak of memory.
"""

import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from synthetic import make_table

from gnbayes import GeneralizedNB

_BATCH_ROWS = 1_000_000


def main() -> None:
    """Write the file, read it, learn from it."""
    n_rows, n_columns = (int(argument) for argument in (sys.argv[1:] + ["10000000", "50"][len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "codes.parquet"
        writer = multiprocessing.get_context("spawn").Process(target=_write, args=(path, n_rows, n_columns))
        writer.start()  # in a process of its own, so that its memory does not count
        writer.join()
        before = _peak()
        reading = _timed(lambda: sum(len(batch) for batch in _batches(path)))
        learning = {n_jobs: _timed(lambda n_jobs=n_jobs: _learn(path, n_jobs)) for n_jobs in (1, 2)}
        print(f"{n_rows} x {n_columns}, Parquet, {path.stat().st_size / 1e6:.0f} MB, batches of {_BATCH_ROWS} rows")
    print(f"reading: {reading:.2f} s")
    for n_jobs, seconds in learning.items():
        share, rate = seconds / reading, n_rows / seconds / 1e6
        print(
            f"reading and partial_fit, {n_jobs} thread(s): {seconds:.2f} s, {share:.2f} x reading, {rate:.2f} M rows/s"
        )
    print(f"peak memory: {_peak():.0f} MB, of which {before:.0f} MB were there before reading")


def _write(path: Path, n_rows: int, n_columns: int) -> None:
    writer = None
    for start in range(0, n_rows, _BATCH_ROWS):
        X, y = make_table(min(_BATCH_ROWS, n_rows - start), n_columns, seed=start)
        columns = {f"x{j}": X[:, j].astype("uint8") for j in range(n_columns)}
        table = pa.table({**columns, "y": y.astype("uint8")})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def _batches(path: Path):
    for batch in pq.ParquetFile(path).iter_batches(_BATCH_ROWS):
        yield pa.Table.from_batches([batch])


def _learn(path: Path, n_jobs: int) -> None:
    clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None, n_jobs=n_jobs)
    for table in _batches(path):
        clf.partial_fit(table.drop_columns("y"), table["y"].to_numpy(), classes=[0, 1])


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
