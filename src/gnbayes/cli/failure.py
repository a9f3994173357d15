"""What the user can put right: one sentence and an exit code, never a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A mistake that the message explains."""


def no_such(kind: str, name: str, known: Iterable[str]) -> CommandError:
    """The failure for a name that is not there, with the nearest one that is."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5) or difflib.get_close_matches(
        name.lower(), [other.lower() for other in names], n=1, cutoff=0.5
    )
    meant = next((other for other in names if near and other.lower() == near[0].lower()), None)
    hint = f"did you mean {meant!r}?" if meant else f"there are {_some(names)}."
    return CommandError(f"there is no {kind} {name!r}; {hint}")


def _some(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")
