"""Warnings on standard error: at most ten of a kind, then how many more there were."""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gnbayes.cli.terminal import paint

MOST_OF_A_KIND = 10
# Names in quotes and numbers differ from warning to warning; the rest of the sentence is its kind.
_PARTICULAR = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\d[\d.,e+-]*")


class Warnings:
    """Prints warnings, and counts those beyond the limit."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def show(self, message: Any, *_: Any, **__: Any) -> None:
        """Print one warning; a replacement for `warnings.showwarning`."""
        text = str(message)
        kind = kind_of(text)
        self._counts[kind] += 1
        if self._counts[kind] <= MOST_OF_A_KIND:
            warn(text)

    def end(self) -> None:
        """Print how many warnings were not shown."""
        for count in self._counts.values():
            if count > MOST_OF_A_KIND:
                warn(f"{count - MOST_OF_A_KIND} more warnings of this kind are not shown.")


def kind_of(text: str) -> str:
    """The part that is the same in all warnings of a kind.

    Examples
    --------
    >>> from gnbayes.cli.messages import kind_of
    >>> kind_of("column 'age' has 3 gaps") == kind_of("column 'sex' has 12 gaps")
    True
    """
    return _PARTICULAR.sub("*", text)


def warn(text: str) -> None:
    """Print a warning."""
    print(f"{paint('gnbayes: warning:', 'yellow', sys.stderr)} {text}", file=sys.stderr)


def note(text: str) -> None:
    """Print a note on standard error, which is not part of the result."""
    print(text, file=sys.stderr)


def at_most(names: list[str], n: int = MOST_OF_A_KIND) -> str:
    """The first few names, and how many more there are.

    Examples
    --------
    >>> from gnbayes.cli.messages import at_most
    >>> at_most(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - n} more" if len(names) > n else ""
    return ", ".join(names[:n]) + more


def plural(n: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> from gnbayes.cli.messages import plural
    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Print the warnings of a block of code with this class."""
    before, shown = warnings.showwarning, Warnings()
    warnings.showwarning = shown.show
    try:
        yield
    finally:
        warnings.showwarning = before
        shown.end()
