"""Naive Bayes: no feature has a parent."""

from __future__ import annotations

import numpy as np

from gnbayes.structure._growth import TOLERANCE, chain_ordered
from gnbayes.structure._information import InformationLike
from gnbayes.structure._tree import Tree


def naive(info: InformationLike) -> Tree:
    """Features ordered by their information about the class, I(Xj; Y), without parents.

    Parameters
    ----------
    info : InformationLike
        Only `with_class` is used.

    Returns
    -------
    tree : Tree

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Information, naive
    >>> naive(Information(np.array([0.3, 0.5, 0.2]), np.zeros((3, 3)))).order.tolist()
    [1, 0, 2]
    """
    mother = np.full(info.n_features, -1, dtype=np.intp)
    return chain_ordered(mother, info.with_class, [], TOLERANCE * float(np.abs(info.with_class).max()))
