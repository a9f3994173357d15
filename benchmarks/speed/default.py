"""The default, and the same with the pairs of the tree only, against LightGBM: fit, predict, memory, threads.

Prints Markdown tables. In every round each contender is measured once, in a process of its own, one after the other;
ratios are medians over rounds of those within a round. Times are CPU seconds of one thread; only the gain of a second
thread is measured by the clock, and means something on an idle machine only. "tree" is
GeneralizedNB(interactions="tree", n_fits=1). Memory is the peak beyond what the process held before the fit, table
included, as a multiple of the table.

Usage: default.py [--shapes 1000x20,...] [--rounds 3] [--one-thread] [--python PYTHON], where PYTHON has LightGBM; by
default that of .venv-bench, which is made where it is missing. --one-thread leaves out the gain of a second thread.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from environment import ensure_environment, thread_variables

SHAPES = "1000x20,10000x20,100000x20,1000000x20,10000x200,300x2000"
_SOURCES = Path(__file__).parents[2] / "src"
# Small tables are fitted and predicted again and again for so long, and the median is taken.
_LEAST_SECONDS = 1.0
# From this many rows on, the gain of a second thread is measured.
_ROWS_FOR_THREADS = 100_000
_CONTENDERS = ("LightGBM", "tree", "default")
Measured = dict[str, float]


def main() -> None:
    """Measure all contenders on all shapes and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one-thread", action="store_true")
    parser.add_argument("--python", type=Path)
    arguments = parser.parse_args()
    python = arguments.python or ensure_environment()
    ratios = [f"{name} / LightGBM" for name in _CONTENDERS[1:]]
    memory = [f"{name}, memory" for name in _CONTENDERS]
    _print_head(["shape", "LightGBM fit, s", *ratios, "LightGBM predict, ms", *ratios, *memory])
    gains = {}
    for shape in arguments.shapes.split(","):
        rounds = [_round(python, shape, with_second=not arguments.one_thread) for _ in range(arguments.rounds)]
        name = shape.replace("x", " x ")
        _print_line([name, *_times(rounds, "fit", 1.0), *_times(rounds, "predict", 1e3), *_memory(rounds)])
        if "tree, 2" in rounds[0]:
            gains[name] = [f"{_median(rounds, _gain(contender)):.2f}" for contender in _CONTENDERS]
    if not gains:
        return
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"\nGain of a second thread by the clock (load of the machine: {load}):\n")
    _print_head(["shape", *_CONTENDERS])
    for name, cells in gains.items():
        _print_line([name, *cells])


def _round(python: Path, shape: str, *, with_second: bool) -> dict[str, Measured]:
    """All contenders once."""
    n_rows = int(shape.split("x")[0])
    n_threads = (1, 2) if with_second and n_rows >= _ROWS_FOR_THREADS else (1,)
    return {
        name if n == 1 else f"{name}, 2": _in_process(python, name, shape, n) for name in _CONTENDERS for n in n_threads
    }


def _times(rounds: list[dict[str, Measured]], what: str, scale: float) -> list[str]:
    """LightGBM's time, and the others as shares of it."""
    time_of_rival = scale * _median(rounds, lambda found: found["LightGBM"][what])
    ratios = [_median(rounds, _ratio(name, what)) for name in _CONTENDERS[1:]]
    return [f"{time_of_rival:.3g}", *(f"{ratio:.2f}" for ratio in ratios)]


def _memory(rounds: list[dict[str, Measured]]) -> list[str]:
    return [f"{_median(rounds, lambda found, name=name: found[name]['memory']):.1f}" for name in _CONTENDERS]


def _ratio(name: str, what: str) -> Callable[[dict[str, Measured]], float]:
    return lambda found: found[name][what] / found["LightGBM"][what]


def _gain(name: str) -> Callable[[dict[str, Measured]], float]:
    return lambda found: found[name]["clock"] / found[f"{name}, 2"]["clock"]


def _median(rounds: list[dict[str, Measured]], of_round: Callable[[dict[str, Measured]], float]) -> float:
    return statistics.median(map(of_round, rounds))


def _print_head(cells: list[str]) -> None:
    _print_line(cells)
    _print_line(["---", *["---:"] * (len(cells) - 1)])


def _print_line(cells: list[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def _in_process(python: Path, name: str, shape: str, n_threads: int) -> Measured:
    command = [str(python), __file__, "--measure", name, shape, str(n_threads)]
    variables = thread_variables(n_threads) | {"PYTHONPATH": str(_SOURCES)}
    output = subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout
    found: Measured = json.loads(output)
    return found


def _measure(name: str, shape: str, n_threads: str) -> None:
    """Fit and predict, each until a second has passed, and print the medians."""
    n_rows, n_columns = map(int, shape.split("x"))
    X, y = make_numbers(n_rows, n_columns)
    make = partial(make_classifier, name, int(n_threads))
    corner = X[:100, :5].copy()
    make().fit(corner, y[:100]).predict_proba(corner)
    before = _resident_bytes()
    fitted = make().fit(X, y)
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before) / X.nbytes
    fit, clock = _repeated(lambda: make().fit(X, y))
    predict, _ = _repeated(lambda: fitted.predict_proba(X))
    print(json.dumps({"fit": fit, "clock": clock, "predict": predict, "memory": memory}))


def _repeated(work: Callable[[], Any]) -> tuple[float, float]:
    """Median CPU seconds, and seconds by the clock."""
    seconds, clocks = [], []
    while sum(seconds) < _LEAST_SECONDS:
        start, clock = time.process_time(), time.perf_counter()
        work()
        seconds.append(time.process_time() - start)
        clocks.append(time.perf_counter() - clock)
    return statistics.median(seconds), statistics.median(clocks)


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def make_numbers(n_rows: int, n_columns: int) -> tuple[Any, Any]:
    """Normal numbers; the class depends on all of them, and on the product of two."""
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    score = X @ rng.normal(size=n_columns) + X[:, 0] * X[:, 1] + rng.logistic(size=n_rows)
    return X, (score > 0).astype(int)


def make_classifier(name: str, n_threads: int) -> Any:
    """A contender that is not fitted yet."""
    if name == "LightGBM":
        import lightgbm

        return lightgbm.LGBMClassifier(n_jobs=n_threads, verbose=-1)
    from gnbayes import GeneralizedNB

    settings: dict[str, Any] = {"interactions": "tree", "n_fits": 1} if name == "tree" else {}
    return GeneralizedNB(n_jobs=n_threads, **settings)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        _measure(*sys.argv[2:])
    else:
        main()
