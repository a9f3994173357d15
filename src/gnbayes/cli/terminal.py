"""Color, if the terminal supports it and it is not switched off."""

from __future__ import annotations

import os
from typing import TextIO

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33}


def has_color(stream: TextIO) -> bool:
    """Whether text for a stream may be colored: it is a terminal, and NO_COLOR (no-color.org) is not set."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal."""
    return stream.isatty()


def paint(text: str, style: str, stream: TextIO) -> str:
    """The text in a style, or unchanged if the stream has no color.

    Parameters
    ----------
    text : str
    style : {"bold", "dim", "red", "green", "yellow"}
    stream : text file
        Where it will be printed.

    Examples
    --------
    >>> import io
    >>> from gnbayes.cli.terminal import paint
    >>> paint("warning", "yellow", io.StringIO())
    'warning'
    """
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if has_color(stream) else text
