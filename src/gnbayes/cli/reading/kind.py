"""Detection of the file format from the first bytes; the name of a file does not matter."""

from __future__ import annotations

from typing import Literal

Kind = Literal["text", "JSON", "Excel", "SQLite", "DuckDB", "Parquet", "Feather"]

# Old Excel files are OLE documents.
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BEGINNINGS: dict[bytes, Kind] = {
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"SQLite format 3\x00": "SQLite",
    _OLE: "Excel",
    b"PK\x03\x04": "Excel",  # other archives have been unpacked before
}


def kind_of(sample: bytes) -> Kind:
    """The format of a file.

    Parameters
    ----------
    sample : bytes
        Its first bytes, unpacked.

    Examples
    --------
    >>> from gnbayes.cli.reading.kind import kind_of
    >>> kind_of(b"age,sex"), kind_of(b'{"age": 61}'), kind_of(b"PAR1")
    ('text', 'JSON', 'Parquet')
    """
    for beginning, kind in _BEGINNINGS.items():
        if sample.startswith(beginning):
            return kind
    if sample[8:12] == b"DUCK":
        return "DuckDB"
    return "JSON" if _is_json(sample) else "text"


def _is_json(sample: bytes) -> bool:
    """Whether the text begins with a JSON object, or a list of them."""
    start = sample.removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    if start.startswith(b"["):
        start = start[1:].lstrip()
    return start.startswith(b'{"') or (start.startswith(b"{") and start[1:].lstrip()[:1] in (b'"', b"}"))
