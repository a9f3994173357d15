"""How well a tree approximates the data: the quantities of the paper's theorems."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import CodedRows, count_values
from gnbayes.structure._information import Information, information_of_rows
from gnbayes.structure._tree import Cluster, Tree


def entropy(counts: NDArray[Any]) -> float:
    """Entropy, in nats, of the distribution given by counts.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import entropy
    >>> round(entropy(np.array([5, 5])), 6)
    0.693147
    """
    share = np.asarray(counts, dtype=np.float64).ravel() / np.sum(counts)
    share = share[share > 0]
    return float(-(share * np.log(share)).sum())


def weight(info: Information, tree: Tree) -> float:
    """Weight of a structure by the paper's formula: information of the clusters minus that of the separators.

    It is the sum of the triplets' information contents I(Y, X_mother, Xi), minus I(Y, X_mother) for each separator,
    times its multiplicity. Equal to ``tree.weight`` for the trees of this package.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import gnb_o, information, weight
    >>> codes, xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> rows = CodedRows(codes, xor, np.array([2, 2]), 2)
    >>> info = information(count(rows))
    >>> round(weight(info, gnb_o(info)), 3), round(gnb_o(info).weight, 3)
    (0.693, 0.693)
    """
    cherries = info.of_cherries

    def content(members: Cluster) -> float:
        features = [int(member) for member in members[1:]]
        if len(features) == 2:
            return float(cherries[features[0], features[1]])
        return float(info.with_class[features].sum())

    clusters = sum(content(cluster) for cluster in tree.clusters)
    return clusters - sum(times * content(separator) for separator, times in tree.separators.items())


def kl_divergence(rows: CodedRows, tree: Tree) -> float:
    """Kullback-Leibler divergence between the data and a tree's distribution, in nats (theorems on NB and on GNB).

    ``sum H(Xi) + H(Y) - H(X, Y) - weight``: the better the tree fits, the closer to 0.

    Parameters
    ----------
    rows : CodedRows
    tree : Tree

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.structure import gnb_a, information_of_rows, kl_divergence
    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)
    >>> rows = CodedRows(codes, np.array([0, 1, 1, 0]), np.array([2, 2]), n_classes=2)
    >>> tree = gnb_a(information_of_rows(rows))
    >>> round(kl_divergence(rows, tree), 12)
    0.0
    """
    counts = count_values(rows)
    alone = sum(entropy(counts.single(j).sum(axis=1)) for j in range(rows.n_features)) + entropy(counts.classes)
    table = np.column_stack([rows.codes, rows.labels])
    inverse = np.unique(table, axis=0, return_inverse=True)[1]
    of_rows = entropy(np.bincount(inverse.ravel(), rows.weights))
    return max(0.0, alone - of_rows - weight(information_of_rows(rows), tree))
