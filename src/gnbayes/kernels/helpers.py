"""Threads that wait for tasks, and never more at work than were asked for: who waits for a task helps with others."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from threading import Condition, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(eq=False)
class _Task:
    """A call that some thread will make, unless it is cancelled first."""

    function: Callable[[], Any]
    is_part: bool
    future: Future[Any] = field(default_factory=Future)

    def run(self) -> BaseException | None:
        """Make the call in this thread; returns its error, which the future holds, too."""
        if not self.future.set_running_or_notify_cancel():
            return None
        try:
            result = self.function()
        except BaseException as error:
            self.future.set_exception(error)
            return error
        self.future.set_result(result)
        return None


class Helpers:
    """Some threads, and the tasks that wait for one.

    Parameters
    ----------
    n : int
        Number of threads, besides those that ask for help.

    Examples
    --------
    >>> from gnbayes.kernels.helpers import Helpers
    >>> helpers = Helpers(1)
    >>> helpers.result(helpers.begin(lambda: sum(range(5))))
    10
    """

    def __init__(self, n: int) -> None:
        self._tasks: deque[_Task] = deque()
        self._changed = Condition()
        for number in range(n):
            # They must not keep the interpreter from ending.
            Thread(target=self._work, name=f"gnbayes-{number}", daemon=True).start()

    def begin(self, function: Callable[[], Result], *, is_part: bool = False) -> Future[Result]:
        """Have a call made by the next thread that is free.

        Parameters
        ----------
        function : callable
        is_part : bool, default=False
            Whether it is part of a piece of work, so that a thread that waits for that work may make the call, too. It
            must not wait for anything that this thread has yet to do.
        """
        task = _Task(function, is_part)
        task.future.add_done_callback(self._notify)
        with self._changed:
            self._tasks.append(task)
            self._changed.notify_all()
        return task.future

    def result(self, future: Future[Result]) -> Result:
        """Wait for the result of a task, and help with parts of others meanwhile."""
        self.wait_for(future)
        return future.result()

    def wait_for(self, future: Future[Any]) -> None:
        """Wait for a future that any thread will set, and help with parts of tasks meanwhile."""
        future.add_done_callback(self._notify)
        while not future.done():
            part = self._next(future)
            error = None if part is None else part.run()
            # An interruption by the user is for the thread that it reaches, whatever this was helping with.
            if isinstance(error, KeyboardInterrupt):
                raise error

    def _work(self) -> None:
        while True:
            task = self._next()
            if task is not None:
                task.run()
            # What a task refers to is not kept while the thread waits for the next one.
            del task

    def _next(self, awaited: Future[Any] | None = None) -> _Task | None:
        """The next task, once there is one; for a thread that waits, the next part, or None if it waits no longer."""
        with self._changed:
            while awaited is None or not awaited.done():
                for task in self._tasks:
                    if awaited is None or task.is_part:
                        self._tasks.remove(task)
                        return task
                self._changed.wait()
        return None

    def _notify(self, _: Future[Any]) -> None:
        with self._changed:
            self._changed.notify_all()


class Promise(Future[Result]):
    """A result that one thread will set; threads that wait for it help meanwhile.

    Parameters
    ----------
    n_threads : int
        Of the thread that waits.

    Examples
    --------
    >>> from gnbayes.kernels import Promise
    >>> promise = Promise(2)
    >>> promise.set_result(5)
    >>> promise.result()
    5
    """

    def __init__(self, n_threads: int) -> None:
        super().__init__()
        self._n_threads = n_threads

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the result; a timeout is for waiting without helping."""
        if timeout is None and self._n_threads > 1:
            helpers_of(self._n_threads).wait_for(self)
        return super().result(timeout)


def helpers_of(n_threads: int) -> Helpers:
    """The helpers of a thread that may use so many threads, itself included.

    To start threads anew takes longer than a short piece of work. A process that is forked has none of the threads of
    its parent, so it gets its own.

    Examples
    --------
    >>> from gnbayes.kernels.helpers import helpers_of
    >>> helpers_of(2) is helpers_of(2)
    True
    """
    return _helpers(os.getpid(), n_threads)


@cache
def _helpers(_process: int, n_threads: int) -> Helpers:
    return Helpers(n_threads - 1)
