"""Teams: threads that share the parts of what a kernel does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from gnbayes.kernels import followers, n_cores, native


@contextmanager
def team_of(n_threads: int) -> Iterator[Any]:
    """While a block runs, other threads that are free help the kernels to which it gives the team.

    Only one thread at a time may give work to a team. Results do not depend on who helps.

    Parameters
    ----------
    n_threads : int

    Yields
    ------
    team : object or None
        None for one thread, and without kernels.

    Examples
    --------
    >>> from gnbayes.model.fitting import team_of
    >>> with team_of(1) as team:
    ...     print(team)
    None
    """
    n_threads = min(n_threads, n_cores())
    if native is None or n_threads == 1:
        yield None
        return
    team = native.new_team(n_threads - 1)
    with followers(partial(native.follow, team), partial(native.end_team, team), n_threads):
        yield team
