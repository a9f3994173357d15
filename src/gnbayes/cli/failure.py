"""Errors that the user can fix: one sentence and an exit code, never a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A mistake that the message explains."""


def no_such(kind: str, name: str, known: Iterable[str]) -> CommandError:
    """The error for an unknown name, with the most similar known one."""
    names = list(known)
    near = nearest(name, names)
    hint = f"did you mean {near!r}?" if near else f"there are {some(names)}."
    return CommandError(f"there is no {kind} {name!r}; {hint}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most similar to another one, ignoring case; None if none is similar.

    Examples
    --------
    >>> from gnbayes.cli.failure import nearest
    >>> nearest("--traget", ["--target", "--text"])
    '--target'
    """
    by_lower = {other.lower(): other for other in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[near[0]] if near else None


def some(names: Iterable[str], n: int = 12) -> str:
    """The first few names, quoted, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - n} more" if len(listed) > n else ""
    return ", ".join(repr(name) for name in listed[:n]) + more
