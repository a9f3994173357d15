"""The common format of all files exchanged here: one JSON object with a name, a version and a checksum."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gnbayes.documents import DocumentError, document_of, parse_document, read_bytes, readable, write_atomically

VERSION = 1
MAX_BYTES = 2**32

Built = TypeVar("Built")


class SiteFileError(ValueError):
    """A features, summary or counts file that cannot be read; nothing was loaded.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from gnbayes.sites import SiteFileError, load_counts
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.counts").write_text("{}")
    ...     try:
    ...         load_counts(f"{folder}/a.counts")
    ...     except SiteFileError as error:
    ...         print(error)
    a.counts is not a gnbayes counts file.
    """


def write_site_file(path: str | os.PathLike[str], part: str, content: dict[str, Any]) -> None:
    """Write `content` to a file of the format "gnbayes-" and `part`."""
    write_atomically(Path(path), readable(document_of(f"gnbayes-{part}", VERSION, part, content)))


def read_site_file(path: str | os.PathLike[str], part: str, build: Callable[[dict[str, Any]], Built]) -> Built:
    """The result of `build` for the content of such a file; a SiteFileError if it is not complete and valid."""
    path = Path(path)
    try:
        data = read_bytes(path, part, MAX_BYTES)
        content = parse_document(data, path.name, f"gnbayes-{part}", VERSION, part)[1]
    except DocumentError as error:
        raise SiteFileError(str(error)) from None
    try:
        return build(content)
    except DocumentError as error:
        raise SiteFileError(f"{path.name} is not a valid {part} file: {error}.") from None
