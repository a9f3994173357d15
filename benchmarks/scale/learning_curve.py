"""Log-loss on new rows, and CPU seconds, of GeneralizedNB and LightGBM as the rows to learn from grow; one thread each.

Rows: 20 columns, of which 12 are normal, 4 small whole numbers and 4 skewed; the class depends on waves of some, on
products of others, and on chance. LightGBM has its defaults, and 100 trees as by these. Every fit runs in a process of
its own. Both learn from the same rows and predict the same 200,000 new ones.

Usage: learning_curve.py [--rows 10000,100000,1000000,10000000]
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "speed"))
from environment import ensure_environment, thread_variables

_NEW_ROWS = 200_000
_SOURCES = Path(__file__).parents[2] / "src"


def main() -> None:
    """Run all fits and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="10000,100000,1000000,10000000")
    parser.add_argument("--contenders", default="gnbayes,LightGBM")
    arguments = parser.parse_args()
    names = arguments.contenders.split(",")
    best = _loss(*_best_possible())
    print(f"Log-loss of the probabilities from which the classes were drawn: {best:.4f}\n")
    heads = ["rows", *(f"{name} {what}" for name in names for what in ("log-loss", "CPU s", "peak / table"))]
    print(_line(heads), _line(["---:"] * len(heads)), sep="\n", flush=True)
    for n in map(int, arguments.rows.split(",")):
        found = [_in_process(name, n) for name in names]
        cells = [f"{one['loss']:.4f} | {one['seconds']:.1f} | {one['memory']:.1f}" for one in found]
        print(_line([f"{n:,}", *cells]), flush=True)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _in_process(name: str, n: int) -> dict[str, float]:
    command = [str(ensure_environment()), __file__, "--measure", name, str(n)]
    variables = thread_variables(1) | {"PYTHONPATH": str(_SOURCES)}
    return json.loads(subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout)


def _measure(name: str, n: int) -> None:
    X, y, _ = make_rows(n, 0)
    if name == "LightGBM":
        import lightgbm

        clf: Any = lightgbm.LGBMClassifier(n_jobs=1, verbose=-1)
    else:
        from gnbayes import GeneralizedNB

        clf = GeneralizedNB()
    clf.fit(X[:200], y[:200])
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    clf.fit(X, y)
    seconds = time.process_time() - start
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / X.nbytes
    new, classes, _ = make_rows(_NEW_ROWS, 1)
    print(json.dumps({"loss": _loss(classes, clf.predict_proba(new)[:, 1]), "seconds": seconds, "memory": 1 + peak}))


def make_rows(n: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Rows, their classes, and the probabilities from which these were drawn."""
    rng = np.random.default_rng(seed)
    X = np.empty((n, 20))
    score = np.empty(n)
    for start in range(0, n, 200_000):
        part = X[start : start + 200_000]
        part[:, :12] = rng.normal(size=(len(part), 12))
        part[:, 12:16] = rng.integers(0, [3, 6, 12, 24], (len(part), 4))
        part[:, 16:] = rng.lognormal(size=(len(part), 4))
        score[start : start + 200_000] = (
            np.sin(2 * part[:, 0])
            + 0.7 * part[:, 1]
            - 0.5 * np.abs(part[:, 2])
            + 0.6 * part[:, 3] * part[:, 4]
            + np.where(part[:, 5] > 0.5, 1.0, -0.4) * (part[:, 12] - 1)
            + 0.5 * np.cos(part[:, 14] * part[:, 6])
            + 0.4 * np.log(part[:, 16])
            - 0.8 * (part[:, 17] > 2) * (part[:, 7] > 0)
        )
    proba = 1 / (1 + np.exp(-score))
    return X, (rng.random(n) < proba).astype(np.int64), proba


def _best_possible() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    _, y, proba = make_rows(_NEW_ROWS, 1)
    return y, proba


def _loss(y: NDArray[np.int64], proba: NDArray[np.float64]) -> float:
    return float(-np.log(np.where(y == 1, proba, 1 - proba)).mean())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        _measure(sys.argv[2], int(sys.argv[3]))
    else:
        main()
