"""GNB-O, the paper's optimal algorithm."""

from __future__ import annotations

import numpy as np

from gnbayes.structure._growth import chain_ordered, first_cherry_and_tie, grow
from gnbayes.structure._information import InformationLike
from gnbayes.structure._naive import naive
from gnbayes.structure._tree import Tree


def gnb_o(info: InformationLike) -> Tree:
    """Algorithm GNB-O: the heaviest tree that contains the first cherry.

    The maximum arborescence of the paper's auxiliary graph is a maximum spanning tree under I(Xi; Xj | Y) that includes
    the edge of the first cherry: the weight of every edge into a feature is I(Xj; Y) plus a symmetric term. So Prim's
    algorithm, O(d^2), replaces Chu-Liu-Edmonds. Features are ordered by the chain ordering: the lightest leaf goes
    last, and the first cherry stays first.

    Parameters
    ----------
    info : InformationLike

    Returns
    -------
    tree : Tree

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Information, gnb_o
    >>> given_class = np.array([[0.0, 0.1, 0.4], [0.1, 0.0, 0.2], [0.4, 0.2, 0.0]])
    >>> tree = gnb_o(Information(np.array([0.3, 0.5, 0.2]), given_class))
    >>> tree.order.tolist(), tree.mother.tolist()
    ([0, 1, 2], [-1, 0, 0])
    """
    if info.n_features < 2:
        return naive(info)
    i1, i2, tie = first_cherry_and_tie(info)
    grown = grow(info, [i1, i2], np.zeros(info.n_features), tie)
    return chain_ordered(grown.mother, grown.gain, [i1, i2], tie)
