"""One JSON object with a name, a version and a checksum around its content; nothing in it is ever executed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from gnbayes._version import __version__
from gnbayes.files.format import ModelFileError, checksum


def document_of(kind: str, version: int, part: str, content: dict[str, Any]) -> dict[str, Any]:
    """The object that a file holds: `content` under the key `part`, and what is told of it."""
    return {
        "format": kind,
        "version": version,
        "library": __version__,
        "checksum": checksum(content),
        part: content,
    }


def read_bytes(path: Path, what: str, max_bytes: int) -> bytes:
    """The bytes of a file that is not too large."""
    size = path.stat().st_size
    if size > max_bytes:
        raise ModelFileError(f"{path.name} has {size} bytes, more than a {what} file can have ({max_bytes}).")
    return path.read_bytes()


def parse_document(data: bytes, name: str, kind: str, version: int, part: str) -> tuple[int, dict[str, Any]]:
    """Version and content of a file whose frame is right: format, version and checksum.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file, for messages.
    kind : str
        The format, such as "gnbayes-model".
    version : int
        The latest that can be read.
    part : str
        Key of the content.
    """
    what = kind.removeprefix("gnbayes-")
    try:
        text = data.decode("utf-8", "surrogatepass")
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{name} is not JSON, or damaged: {error}.") from None
    if not isinstance(document, dict) or document.get("format") != kind:
        raise ModelFileError(f"{name} is not a gnbayes {what} file.")
    found = document.get("version")
    if type(found) is not int or found < 1:
        raise ModelFileError(f"{name} has no valid version number, got {found!r}.")
    if found > version:
        raise ModelFileError(f"{name} has version {found}, and this gnbayes reads up to {version}; upgrade gnbayes.")
    content = document.get(part)
    if not isinstance(content, dict):
        raise ModelFileError(f"{name} has no {part} in it.")
    if document.get("checksum") != checksum(content):
        raise ModelFileError(f"{name} was changed or damaged after it was written: its checksum is wrong.")
    return found, content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return document


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")
