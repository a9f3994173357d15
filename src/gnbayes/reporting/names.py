"""Names for a page: the names of columns, categories and classes in a harmless form.

Escaping is done by the renderer; this module removes characters that would still disturb a page, and limits length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from gnbayes.encoding import value_text

LONGEST = 160
LONGEST_TEXT = 4000
# Embeddings, overrides and isolates, which could change the direction of the text after a name.
_BIDI = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def shown(value: Any, longest: int = LONGEST) -> str:
    r"""A name as shown on the page: one line, no control characters; a text that is too long is cut in the middle.

    Examples
    --------
    >>> from gnbayes.reporting.names import shown
    >>> shown(3.0), shown("mean\nradius")
    ('3', 'mean radius')
    >>> len(shown("x" * 10_000))
    160
    """
    text = value_text(value).translate(_BIDI)
    text = " ".join("".join(_plain(sign) for sign in text).split())
    if len(text) > longest:
        text = text[: longest - 41] + "…" + text[-40:]
    return text or "(no name)"


def shown_text(value: str) -> str:
    """A text of the dictionary, treated in the same way but allowed to be longer; empty if nothing is specified."""
    return shown(value, LONGEST_TEXT) if value.strip() else ""


def distinct(values: Iterable[Any]) -> list[str]:
    """Names as shown on the page, made unique by numbering duplicates.

    Examples
    --------
    >>> from gnbayes.reporting.names import distinct
    >>> distinct(["f", "f ", "m"])
    ['f', 'f (2)', 'm']
    """
    names = [shown(value) for value in values]
    taken, out = set(names), []
    found: set[str] = set()
    for name in names:
        number = 2
        own = name
        while own in found or (own != name and own in taken):
            own, number = f"{name} ({number})", number + 1
        found.add(own)
        out.append(own)
    return out


def _plain(sign: str) -> str:
    category = unicodedata.category(sign)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "\ufffd" if category == "Cs" else sign  # half of a surrogate pair cannot be written to a file
