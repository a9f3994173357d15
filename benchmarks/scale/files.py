"""fit_batches on a synthetic Parquet folder: time against merely reading it, and peak memory.

Every step runs in a process of its own. "default fit" is all of `fit_batches` with the default classifier in two
threads: both passes over the files, and those over the codes. Tables: 8 columns of normal numbers, 4 of whole numbers
up to a million, 4 of small whole numbers, 4 of text, and a target of text.
"""

from __future__ import annotations

import argparse
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from gnbayes import GeneralizedNB
from gnbayes.scale import limits_for, make_plan
from gnbayes.scale import out_of_core as fitting
from gnbayes.scale.files import open_files

_ROWS_OF_FILE = 1_000_000
_STEPS = ("read", "features", "count", "default fit")


def main() -> None:
    """Make the folder where it is not there yet, run the steps, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--step", choices=_STEPS)
    arguments = parser.parse_args()
    if arguments.step:
        _step(arguments.step, arguments.folder, arguments.rows)
        return
    _write(arguments.folder, arguments.rows)
    print("| rows | step | seconds | of reading | CPU seconds | of reading | peak MB |\n|---|---|---|---|---|---|---|")
    for rows in (max(_ROWS_OF_FILE, arguments.rows // 10), arguments.rows):
        read = (1.0, 1.0)
        for step in _STEPS:
            command = [sys.executable, __file__, "--rows", str(rows), "--folder", str(arguments.folder), "--step", step]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, cpu, peak = map(float, done.stdout.split())
            read = (seconds, cpu) if step == "read" else read
            print(
                f"| {rows:,} | {step} | {seconds:.1f} | {seconds / read[0]:.0%} "
                f"| {cpu:.1f} | {cpu / read[1]:.0%} | {peak:.0f} |",
                flush=True,
            )


def _step(step: str, folder: Path, rows: int) -> None:
    """One step; features are kept for the counting."""
    paths = [str(path) for path in sorted(folder.glob("*.parquet"))[: rows // _ROWS_OF_FILE]]
    clf = GeneralizedNB("gnb-o", n_bins=5, weighting=None)
    state = folder / f"features-{rows}.pickle"
    start, cpu = time.monotonic(), time.process_time()
    if step == "read":
        for _ in (
            pa.dataset.dataset(paths).scanner(batch_size=2**17, batch_readahead=4, fragment_readahead=1).to_batches()
        ):
            pass
    elif step == "features":
        reader = open_files(paths, "y")
        state.write_bytes(pickle.dumps(fitting._summarize(reader, limits_for(clf), None, lambda _: None, 1)))
    elif step == "default fit":
        fitting.fit_batches(GeneralizedNB(n_jobs=2), paths, "y", cache=folder)
    else:
        plan = make_plan(clf, pickle.loads(state.read_bytes()), "y")
        start, cpu = time.monotonic(), time.process_time()
        fitting._count(open_files(paths, "y"), plan, None, lambda _: None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(time.monotonic() - start, time.process_time() - cpu, peak)


def _write(folder: Path, rows: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(rows // _ROWS_OF_FILE):
        path = folder / f"part-{at:04d}.parquet"
        if path.exists():
            continue
        n, rng = _ROWS_OF_FILE, np.random.default_rng(at)
        y = rng.integers(0, 2, n)
        columns = {f"normal_{j}": rng.normal(size=n) + 0.2 * (j % 5) * y for j in range(8)}
        columns |= {f"whole_{j}": rng.integers(0, 10**6, n) for j in range(4)}
        columns |= {f"small_{j}": rng.integers(0, 8, n).astype(np.int8) for j in range(4)}
        colours = np.array(["red", "green", "blue", "white"])
        columns |= {f"text_{j}": pa.array(colours[rng.integers(0, 4, n)]) for j in range(4)}
        columns["y"] = pa.array(np.array(["no", "yes"])[y])
        pq.write_table(pa.table(columns), path, row_group_size=250_000)


if __name__ == "__main__":
    main()
