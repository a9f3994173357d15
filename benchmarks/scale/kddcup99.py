"""kddcup99 (805,050 rows) from its gzipped CSV: one fit against fit_batches; the two models must be the same.

Needs GNBAYES_DATA, the folder of the benchmark data.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from gnbayes import GeneralizedNB, save
from gnbayes.scale import fit_batches
from gnbayes.scale.files import open_dataset

_PATH = Path(os.environ.get("GNBAYES_DATA", "")) / "suite" / "kddcup99.csv.gz"


def main() -> None:
    """Run both in processes of their own, and compare the model files."""
    if len(sys.argv) > 1:
        _run(sys.argv[1], sys.argv[2])
        return
    models = []
    for way in ("fit", "fit_batches"):
        path = Path(os.environ.get("TMPDIR", "/tmp")) / f"kddcup99-{way}.gnb.json"
        done = subprocess.run([sys.executable, __file__, way, str(path)], capture_output=True, text=True, check=True)
        print(f"{way}: {done.stdout.strip()}")
        models.append(path.read_bytes())
        path.unlink()
    print("the two models are", "equal" if models[0] == models[1] else "DIFFERENT")


def _run(way: str, path: str) -> None:
    dataset = open_dataset(_PATH, missing=[""])
    clf = GeneralizedNB("gnb-o", n_bins=5, weighting=None)
    start = time.monotonic()
    if way == "fit_batches":
        fit_batches(clf, dataset, "target")
    else:
        table = dataset.to_table()
        y = np.array(table["target"].to_pylist(), dtype=object)
        clf.fit(pa.table(table.drop_columns(["target"])), y)
    seconds = time.monotonic() - start
    save(clf, path)
    print(
        f"{seconds:.1f} s, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB, {clf.counts_.n} rows"
    )


if __name__ == "__main__":
    main()
