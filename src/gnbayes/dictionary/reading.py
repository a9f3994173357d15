"""Data dictionaries from files: YAML, or CSV with one row per column."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gnbayes.dictionary.entries import Column, Dictionary, entry_names
from gnbayes.dictionary.failure import DictionaryError, nearest
from gnbayes.dictionary.parse import parse_dictionary

# A dictionary of a thousand columns takes a tenth of this.
MOST_BYTES = 2**22
CSV_COLUMNS = ("role", "name", *entry_names(Column), "event")
_ROLES = ("column", "target", "page")


def read_dictionary(source: Any) -> Dictionary:
    """A data dictionary from a file, or from a mapping with the same content.

    Parameters
    ----------
    source : path, mapping or Dictionary
        A file that ends with .yaml, .yml or .csv, or a mapping with ``page``, ``target`` and ``columns``, as in a YAML
        file.

    Returns
    -------
    dictionary : Dictionary

    Examples
    --------
    >>> from gnbayes.dictionary import read_dictionary
    >>> read_dictionary({"target": {"event": "ill"}}).target.event
    'ill'
    """
    if isinstance(source, Dictionary):
        return source
    if isinstance(source, Mapping):
        return parse_dictionary(source)
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"dictionary must be a file, a mapping or a Dictionary, got {type(source).__name__} instead.")
    path = Path(source)
    try:
        return parse_dictionary(_content(path))
    except DictionaryError as error:
        raise DictionaryError(f"{path.name}: {error}") from None


def _content(path: Path) -> Any:
    if path.suffix.lower() not in (".yaml", ".yml", ".csv"):
        raise DictionaryError("a dictionary must be a file that ends with .yaml, .yml or .csv.")
    if not path.is_file():
        raise DictionaryError("there is no such file.")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise DictionaryError(f"the file is larger than {MOST_BYTES // 2**20} MB, too large for a dictionary.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DictionaryError("the file is not in UTF-8; save it in that encoding.") from None
    return _from_csv(text) if path.suffix.lower() == ".csv" else _from_yaml(text)


def _from_yaml(text: str) -> Any:
    """Read every scalar as the text in the file: `no` is a word here, not False."""
    yaml = _import_yaml()
    try:
        return _plain(yaml, yaml.compose(text, Loader=yaml.BaseLoader), set())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise DictionaryError(f"the file is not YAML{where}: {getattr(error, 'problem', None) or error}.") from None
    except RecursionError:
        raise DictionaryError("the file is not YAML that a dictionary can have: it is nested too deeply.") from None


def _plain(yaml: Any, node: Any, seen: set[int]) -> Any:
    """YAML nodes as dicts, lists and text; duplicate keys and aliases are errors."""
    if node is None or isinstance(node, yaml.ScalarNode):
        return None if node is None else node.value
    if id(node) in seen:
        raise DictionaryError(f"line {node.start_mark.line + 1} is used again by an alias; write it out.")
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_plain(yaml, item, seen) for item in node.value]
    found: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise DictionaryError(f"line {key.start_mark.line + 1} has a name that is not text.")
        if key.value in found:
            raise DictionaryError(f"{key.value!r} is given twice, again in line {key.start_mark.line + 1}.")
        found[key.value] = _plain(yaml, value, seen)
    return found


def _from_csv(text: str) -> dict[str, Any]:
    """Rows by role: a column of the table (the default), the target, or an entry of the page."""
    content: dict[str, Any] = {"page": {}, "target": {}, "columns": {}}
    for number, row in _rows(text):
        role, name = row.pop("role", "") or "column", row.pop("name", "")
        if role not in _ROLES:
            raise DictionaryError(f"line {number}: there is no role {role!r}; {nearest(role, _ROLES)}")
        if not name:
            raise DictionaryError(f"line {number} has no name.")
        event = row.pop("event", "")
        if event and role != "target":
            raise DictionaryError(f"line {number}: event belongs to the target, not to {name!r}.")
        if role == "target":
            content["target"] = _target_row(number, name, event, row, bool(content["target"]))
            continue
        part = content["page" if role == "page" else "columns"]
        if name in part:
            raise DictionaryError(f"{name!r} is given twice, again in line {number}.")
        part[name] = row.get("label", "") if role == "page" else row | {"codes": _codes(row.get("codes", ""), number)}
    return content


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    header = [name.strip().lower().replace(" ", "_") for name in next(reader, [])]
    for name in header:
        if name not in CSV_COLUMNS:
            raise DictionaryError(f"there is no entry {name!r} in its header; {nearest(name, CSV_COLUMNS)}")
    if "name" not in header:
        raise DictionaryError("its header lacks 'name', the names of the columns.")
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header):
            raise DictionaryError(f"line {reader.line_num} has {len(cells)} cells, the header {len(header)}.")
        yield reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=False))


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _target_row(number: int, name: str, event: str, row: dict[str, str], is_second: bool) -> dict[str, Any]:
    if is_second:
        raise DictionaryError(f"line {number} describes the target for the second time.")
    extra = [key for key, value in row.items() if value and key not in ("label", "codes", "description")]
    if extra:
        raise DictionaryError(f"line {number}: the target has no entry {extra[0]!r}.")
    labels = _codes(row.get("codes", ""), number)
    meaning = row.get("description", "")
    return {"column": name, "label": row.get("label", ""), "labels": labels, "event": event, "meaning": meaning}


def _codes(text: str, number: int) -> dict[str, str]:
    """Codes and names from "0=no; 1=yes"."""
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        code, sign, name = part.partition("=")
        if not sign:
            raise DictionaryError(f"line {number}: codes must be such as 0=no; 1=yes, got {part!r}.")
        if code.strip() in found:
            raise DictionaryError(f"line {number}: the code {code.strip()!r} is given twice.")
        found[code.strip()] = name.strip()
    return found


def _import_yaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise ImportError("a YAML dictionary needs pyyaml; install it with: pip install 'gnbayes[report]'") from error
    return yaml
