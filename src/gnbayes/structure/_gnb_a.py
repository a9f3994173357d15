"""GNB-A, the paper's greedy algorithm."""

from __future__ import annotations

from gnbayes.structure._growth import first_cherry_and_tie, grow, tree_in_order
from gnbayes.structure._information import InformationLike
from gnbayes.structure._naive import naive
from gnbayes.structure._tree import Tree


def gnb_a(info: InformationLike) -> Tree:
    """Algorithm GNB-A: start with the first cherry, then always add the most informative feature.

    Each step adds the outside feature with the largest I(Xj; Y, Xm) over parents m inside the tree. The order of the
    steps is the order of the features. O(d^2), compared with O(d^3) in the paper.

    Parameters
    ----------
    info : InformationLike

    Returns
    -------
    tree : Tree

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Information, gnb_a
    >>> given_class = np.array([[0.0, 0.1, 0.4], [0.1, 0.0, 0.2], [0.4, 0.2, 0.0]])
    >>> tree = gnb_a(Information(np.array([0.3, 0.5, 0.2]), given_class))
    >>> tree.order.tolist(), tree.mother.tolist()
    ([0, 1, 2], [-1, 0, 0])
    """
    if info.n_features < 2:
        return naive(info)
    i1, i2, tie = first_cherry_and_tie(info)
    return tree_in_order(grow(info, [i1, i2], info.with_class, tie))
