"""Tables with more columns than rows: time and memory of a fit, each in a process of its own.

Usage: wide.py [--default] [TABLE ...], where TABLE is ROWSxCOLUMNS (3 values) or the name of a table of the suite in
GNBAYES_DATA. Prints a Markdown table: seconds of the counted model, by the clock, with one thread and with two; with
--default CPU seconds of GeneralizedNB(), one thread, on five tables of genes.
"""

import os
import subprocess
import sys
from pathlib import Path

TABLES = ("500x2000", "500x10000", "colon", "leukemia_golub", "lung_gordon", "prostate_singh")
GENES = ("colon", "srbct_khan", "leukemia_golub", "prostate_singh", "lung_gordon")
_FIT = """
import resource, sys, time
import numpy as np
from gnbayes import GeneralizedNB
name, n_jobs, is_default = sys.argv[1], int(sys.argv[2]), sys.argv[4] == "True"
if name[0].isdigit():
    n, d = map(int, name.split("x"))
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = ((rng.integers(0, 3, (n, d)) + y[:, None] * (rng.random((n, d)) < 0.2)) % 3).astype(np.uint8)
else:
    import pandas as pd
    frame = pd.read_csv(f"{sys.argv[3]}/suite/{name}.csv.gz")
    X, y = frame.iloc[:, :-1].to_numpy(), frame.iloc[:, -1].to_numpy()
settings = {} if is_default else {"structure": "gnb-a", "n_bins": 5, "weighting": None}
clock = time.process_time if is_default else time.perf_counter
GeneralizedNB(**settings).fit(X[:, :5], y)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = clock()
GeneralizedNB(**settings, n_jobs=n_jobs).fit(X, y)
seconds = clock() - start
beyond = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
print(f"| {name} | {X.shape[0]} x {X.shape[1]} | {n_jobs} | {seconds:.2f} s | {beyond:.0f} |")
"""


def main() -> None:
    """Fit every table with one thread, and the counted model also with two."""
    is_default = sys.argv[1:2] == ["--default"]
    tables = sys.argv[1 + is_default :] or (GENES if is_default else TABLES)
    print("| table | shape | threads | fit | peak beyond input (MB) |", "| --- | --- | ---: | ---: | ---: |", sep="\n")
    folder = os.environ.get("GNBAYES_DATA", "")
    for table in tables:
        if not table[0].isdigit() and not (Path(folder) / "suite" / f"{table}.csv.gz").exists():
            print(f"{table}: not there; set GNBAYES_DATA to the folder of the suite", file=sys.stderr)
            continue
        for n_jobs in ("1",) if is_default else ("1", "2"):
            subprocess.run([sys.executable, "-c", _FIT, table, n_jobs, folder, str(is_default)], check=True)


if __name__ == "__main__":
    main()
