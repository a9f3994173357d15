"""`gnbayes predict` on a CSV of many gigabytes: time and peak memory of the command."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from gnbayes import GeneralizedNB, save


def main() -> None:
    """Write the table, run the command, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    size = parser.parse_args().gigabytes * 2**30
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 20)).round(4)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    names = [f"feature_{j}" for j in range(20)]
    with tempfile.TemporaryDirectory() as folder:
        table, model, output = (Path(folder) / name for name in ("t.csv", "m.gnb.json", "out.csv"))
        clf = GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(X, y)
        clf.feature_names_in_ = np.array(names, dtype=object)
        clf.features_ = [type(f)(n, f.kind, f.edges, f.means) for n, f in zip(names, clf.features_, strict=True)]
        save(clf, model)
        block = "\n".join(",".join(map(str, row)) for row in X.tolist()) + "\n"
        n_blocks = int(size // len(block)) + 1
        with table.open("w") as file:
            file.write(",".join(names) + "\n")
            for _ in range(n_blocks):
                file.write(block)
        start = time.monotonic()
        command = [str(Path(sys.executable).with_name("gnbayes")), "predict", str(model), str(table), "-o", str(output)]
        subprocess.run(command, check=True)
        seconds = time.monotonic() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{table.stat().st_size / 2**30:.2f} GB, {n_blocks * len(X)} rows: {seconds:.0f} s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
