"""Parts into which sites divide their rows: some are used to choose pairs, others are held out to choose penalties."""

from __future__ import annotations

from typing import NamedTuple

# Up to this many rows, three parts are held out in turn; with more rows, a single quarter is held out.
_FEW_ROWS = 2000


class Parts(NamedTuple):
    """How every site divides its rows.

    Parameters
    ----------
    number : int
        Number of parts.
    held_out : tuple of int
        Parts that are held out in turn.
    choosing : tuple of int
        Parts used to choose pairs, none of which is held out.
    """

    number: int
    held_out: tuple[int, ...]
    choosing: tuple[int, ...] = ()

    @property
    def problems(self) -> list[int | None]:
        """The part that each problem holds out: None for the first problem, then the held-out parts in turn."""
        return [None, *self.held_out]


def parts_of(n_rows: float, *, chooses: bool) -> Parts:
    """How to divide `n_rows` rows of all sites, with or without parts to choose pairs."""
    if n_rows > _FEW_ROWS:
        return Parts(4, (0,), (1, 2, 3))
    return Parts(6, (3, 4, 5), (0, 1, 2)) if chooses else Parts(3, (0, 1, 2))
