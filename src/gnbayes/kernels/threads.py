"""Work in threads: the kernels release the GIL, so threads run in parallel."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from gnbayes.kernels.helpers import helpers_of

Item = TypeVar("Item")
Result = TypeVar("Result")
# Starting threads takes about as long as processing this many values.
_LEAST_VALUES = 2**20


def for_each(function: Callable[[Item], None], items: Iterable[Item], n_threads: int) -> None:
    """Call a function on every item, in threads if there are several.

    Examples
    --------
    >>> from gnbayes.kernels import for_each
    >>> seen = []
    >>> for_each(seen.append, range(5), n_threads=2)
    >>> sorted(seen)
    [0, 1, 2, 3, 4]
    """
    if n_threads == 1:
        for item in items:
            function(item)
        return
    waiting = deque(items)

    def work() -> None:
        while waiting:
            try:
                item = waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            function(item)

    helpers = [helpers_of(n_threads).begin(work, is_part=True) for _ in range(n_threads - 1)]
    try:
        work()
    finally:
        waiting.clear()
        # A helper that has not begun has nothing left to do: nobody waits for a thread that others keep busy.
        errors = [helper.exception() for helper in helpers if not helper.cancel()]
    for error in errors:
        if error is not None:
            raise error


@contextmanager
def followers(follow: Callable[[], object], end: Callable[[], None], n_threads: int) -> Iterator[None]:
    """While a block runs, have the same call made by all other threads that are free; `end` has to make it return.

    Nobody waits for these threads to return: what they do after the end must not matter. While they wait for work, they
    keep a core busy, so there are never more of them than cores.

    Examples
    --------
    >>> from threading import Event
    >>> from gnbayes.kernels import followers
    >>> is_over = Event()
    >>> with followers(is_over.wait, is_over.set, n_threads=2):
    ...     sum(range(5))
    10
    >>> is_over.is_set()
    True
    """
    helpers = [helpers_of(n_threads).begin(follow, is_part=True) for _ in range(min(n_threads, n_cores()) - 1)]
    try:
        yield
    finally:
        end()
        for helper in helpers:
            helper.cancel()


def n_cores() -> int:
    """Cores that this process may use.

    Examples
    --------
    >>> from gnbayes.kernels import n_cores
    >>> n_cores() > 0
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def beside(function: Callable[[], Result], n_threads: int) -> Callable[[], Result]:
    """Begin a piece of work in another thread, if there is more than one; returns a function that gets its result.

    If no other thread has begun it by then, that function does the work itself.

    Examples
    --------
    >>> from gnbayes.kernels import beside
    >>> total = beside(lambda: sum(range(5)), n_threads=2)
    >>> total()
    10
    """
    if n_threads == 1:
        return function
    helpers = helpers_of(n_threads)
    future = helpers.begin(function)
    return lambda: function() if future.cancel() else helpers.result(future)


def ranges(n: int, size: int) -> Iterator[tuple[int, int]]:
    """(start, stop) of chunks of at most `size` items.

    Examples
    --------
    >>> from gnbayes.kernels import ranges
    >>> list(ranges(10, 4))
    [(0, 4), (4, 8), (8, 10)]
    """
    return ((start, min(start + size, n)) for start in range(0, n, size))


def limit_threads(n_threads: int, n_values: int) -> int:
    """The given number of threads, or one if there are too few values for threads to pay off.

    Examples
    --------
    >>> from gnbayes.kernels import limit_threads
    >>> limit_threads(4, 100), limit_threads(4, 10**8)
    (1, 4)
    """
    return n_threads if n_values >= _LEAST_VALUES else 1


def threads_of(n_jobs: int | None) -> int:
    """Number of threads requested by `n_jobs`: one by default, all cores for -1.

    Examples
    --------
    >>> from gnbayes.kernels import threads_of
    >>> threads_of(None), threads_of(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; use 1 for one thread or -1 for all cores.")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
