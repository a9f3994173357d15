"""Time of a default fit, and of learning its tables, against LightGBM's defaults, in turn; one thread each.

Prints a Markdown table of CPU seconds: medians over rounds in which every contender is measured once, in a process of
its own. `--before SRC` also measures gnbayes as it stands in another folder of sources (with its kernels built).

Usage: default.py [--shapes 1000x20,...] [--rounds 3] [--before SRC]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from environment import ensure_environment, thread_variables

SHAPES = "1000x20,10000x20,100000x20,1000000x20,10000x200,300x2000"
_SOURCES = Path(__file__).parents[2] / "src"
# Fits of small tables are repeated, and their median taken.
_LEAST_SECONDS = 1.0


def main() -> None:
    """Measure all contenders on all shapes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", type=Path)
    arguments = parser.parse_args()
    contenders = {"LightGBM": _SOURCES, "before": arguments.before, "gnbayes": _SOURCES}
    contenders = {name: sources for name, sources in contenders.items() if sources}
    heads = ["shape", *(f"{name}, s" for name in contenders), "tables, s", "gnbayes / LightGBM"]
    print(_line(heads), _line(["---", *["---:"] * (len(heads) - 1)]), sep="\n", flush=True)
    for shape in arguments.shapes.split(","):
        rounds = [
            {name: _in_process(name, shape, sources) for name, sources in contenders.items()}
            for _ in range(arguments.rounds)
        ]
        print(_line(_cells(shape, rounds)), flush=True)


def _cells(shape: str, rounds: list[dict[str, dict[str, float]]]) -> list[str]:
    fits = [f"{statistics.median(times[name]['fit'] for times in rounds):.3f}" for name in rounds[0]]
    tables = statistics.median(times["gnbayes"]["tables"] for times in rounds)
    ratio = statistics.median(times["gnbayes"]["fit"] / times["LightGBM"]["fit"] for times in rounds)
    return [shape.replace("x", " x "), *fits, f"{tables:.3f}", f"{ratio:.2f}"]


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _in_process(name: str, shape: str, sources: Path) -> dict[str, float]:
    command = [str(ensure_environment()), __file__, "--measure", name, shape]
    variables = thread_variables(1) | {"PYTHONPATH": str(sources)}
    output = subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def _measure(name: str, shape: str) -> None:
    """Fit until a second has passed, and print the medians."""
    n_rows, n_columns = map(int, shape.split("x"))
    X, y = _table(n_rows, n_columns)
    fit, seconds_of_tables = _lightgbm() if name == "LightGBM" else _gnbayes()
    fit(X[:100, :5].copy(), y[:100])
    fits, tables = [], []
    while not fits or sum(fits) < _LEAST_SECONDS:
        before, start = seconds_of_tables(), time.process_time()
        fit(X, y)
        fits.append(time.process_time() - start)
        tables.append(seconds_of_tables() - before)
    print(json.dumps({"fit": statistics.median(fits), "tables": statistics.median(tables)}))


def _table(n_rows: int, n_columns: int) -> tuple[Any, Any]:
    """Normal numbers; the class depends on all of them, and on the product of two."""
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    score = X @ rng.normal(size=n_columns) + X[:, 0] * X[:, 1] + rng.logistic(size=n_rows)
    return X, (score > 0).astype(int)


def _lightgbm() -> tuple[Any, Any]:
    import lightgbm

    return lambda X, y: lightgbm.LGBMClassifier(n_jobs=1, verbose=-1).fit(X, y), lambda: 0.0


def _gnbayes() -> tuple[Any, Any]:
    """The fit, and a clock of the seconds that learning the tables took so far."""
    import importlib

    from gnbayes import GeneralizedNB

    total = 0.0

    def timed(function: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal total
            start = time.process_time()
            result = function(*arguments, **options)
            total += time.process_time() - start
            return result

        return call

    for module, name in (("model.fitting.tree", "learn_terms"), ("learning", "learn_weights")):
        try:
            owner = importlib.import_module(f"gnbayes.{module}")
        except ModuleNotFoundError:
            continue
        setattr(owner, name, timed(getattr(owner, name)))
        break
    return lambda X, y: GeneralizedNB().fit(X, y), lambda: total


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if sys.argv[1:2] == ["--measure"]:
        _measure(*sys.argv[2:])
    else:
        main()
