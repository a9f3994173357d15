"""Progress messages for long computations."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Progress = Callable[[float], None]


def silent(share: float) -> None:
    """Show nothing."""


def part_of(progress: Progress, number: int, total: int) -> Progress:
    """Progress within one of several parts of the work, numbered from 0 and assumed to be equally long."""
    return lambda share: progress((number + share) / total)


def progress_line(title: str, verbose: int) -> Progress:
    """A function that takes the share done, 0 to 1, and updates a line on standard error with the time left.

    Nothing is shown for `verbose` 0, nor for work that ends within half a second, nor after the line has ended.
    """
    if not verbose:
        return silent
    start = last = time.monotonic()
    width, is_over = 0, False

    def show(share: float) -> None:
        nonlocal last, width, is_over
        now = time.monotonic()
        if not is_over and (now - last >= 0.5 or (width and share >= 1)):
            line = f"{title}: {share:4.0%}, {time_text(now - start)}"
            if 0 < share < 1:
                line += f", about {time_text((now - start) * (1 - share) / share)} left"
            end = "\n" if share >= 1 else ""
            print(f"\r{line:{width}}", end=end, file=sys.stderr, flush=True)
            last, width, is_over = now, max(width, len(line)), share >= 1

    return show


def show_note(text: str, verbose: int) -> None:
    """A line on standard error, for `verbose` above 0."""
    if verbose:
        print(text, file=sys.stderr, flush=True)


def time_text(seconds: float) -> str:
    """A length of time as a person would say it.

    Examples
    --------
    >>> from gnbayes.progress import time_text
    >>> time_text(7.2), time_text(200), time_text(7500)
    ('7 s', '3 min', '2.1 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def size_text(n_bytes: float) -> str:
    """A number of bytes as a person would say it.

    Examples
    --------
    >>> from gnbayes.progress import size_text
    >>> size_text(300), size_text(71_000), size_text(2.14e6), size_text(3.3e9)
    ('0.3 kB', '71 kB', '2.1 MB', '3.3 GB')
    """
    unit = next((unit for unit in (("GB", 1e9), ("MB", 1e6)) if n_bytes >= unit[1]), ("kB", 1e3))
    number = n_bytes / unit[1]
    return f"{number:.0f} {unit[0]}" if number >= 10 else f"{number:.1f} {unit[0]}"
