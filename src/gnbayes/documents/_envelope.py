"""One JSON object with a name, a version and a checksum around its content; nothing in it is ever executed."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from gnbayes._version import __version__


class DocumentError(ValueError):
    """A file with invalid content; nothing was read.

    Examples
    --------
    >>> from gnbayes.documents import DocumentError, part
    >>> try:
    ...     part({"n": "three"}, "n", int)
    ... except DocumentError as error:
    ...     print(error)
    model.n must be of type int
    """


def document_of(kind: str, version: int, part: str, content: dict[str, Any]) -> dict[str, Any]:
    """The content of a file: `content` under the key `part`, and its metadata.

    Examples
    --------
    >>> from gnbayes.documents import document_of
    >>> document = document_of("gnbayes-note", 1, "note", {"text": "hello"})
    >>> document["format"], document["note"]
    ('gnbayes-note', {'text': 'hello'})
    """
    return {
        "format": kind,
        "version": version,
        "library": __version__,
        "checksum": checksum(content),
        part: content,
    }


def checksum(content: dict[str, Any]) -> str:
    """Checksum of the content of a document: of its text without white space, with sorted keys, in UTF-8.

    Examples
    --------
    >>> from gnbayes.documents import checksum
    >>> checksum({"a": 1, "b": 2}) == checksum({"b": 2, "a": 1})
    True
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def parse_document(data: bytes, name: str, kind: str, version: int, part: str) -> tuple[int, dict[str, Any]]:
    """Version and content of a file with a valid envelope: format, version and checksum.

    Parameters
    ----------
    data : bytes
    name : str
        Name of the file, for messages.
    kind : str
        The format, such as "gnbayes-model".
    version : int
        The latest readable version.
    part : str
        Key of the content.

    Examples
    --------
    >>> import json
    >>> from gnbayes.documents import document_of, parse_document
    >>> data = json.dumps(document_of("gnbayes-note", 1, "note", {"text": "hello"})).encode()
    >>> parse_document(data, "a.json", "gnbayes-note", 1, "note")
    (1, {'text': 'hello'})
    """
    what = kind.removeprefix("gnbayes-")
    try:
        text = data.decode("utf-8", "surrogatepass")
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{name} is not JSON, or damaged: {error}.") from None
    if not isinstance(document, dict) or document.get("format") != kind:
        raise DocumentError(f"{name} is not a gnbayes {what} file.")
    found = document.get("version")
    if type(found) is not int or found < 1:
        raise DocumentError(f"{name} has no valid version number, got {found!r}.")
    if found > version:
        raise DocumentError(f"{name} has version {found}, and this gnbayes reads up to {version}; upgrade gnbayes.")
    content = document.get(part)
    if not isinstance(content, dict):
        raise DocumentError(f"{name} has no {part} in it.")
    if document.get("checksum") != checksum(content):
        raise DocumentError(f"{name} was changed or damaged after it was written: its checksum is wrong.")
    return found, content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return document


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")
