"""Run one fit in a process of its own that may use only so much time, and tell what became of it.

Time is that of the processor, also of helper processes: a machine that is busy, or a run that is halted for a while,
changes neither the times nor the limit.
"""

import math
import multiprocessing
import resource
import signal
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

TIME_LIMIT = "time limit"
# Only a process that hangs without working is ended by the clock.
_HANGING_SECONDS = 6 * 3600.0


@dataclass(frozen=True, eq=False)
class Outcome:
    """Probabilities and processor seconds, or, where there are none, the reason in `status`."""

    status: str
    proba: NDArray[np.float64] | None = None
    fit_seconds: float = math.nan
    predict_seconds: float = math.nan


def fit_and_predict(
    fit: Callable[[], Any], predict_proba: Callable[[Any], NDArray[np.float64]], limit: float
) -> Outcome:
    """Fit, then predict, in a fork of this process that may use `limit` seconds of the processor."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(fit, predict_proba, limit, there))
    process.start()
    there.close()
    outcome = _receive(here)
    process.join(10)
    if process.is_alive():
        process.kill()
        process.join()
    return outcome or _failure(process.exitcode)


def _work(
    fit: Callable[[], Any], predict_proba: Callable[[Any], NDArray[np.float64]], limit: float, there: Connection
) -> None:
    seconds = math.ceil(limit)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    warnings.simplefilter("ignore")
    try:
        start = _processor_seconds()
        model = fit()
        fitted = _processor_seconds()
        proba = np.asarray(predict_proba(model), dtype=float)
        done = _processor_seconds()
        there.send(Outcome("done", proba, fitted - start, done - fitted))
    except TimeoutError:
        there.send(Outcome(TIME_LIMIT))
    except Exception as error:
        there.send(Outcome(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"))


def _processor_seconds() -> float:
    # With a limit on the processor, Linux counts time.process_time in steps of 4 ms; this it counts exactly.
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _receive(here: Connection) -> Outcome | None:
    try:
        return here.recv() if here.poll(_HANGING_SECONDS) else None
    except EOFError:
        return None


def _failure(exit_code: int | None) -> Outcome:
    if exit_code == -signal.SIGXCPU:
        return Outcome(TIME_LIMIT)
    if exit_code is not None and exit_code < 0:
        return Outcome(f"killed by {signal.Signals(-exit_code).name}")
    return Outcome(f"exit code {exit_code}")
