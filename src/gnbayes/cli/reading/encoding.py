"""Detection of the encoding of a text."""

from __future__ import annotations

import codecs
import io
import re
from typing import Any

from gnbayes.cli.failure import CommandError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHUNK_BYTES = 2**18


def detect_encoding(sample: bytes) -> str:
    """UTF-8, or UTF-16 or UTF-32 by its byte-order mark, or UTF-16 without one by its zero bytes.

    Single-byte encodings, such as Latin-1, cannot be distinguished: they have to be specified.

    Parameters
    ----------
    sample : bytes

    Examples
    --------
    >>> from gnbayes.cli.reading.encoding import detect_encoding
    >>> detect_encoding("Größe,kg".encode("utf-16")), detect_encoding("Größe,kg".encode("utf-16-be"))
    ('utf-16', 'utf-16-be')
    """
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    start = sample[:4096]
    # In UTF-16, one of the two bytes of common letters, digits and signs is zero.
    even, odd = start[0::2].count(0), start[1::2].count(0)
    enough = 0.3 * (len(start) // 2)
    if odd > enough and even < odd / 4:
        return "utf-16-le"
    if even > enough and odd < even / 4:
        return "utf-16-be"
    return "utf-8"


def choose_encoding(given: str | None, sample: bytes) -> str:
    """The encoding to use: the given one, or the detected one.

    If UTF-16 is given and the text has no byte-order mark, the byte order is detected.
    """
    if given is None:
        return detect_encoding(sample)
    try:
        name = codecs.lookup(given).name
        io.TextIOWrapper(io.BytesIO(), name)  # accepts only text encodings
    except LookupError:
        raise CommandError(f"there is no encoding {given!r}; common ones are utf-8, utf-16, latin-1, cp1252.") from None
    found = detect_encoding(sample)
    return found if name == "utf-16" and found.startswith("utf-16") else name


def decode_sample(sample: bytes, encoding: str, name: str) -> str:
    """A sample as text; it may end in the middle of a character.

    Parameters
    ----------
    sample : bytes
    encoding : str
    name : str
        Name of the file, for the message.
    """
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample).removeprefix("\ufeff")
    except UnicodeError as error:
        at = getattr(error, "start", 0)
        raise CommandError(explain_encoding(name, encoding, sample[: at + 20], at)) from None


def explain_encoding(name: str, encoding: str, sample: bytes = b"", at: int = 0) -> str:
    """The error message for bytes that are not valid in an encoding, with the remedy."""
    if _is_binary(sample):
        return f"{name} is not text, nor any other type of table that gnbayes can read."
    if encoding != "utf-8":
        return f"{name} is not in {encoding.upper()}; omit --encoding to detect it, or specify another one."
    example = ""
    if sample:
        word = re.split(rb'[\s,;|"]', sample[:at])[-1] + re.split(rb'[\s,;|"]', sample[at:])[0]
        example = f" (line {sample.count(10, 0, at) + 1}, {word.decode('latin-1')!r} as Latin-1)"
    # Latin-1 has no letters from 0x80 to 0x9f, Windows-1252 has.
    likely = "cp1252" if any(0x80 <= byte <= 0x9F for byte in sample[at:]) else "latin-1"
    return f"{name} is not in UTF-8{example}; specify its encoding, such as --encoding {likely}."


def _is_binary(sample: bytes) -> bool:
    """Whether there are control characters that do not occur in text."""
    return any(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in sample)


class Transcoded(io.RawIOBase):
    """Transcode a text from any encoding to UTF-8.

    Parameters
    ----------
    stream : binary file
    encoding : str
    """

    def __init__(self, stream: Any, encoding: str) -> None:
        self._stream, self._decoder = stream, codecs.getincrementaldecoder(encoding)()
        self._ready, self._is_start, self._is_end = memoryview(b""), True, False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not len(self._ready) and not self._is_end:
            self._fill()
        part = self._ready[: len(buffer)]
        self._ready = self._ready[len(part) :]
        buffer[: len(part)] = part
        return len(part)

    def _fill(self) -> None:
        raw = self._stream.read(_CHUNK_BYTES)
        self._is_end = not raw
        text = self._decoder.decode(raw, final=self._is_end)
        if self._is_start and text:
            text, self._is_start = text.removeprefix("\ufeff"), False
        self._ready = memoryview(text.encode("utf-8"))
