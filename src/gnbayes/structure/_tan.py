"""TAN, the tree-augmented naive Bayes of Friedman, Geiger and Goldszmidt (1997)."""

from __future__ import annotations

import numpy as np

from gnbayes.structure._growth import chain_ordered, grow, tie_of
from gnbayes.structure._information import InformationLike
from gnbayes.structure._tree import Tree


def tan(info: InformationLike) -> Tree:
    """The heaviest tree of all: a maximum spanning tree under I(Xi; Xj | Y).

    The root is the most informative feature about the class. Features are ordered as in `gnb_o`.

    Parameters
    ----------
    info : InformationLike

    Returns
    -------
    tree : Tree

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Information, tan
    >>> given_class = np.array([[0.0, 0.1, 0.4], [0.1, 0.0, 0.2], [0.4, 0.2, 0.0]])
    >>> tree = tan(Information(np.array([0.3, 0.5, 0.2]), given_class))
    >>> tree.order.tolist(), tree.mother.tolist()
    ([1, 2, 0], [2, -1, 1])
    """
    tie = tie_of(info)
    root = int(np.argmax(info.with_class >= info.with_class.max() - tie))
    grown = grow(info, [root], np.zeros(info.n_features), tie)
    return chain_ordered(grown.mother, grown.gain, [root], tie)
