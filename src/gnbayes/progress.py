"""Show how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Progress = Callable[[float], None]


def silent(share: float) -> None:
    """Show nothing."""


def part_of(progress: Progress, number: int, total: int) -> Progress:
    """Progress within one of several parts of the work, numbered from 0, that are taken to be equally long."""
    return lambda share: progress((number + share) / total)


def progress_line(title: str, verbose: int) -> Progress:
    """A function that takes the share done, 0 to 1, and keeps one line on standard error up to date.

    Nothing is shown for `verbose` 0, nor for work that ends within half a second.
    """
    if not verbose:
        return silent
    start = last = time.monotonic()
    shown = False

    def show(share: float) -> None:
        nonlocal last, shown
        now = time.monotonic()
        if now - last >= 0.5 or (shown and share >= 1):
            end = "\n" if share >= 1 else ""
            print(f"\r{title}: {share:4.0%}, {now - start:.0f} s", end=end, file=sys.stderr, flush=True)
            last, shown = now, True

    return show
