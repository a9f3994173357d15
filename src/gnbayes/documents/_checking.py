"""Rules for the content of a document; errors name the part that violates a rule."""

from __future__ import annotations

from typing import Any

from gnbayes.documents._envelope import DocumentError


def part(owner: dict[str, Any], key: str, kind: type, where: str = "model") -> Any:
    """A required part of an object, of a given type.

    Examples
    --------
    >>> from gnbayes.documents import part
    >>> part({"n_rows": 3}, "n_rows", int)
    3
    """
    need(key in owner, where, f"lacks {key!r}")
    need(type(owner[key]) is kind, f"{where}.{key}", f"must be of type {kind.__name__}")
    return owner[key]


def need(is_so: bool, where: str, rule: str) -> None:
    """Raise an error if a rule is violated.

    Examples
    --------
    >>> from gnbayes.documents import need
    >>> need(len([1]) == 2, "tree.order", "must have one entry per feature")
    Traceback (most recent call last):
    ...
    gnbayes.documents._envelope.DocumentError: tree.order must have one entry per feature
    """
    if not is_so:
        raise DocumentError(f"{where} {rule}")
