"""Threads that help: as many as were asked for, and none that waits while there is something to do."""

import threading
import time
import weakref
from concurrent.futures import CancelledError

import pytest

from gnbayes.kernels import Promise, beside, followers, for_each
from gnbayes.kernels.helpers import Helpers, helpers_of

_SECONDS = 60


class Busy:
    """How many threads are at work at once, at most."""

    def __init__(self):
        self._lock, self._n, self.most = threading.Lock(), 0, 0

    def work(self, _=None):
        with self._lock:
            self._n += 1
            self.most = max(self.most, self._n)
        time.sleep(0.001)
        with self._lock:
            self._n -= 1


@pytest.mark.parametrize("n_threads", [2, 3])
def test_there_are_never_more_threads_than_were_asked_for(n_threads):
    busy = Busy()
    results = [beside(lambda: for_each(busy.work, range(40), n_threads), n_threads) for _ in range(3)]
    for_each(busy.work, range(40), n_threads)
    for result in results:
        result()
    assert 1 <= busy.most <= n_threads


def test_who_waits_for_a_piece_of_work_helps_with_its_parts():
    """Two items that wait for each other end only if two threads take them; the other thread has the whole."""
    both = threading.Barrier(2)
    has_begun = threading.Event()

    def whole():
        has_begun.set()
        for_each(lambda _: both.wait(_SECONDS), range(2), 2)
        return "done"

    result = beside(whole, 2)
    assert has_begun.wait(_SECONDS)
    assert result() == "done"


def test_who_waits_for_a_promise_helps():
    both, promise = threading.Barrier(2), Promise(2)
    result = beside(promise.result, 2)
    for_each(lambda _: both.wait(_SECONDS), range(2), 2)
    promise.set_result(3)
    assert result() == 3
    alone = Promise(1)
    alone.set_result(4)
    assert alone.result() == 4


def test_a_promise_that_is_cancelled_keeps_nobody_waiting():
    promise = Promise(2)
    result = beside(promise.result, 2)
    threading.Timer(0.02, promise.cancel).start()
    with pytest.raises(CancelledError):
        result()


def test_who_waits_does_not_begin_other_pieces_of_work():
    helpers, may_end, has_begun = Helpers(1), threading.Event(), threading.Event()
    first = helpers.begin(lambda: has_begun.set() or may_end.wait(_SECONDS))
    assert has_begun.wait(_SECONDS)
    other = helpers.begin(threading.get_ident)
    threading.Timer(0.05, may_end.set).start()
    assert helpers.result(first)
    assert helpers.result(other) != threading.get_ident()


def test_work_that_no_thread_has_begun_is_done_by_who_needs_it():
    helpers, may_end = helpers_of(2), threading.Event()
    begun = helpers.begin(lambda: may_end.wait(_SECONDS))
    assert beside(threading.get_ident, 2)() == threading.get_ident()
    may_end.set()
    assert helpers.result(begun)


def test_errors_reach_who_waits():
    helpers = Helpers(1)
    with pytest.raises(ZeroDivisionError):
        helpers.result(helpers.begin(lambda: 1 / 0))
    assert helpers.result(helpers.begin(lambda: 1)) == 1


def test_an_interruption_reaches_the_thread_that_helps():
    helpers, may_end, has_begun = Helpers(1), threading.Event(), threading.Event()

    def interrupted():
        may_end.set()
        raise KeyboardInterrupt

    waited_for = helpers.begin(lambda: has_begun.set() or may_end.wait(_SECONDS))
    assert has_begun.wait(_SECONDS)
    helpers.begin(interrupted, is_part=True)  # only the thread that waits is free for it
    with pytest.raises(KeyboardInterrupt):
        helpers.result(waited_for)
    assert waited_for.result(_SECONDS)
    assert helpers.result(helpers.begin(lambda: 1)) == 1


def test_results_are_not_kept_by_threads_that_wait():
    class Result:
        pass

    helpers = Helpers(1)
    result = helpers.result(helpers.begin(Result))
    gone = threading.Event()
    weakref.finalize(result, gone.set)
    del result
    assert gone.wait(_SECONDS)


def test_followers_follow_until_the_end(monkeypatch):
    monkeypatch.setattr("gnbayes.kernels.threads.n_cores", lambda: 2)
    begun, is_over, returned = threading.Event(), threading.Event(), threading.Event()

    def follow():
        begun.set()
        is_over.wait(_SECONDS)
        returned.set()

    with followers(follow, is_over.set, 2):
        assert begun.wait(_SECONDS)
        assert not returned.is_set()
    assert returned.wait(_SECONDS)


def test_followers_end_with_an_error():
    is_over = threading.Event()
    with pytest.raises(ValueError, match="of the leader"), followers(lambda: is_over.wait(_SECONDS), is_over.set, 2):
        raise ValueError("of the leader")
    assert is_over.is_set()


def test_there_are_no_more_followers_than_cores(monkeypatch):
    monkeypatch.setattr("gnbayes.kernels.threads.n_cores", lambda: 1)
    with followers(pytest.fail, lambda: None, 64):
        time.sleep(0.01)


def test_a_leader_without_others_has_no_followers():
    with followers(pytest.fail, lambda: None, 1):
        pass
