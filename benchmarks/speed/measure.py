"""Measure one rival on one shape, in a process of its own; prints one JSON line a phase.

Usage: measure.py RIVAL ROWS COLUMNS LIMIT PHASES, where PHASES is "fit" or "fit,predict_proba". A phase that takes
longer than LIMIT seconds ends the process by SIGALRM.
"""

import importlib
import json
import resource
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from synthetic import make_table

_MAX_REPEATS = 500
_MAX_REPEAT_SECONDS = 5.0


def main() -> None:
    """Make the data, warm up, and measure the phases asked for."""
    name, n_rows, n_columns, limit, phases = sys.argv[1:]
    rival = importlib.import_module(f"rivals.{name}")
    X, y = make_table(int(n_rows), int(n_columns))
    _warm_up(rival, X, y)
    data = rival.prepare(X, y)
    del X, y
    before = _resident_bytes()
    model = _measure("fit", lambda: rival.fit(data), float(limit), before)
    if "predict_proba" in phases.split(","):
        _measure("predict_proba", lambda: _checked(rival.predict_proba(model, data)), float(limit), before)


def _warm_up(rival: Any, X: Any, y: Any) -> None:
    """Load what is loaded at the first call, on a corner of the table."""
    data = rival.prepare(X[:100, :5].copy(), y[:100])
    rival.predict_proba(rival.fit(data), data)


def _measure(phase: str, work: Callable[[], Any], limit: float, before: int) -> Any:
    """Print the median time and the peak so far; return the last result.

    Repeats stop at a quarter of the limit, so that only a single run can exceed it.
    """
    seconds: list[float] = []
    result = None
    signal.setitimer(signal.ITIMER_REAL, limit)
    while len(seconds) < _MAX_REPEATS and sum(seconds) < min(_MAX_REPEAT_SECONDS, limit / 4):
        result = None  # one result at a time in memory
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    signal.setitimer(signal.ITIMER_REAL, 0)
    _print(phase=phase, seconds=statistics.median(seconds), repeats=len(seconds), peak=_peak_bytes(), before=before)
    return result


def _checked(proba: Any) -> None:
    if not np.isfinite(proba).all() or not np.allclose(np.sum(proba, axis=1), 1):
        raise ArithmeticError("the probabilities do not sum to 1")


def _peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _resident_bytes() -> int:
    """Memory in use now; the peak so far where the system does not tell."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return _peak_bytes()
    return int(statm.read_text().split()[1]) * resource.getpagesize()


def _print(**line: Any) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        _print(error=type(error).__name__, message=str(error))
        sys.exit(1)
