"""Tables of features with many values, in which the classes of each value are shrunk toward those of all values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from gnbayes.counting import Counts
from gnbayes.model.parameters import class_shares, daughter_counts
from gnbayes.structure import Tree

# Features with more values are pooled.
MANY_VALUES = 20
# Numbers of rows to choose from that P(y | x_mother) counts for in every value.
STRENGTHS = 2.0 ** np.arange(0, 21)


def choose_pooling(counts: Counts, tree: Tree) -> NDArray[np.float64]:
    """How many rows P(y | x_mother) counts for in each value of a feature; 0 for features with at most 20 values.

    Parameters
    ----------
    counts : Counts
        Must include the tables of the tree's edges.
    tree : Tree

    Returns
    -------
    pooling : ndarray of shape (d,)

    Notes
    -----
    Chooses from `STRENGTHS` the t that maximizes the evidence of the classes, given the values of feature and parent,
    with Dirichlet priors t P(y | x_mother): prod_(m, x) [ Gamma(t) / Gamma(n_xm + t) prod_y Gamma(n_xmy + t q_my) /
    Gamma(t q_my) ].

    Examples
    --------
    A column of 50 random values, one of 50 that go with the class, and the class itself:

    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.model.pooling import choose_pooling
    >>> from gnbayes.structure import Tree
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.integers(0, 2, 500)
    >>> codes = np.column_stack([rng.integers(0, 50, 500), rng.integers(0, 25, 500) + 25 * labels, labels])
    >>> counts = count(CodedRows(codes, labels, np.array([50, 50, 2]), 2))
    >>> tree = Tree(np.array([-1, -1, -1]), np.arange(3), np.zeros(3))
    >>> choose_pooling(counts, tree).tolist()
    [1048576.0, 1.0, 0.0]
    """
    out = np.zeros(tree.n_features)
    for j in tree.order[counts.cardinalities[tree.order] > MANY_VALUES].tolist():
        cells = np.ascontiguousarray(daughter_counts(counts, tree, j), dtype=np.float64)
        evidence = [log_evidence(cells, strength) for strength in STRENGTHS]
        out[j] = STRENGTHS[int(np.argmax(evidence))]
    return out


def log_evidence(cells: NDArray[np.float64], strength: float) -> float:
    """Log-probability of the classes of all rows, in the order in which they come, with Dirichlet priors.

    Parameters
    ----------
    cells : ndarray of shape (v_mother, v, k)
    strength : float
    """
    # Combinations that do not occur add nothing.
    above, value, label = np.nonzero(cells)
    prior = strength * class_shares(cells)[above, 0, label]
    of_value = cells.sum(axis=2)
    of_cells = gammaln(cells[above, value, label] + prior) - gammaln(prior)
    return float(of_cells.sum() + (gammaln(strength) - gammaln(of_value + strength)).sum())
