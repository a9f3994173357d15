"""Errors in data dictionaries, in one sentence each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DictionaryError(ValueError):
    """A data dictionary contains something unknown or contradictory; the message names it.

    Examples
    --------
    >>> from gnbayes.dictionary import DictionaryError, read_dictionary
    >>> try:
    ...     read_dictionary({"columns": {"age": {"lable": "Age"}}})
    ... except DictionaryError as error:
    ...     print(error)
    column 'age' has no entry 'lable'; did you mean 'label'?
    """


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint: the known name closest to an unknown one, or some of the known names.

    Examples
    --------
    >>> from gnbayes.dictionary.failure import nearest
    >>> nearest("lable", ["label", "unit"])
    "did you mean 'label'?"
    >>> nearest("colour", ["label", "unit"])
    "there are 'label' and 'unit'."
    """
    names = list(known)
    by_lower = {other.lower(): other for other in reversed(names)}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f"did you mean {by_lower[near[0]]!r}?" if near else f"there are {listed(names)}."


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in a sentence.

    Examples
    --------
    >>> from gnbayes.dictionary.failure import listed
    >>> listed(["a", "b", "c"])
    "'a', 'b' and 'c'"
    """
    quoted = [repr(name) for name in names]
    if len(quoted) > most:
        quoted = [*quoted[: most - 1], f"{len(quoted) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]])) or "none"
