"""The default on numbers and text as rows grow, in memory and from files: log-loss on new rows, CPU seconds, memory.

Rows: seven columns, of which two are normal numbers, one is a whole number, one an amount with gaps, and three are text
of 2, 6 and 1,000 values; three classes, one of them rare. Every fit runs in a process of its own, with one thread.
"in memory" is `fit` on a pandas table; "from files" is `fit_batches` on a Parquet folder of the same rows. "rare" is
the log-loss on new rows of the rare class. "difference" is the largest one between the probabilities of the two.

Usage: mixed_rows.py [--rows 100000,1000000,3000000]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gnbayes import GeneralizedNB
from gnbayes.scale import fit_batches

_NEW_ROWS, _ROWS_OF_PART = 200_000, 250_000
_CLASSES = np.array(["often", "seldom", "rare"])
_HEADS = ("rows", "fit", "log-loss", "best possible", "rare", "CPU s", "s", "peak MB", "of which table", "difference")


def main() -> None:
    """Run all fits and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="100000,1000000,3000000")
    arguments = parser.parse_args()
    print(_line(_HEADS), _line(["---:"] * len(_HEADS)), sep="\n", flush=True)
    for n in map(int, arguments.rows.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            for start in range(0, n, _ROWS_OF_PART):
                make_rows(start, min(n, start + _ROWS_OF_PART))[0].to_parquet(f"{folder}/part-{start:09d}.parquet")
            first = None
            for how in ("in memory", "from files"):
                found = _in_process(how, folder)
                proba = np.load(f"{folder}/{how}.npy")
                first = proba if first is None else first
                numbers = [f"{found[name]:.{digits}f}" for name, digits in (("loss", 4), ("best", 4), ("rare", 3))]
                numbers += [f"{found[name]:.1f}" for name in ("cpu", "seconds")]
                numbers += [f"{found[name]:.0f}" for name in ("peak", "table")]
                print(_line([f"{n:,}", how, *numbers, f"{np.abs(proba - first).max():.0e}"]), flush=True)


def _line(cells: Any) -> str:
    return "| " + " | ".join(cells) + " |"


def _in_process(how: str, folder: str) -> dict[str, float]:
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--measure", how, folder]
    done = subprocess.run(command, env=os.environ | alone, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _measure(how: str, folder: str) -> None:
    before, clf = _peak(), GeneralizedNB()
    paths = sorted(Path(folder).glob("*.parquet"))
    table = None if how == "from files" else pd.concat([pd.read_parquet(path) for path in paths], ignore_index=True)
    n_bytes = 0 if table is None else table.memory_usage(deep=True).sum()
    X, y = (None, None) if table is None else (table.drop(columns="class"), table["class"])
    start, cpu = time.monotonic(), time.process_time()
    if table is None:
        fit_batches(clf, paths, "class")
    else:
        clf.fit(X, y)
    seconds, cpu, peak = time.monotonic() - start, time.process_time() - cpu, _peak() - before
    new, best = make_rows(10**9, 10**9 + _NEW_ROWS)
    proba = clf.predict_proba(new.drop(columns="class"))
    np.save(f"{folder}/{how}.npy", proba)
    label = np.searchsorted(clf.classes_, new["class"])
    is_rare, ours, theirs = (new["class"] == "rare").to_numpy(), _loss(proba, label), best[:, np.argsort(_CLASSES)]
    found = {"loss": ours.mean(), "best": _loss(theirs, label).mean(), "rare": ours[is_rare].mean()}
    told = found | {"cpu": cpu, "seconds": seconds, "peak": peak, "table": n_bytes / 2**20}
    print(json.dumps({name: float(value) for name, value in told.items()}))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _loss(proba: NDArray[np.float64], label: NDArray[np.intp]) -> NDArray[np.float64]:
    return -np.log(proba[np.arange(len(label)), label])


def make_rows(start: int, stop: int) -> tuple[pd.DataFrame, NDArray[np.float64]]:
    """Rows with their classes, the same for the same numbers, and the probabilities of `_CLASSES`."""
    rng, n = np.random.default_rng(start), stop - start
    normal, age = rng.normal(size=(n, 2)), rng.integers(18, 96, n)
    amount = rng.lognormal(4.0, 1.0, n).round(2)
    amount[rng.random(n) < 0.1] = np.nan
    colour, place = rng.integers(0, 6, n), np.minimum(rng.zipf(1.3, n), 1000) - 1
    is_member = rng.random(n) < 0.4
    of_place = np.sin(np.arange(1000.0))[place]
    score = np.sin(2 * normal[:, 0]) + normal[:, 1] * (colour - 2.5) / 3 + of_place * np.where(is_member, 1.0, 0.3)
    score += np.where(np.isnan(amount), 0.5, np.log(np.nan_to_num(amount, nan=1.0)) / 4)
    rare = -9.0 + 0.05 * age + 2.0 * (colour == 3) + normal[:, 0]
    odds = np.exp(np.column_stack([np.zeros(n), score - 1.0, rare]))
    proba = odds / odds.sum(axis=1, keepdims=True)
    label = (rng.random((n, 1)) > np.cumsum(proba, axis=1)[:, :2]).sum(axis=1)
    columns = {"first": normal[:, 0], "second": normal[:, 1], "age": age, "amount": amount}
    texts = {"colour": np.array(["red", "green", "blue", "white", "black", "grey"])[colour]}
    texts["place"] = np.array([f"place {at:03d}" for at in range(1000)])[place]
    texts["member"] = np.where(is_member, "yes", "no")
    return pd.DataFrame(columns | texts | {"class": _CLASSES[label]}), proba


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        _measure(*sys.argv[2:4])
    else:
        main()
