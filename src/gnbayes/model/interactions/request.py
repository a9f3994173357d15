"""What the `interactions` parameter asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from gnbayes.model.term import MOST_FEATURES

Names = Sequence[str]


@dataclass(frozen=True)
class Interactions:
    """Which terms of several features a model has.

    Parameters
    ----------
    chooses : bool
        Whether pairs and triples are chosen by evidence, beyond those of the tree.
    n_more : int or None
        Most further pairs; None for as many as help.
    terms : tuple of tuple of int, or None
        The pairs and triples that were named; they replace those of the tree.
    """

    chooses: bool
    n_more: int | None = None
    terms: tuple[tuple[int, ...], ...] | None = None


ONLY_TREE = Interactions(chooses=False)


def read_interactions(value: Any, names: Names) -> Interactions:
    """The request behind the parameter, checked.

    Parameters
    ----------
    value : "auto", "tree", int, or sequence of tuples of names or positions
    names : sequence of str
        Names of the columns.

    Examples
    --------
    >>> from gnbayes.model.interactions import read_interactions
    >>> read_interactions([("age", "dose")], ["dose", "sex", "age"]).terms
    ((0, 2),)
    """
    if isinstance(value, str) and value == "auto":
        return Interactions(chooses=True)
    if isinstance(value, str) and value == "tree":
        return ONLY_TREE
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0:
        return Interactions(chooses=True, n_more=int(value))
    if isinstance(value, str | bool | Integral) or not isinstance(value, Iterable):
        raise ValueError(
            "interactions must be 'auto', 'tree', a whole number from 0, or tuples of two or three columns, got "
            f"{value!r} instead."
        )
    found = [_term(entry, names) for entry in value]
    return Interactions(chooses=False, terms=tuple(dict.fromkeys(found)))


def _term(entry: Any, names: Names) -> tuple[int, ...]:
    if isinstance(entry, str) or not isinstance(entry, Iterable):
        raise ValueError(f"interactions must list tuples of two or three columns, got {entry!r} among them instead.")
    term = tuple(sorted({column_position("interactions", name, names) for name in entry}))
    if not 2 <= len(term) <= MOST_FEATURES:
        raise ValueError(
            f"a term in interactions must have two or three different columns, got {entry!r} with {len(term)} instead; "
            "split it into pairs or triples."
        )
    return term


def column_position(argument: str, name: Any, names: Names) -> int:
    """Position of a column that is given by name or position."""
    if isinstance(name, Integral) and not isinstance(name, bool) and 0 <= int(name) < len(names):
        return int(name)
    for position, known in enumerate(names):
        if known == name:
            return position
    some = ", ".join(repr(known) for known in list(names)[:10])
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    raise ValueError(f"{argument} names {name!r}, which is no column of X; columns are {some}{more}.")
