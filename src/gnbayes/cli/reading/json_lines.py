"""JSON: one object per line, or one list of objects."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from gnbayes.cli.failure import CommandError
from gnbayes.cli.reading.content import Content
from gnbayes.cli.reading.encoding import choose_encoding
from gnbayes.cli.reading.source import Source, check_names
from gnbayes.cli.reading.values import BATCH_ROWS


def read_objects(content: Content, source: Source, *, is_whole: bool) -> tuple[tuple[str, ...], Iterator[list[Any]]]:
    """Names and rows: one name per key, and None if an object lacks a key.

    Parameters
    ----------
    content : Content
    source : Source
    is_whole : bool
        Whether to look for keys in all rows; otherwise in the first 65,536.
    """
    objects = _objects(content, source)
    first = list(objects if is_whole else islice(objects, BATCH_ROWS))
    names = tuple(dict.fromkeys(key for one in first for key in one))
    if not names:
        raise CommandError(f"{source.name} holds no JSON objects with keys.")
    check_names(source, names)
    return names, ([one.get(name) for name in names] for one in chain(first, objects))


def _objects(content: Content, source: Source) -> Iterator[dict[str, Any]]:
    encoding = choose_encoding(source.encoding, content.sample)
    text = io.TextIOWrapper(content.stream, encoding="utf-8-sig" if encoding == "utf-8" else encoding)
    try:
        if content.sample.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
            yield from (_object(one, place, "entry", source) for place, one in enumerate(json.load(text), 1))
            return
        for place, line in enumerate(text, 1):
            if line.strip():
                yield _object(_parsed(line, place, source), place, "line", source)
    except json.JSONDecodeError as error:
        raise CommandError(f"{source.name} is not valid JSON: {error}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{source.name} is not in {encoding.upper()}; JSON is written in UTF-8.") from None
    finally:
        text.detach()


def _parsed(line: str, place: int, source: Source) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise CommandError(
            f"line {place} of {source.name} is not valid JSON: {error.msg} at column {error.colno}; "
            "give one object per line."
        ) from None


def _object(value: Any, place: int, unit: str, source: Source) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CommandError(f"{unit} {place} of {source.name} is not a JSON object, but {json.dumps(value)[:40]}.")
    return value
