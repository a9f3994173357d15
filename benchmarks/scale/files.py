"""fit_batches on a synthetic Parquet folder: time against merely reading it, and peak memory.

Every step runs in a process of its own, first with a tenth of the rows, then with all of them; --steps and --whole
leave some out. "default fit" is all of `fit_batches` with the default classifier: both passes over the files, and those
over the codes. Tables: 8 columns of normal numbers, 4 of whole numbers up to a million, 4 of small whole numbers, 4 of
text, and a target of text.

Usage: files.py --folder FOLDER [--rows 3000000] [--steps "read,default fit"] [--whole] [--threads 2]
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
_PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def main() -> None:
    """Make the folder where it is not there yet, run the steps, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--steps", default=",".join(_STEPS), help='"count" needs "features"')
    parser.add_argument("--whole", action="store_true", help="only with all rows")
    parser.add_argument("--threads", type=int, default=2, help="of the default fit")
    parser.add_argument("--measure", choices=_STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        _measure(arguments.measure, arguments.folder, arguments.rows, arguments.threads)
        return
    steps = arguments.steps.split(",")
    if not set(steps) <= set(_STEPS):
        parser.error(f"steps must be among {', '.join(_STEPS)}")
    _write(arguments.folder, arguments.rows)
    print("| rows | step | seconds | of reading | CPU seconds | of reading | peak MB |\n|---|---|---|---|---|---|---|")
    all_rows = (arguments.rows,) if arguments.whole else (max(_ROWS_OF_FILE, arguments.rows // 10), arguments.rows)
    for rows in all_rows:
        read = None
        for step in steps:
            how = ["--rows", str(rows), "--folder", str(arguments.folder), "--threads", str(arguments.threads)]
            command = [sys.executable, __file__, "--measure", step, *how]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, cpu, peak = map(float, done.stdout.split())
            read = (seconds, cpu) if step == "read" else read
            shares = ("-", "-") if read is None else (f"{seconds / read[0]:.0%}", f"{cpu / read[1]:.0%}")
            print(
                f"| {rows:,} | {step} | {seconds:.1f} | {shares[0]} | {cpu:.1f} | {shares[1]} | {peak:.0f} |",
                flush=True,
            )


def _measure(step: str, folder: Path, rows: int, n_threads: int) -> None:
    """One step: seconds, CPU seconds and peak memory, of other processes that it started, too."""
    paths = [str(path) for path in sorted(folder.glob("*.parquet"))[: rows // _ROWS_OF_FILE]]
    clf = GeneralizedNB("gnb-o", n_bins=5, weighting=None)
    state = folder / f"features-{rows}.pickle"
    start, cpu = time.monotonic(), _cpu_seconds()
    if step == "read":
        for _ in (
            pa.dataset.dataset(paths).scanner(batch_size=2**17, batch_readahead=4, fragment_readahead=1).to_batches()
        ):
            pass
    elif step == "features":
        state.write_bytes(pickle.dumps(fitting.summarize_batches(paths, "y", limits_for(clf))))
    elif step == "default fit":
        fitting.fit_batches(GeneralizedNB(n_jobs=n_threads), paths, "y", cache=folder)
    else:
        plan = make_plan(clf, pickle.loads(state.read_bytes()), "y")
        start, cpu = time.monotonic(), _cpu_seconds()
        fitting._count(open_files(paths, "y"), plan, None, lambda _: None)
    peak = sum(resource.getrusage(who).ru_maxrss for who in _PROCESSES) / 1024
    print(time.monotonic() - start, _cpu_seconds() - cpu, peak)


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in _PROCESSES]
    return sum(own.ru_utime + own.ru_stime for own in used)


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
        # A run that is broken off leaves no half of a file behind under its name.
        unfinished = path.with_suffix(".unfinished")
        pq.write_table(pa.table(columns), unfinished, row_group_size=250_000)
        unfinished.replace(path)


if __name__ == "__main__":
    main()
