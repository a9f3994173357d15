"""Parts into which sites deal their rows: some choose pairs, others are held out to choose penalties."""

from __future__ import annotations

from typing import NamedTuple

# Up to so many rows three parts are held out in turn, above one quarter.
_FEW_ROWS = 2000


class Parts(NamedTuple):
    """How the rows of every site are dealt out.

    Parameters
    ----------
    number : int
        Of all parts.
    held_out : tuple of int
        Parts that are held out in turn.
    choosing : tuple of int
        Parts that choose pairs, none of which is held out.
    """

    number: int
    held_out: tuple[int, ...]
    choosing: tuple[int, ...] = ()

    @property
    def problems(self) -> list[int | None]:
        """What each problem leaves out: nothing, and the held-out parts in turn."""
        return [None, *self.held_out]


def parts_of(n_rows: float, *, chooses: bool) -> Parts:
    """Parts for so many rows of all sites, and whether they choose pairs."""
    if n_rows > _FEW_ROWS:
        return Parts(4, (0,), (1, 2, 3))
    return Parts(6, (3, 4, 5), (0, 1, 2)) if chooses else Parts(3, (0, 1, 2))
