"""The event: the class whose risk the page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gnbayes.dictionary import DictionaryError, find_event

# Class names that identify the event by themselves.
_TELLING = ("yes", "true", "positive", "case")


@dataclass(frozen=True)
class Event:
    """The class whose risk is shown.

    Parameters
    ----------
    at : int, optional
        Its position; None if there are more than two classes and none was named.
    how : {"given", "told", "literal", "none"}
        Named by the user; recognized by its name, such as "yes"; the 1 of 0 and 1, which may be good or bad; or none.
    """

    at: int | None
    how: Literal["given", "told", "literal", "none"]

    @property
    def is_risk(self) -> bool:
        """Whether the class is known to be the event, so that it can be colored as such."""
        return self.how in ("given", "told")


def choose_event(classes: NDArray[Any], names: Sequence[str], dictionary: Any, pos_label: Any) -> Event:
    """The event among the classes of a model.

    Parameters
    ----------
    classes : ndarray of shape (k,)
    names : sequence of str
        Names of the classes as shown on the page.
    dictionary : Dictionary
    pos_label : optional
        The class that the user named.
    """
    texts = [str(label) for label in classes.tolist()]
    written = find_event(dictionary, texts)
    named = None if pos_label is None else _position(classes, pos_label)
    if written is not None and named is not None and written != named:
        raise DictionaryError(
            f"pos_label is {pos_label!r}, but the dictionary's target has the event {dictionary.target.event!r}; "
            "leave one of them out."
        )
    at = named if named is not None else written
    if at is not None:
        return Event(at, "given")
    return Event(None, "none") if len(classes) > 2 else _of_two(classes, names)


def _position(classes: NDArray[Any], pos_label: Any) -> int:
    at = np.flatnonzero(classes == pos_label)
    if not len(at):
        raise ValueError(f"pos_label {pos_label!r} is not a class; the classes are {classes.tolist()}.")
    return int(at[0])


def _of_two(classes: NDArray[Any], names: Sequence[str]) -> Event:
    telling = [at for at, name in enumerate(names) if name.strip().casefold() in _TELLING]
    if len(telling) == 1:
        return Event(telling[0], "told")
    if _is_zero_and_one(names):
        return Event(1, "literal")
    first, second = classes.tolist()
    raise ValueError(
        f"which class is the event whose risk the page shows, {first!r} or {second!r}? Say it with pos_label (in the "
        "shell --positive CLASS), or as event under target in the dictionary."
    )


def _is_zero_and_one(names: Sequence[str]) -> bool:
    """Whether the two classes are 0 and 1, and nothing else is known about them."""
    try:
        return [float(name) for name in names] == [0.0, 1.0]
    except ValueError:
        return False
