"""The tree of parents, and the cherry junction tree it represents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Cluster = tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class Tree:
    """A GNB structure: every feature depends on the class and on one parent, which the paper calls its mother.

    This is the paper's definition "Generalized Bayes graph-structure".

    Parameters
    ----------
    mother : ndarray of shape (d,)
        Parent of each feature; -1 for the first feature, and for all features in naive Bayes.
    order : ndarray of shape (d,)
        Features in c-ordering: a parent always comes before its children. Shorter if only the first features are used.
    gain : ndarray, as long as `order`
        Contribution of each step to the weight, by position in the order: I(Xj; Y, X_mother), in nats.
    chosen : ndarray, as long as `order`, optional
        The same features in the order in which they were chosen for a weighted model, the one that adds most first;
        None if all are used, or the first of the c-ordering.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Tree
    >>> tree = Tree(np.array([-1, 0, 0]), np.array([0, 1, 2]), np.array([0.5, 0.3, 0.1]))
    >>> tree.clusters
    (('Y', 0, 1), ('Y', 0, 2))
    >>> tree.separators
    {('Y', 0): 1}
    >>> round(tree.weight, 3)
    0.9
    """

    mother: NDArray[np.intp]
    order: NDArray[np.intp]
    gain: NDArray[np.float64]
    chosen: NDArray[np.intp] | None = None

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.mother)

    def first(self, n_features: int) -> Tree:
        """The tree of the first features of the order; every prefix of a c-ordering is itself a tree.

        The other features stay in `mother`, without a parent, and are not in `order`.
        """
        kept = self.order[:n_features]
        mother = np.full_like(self.mother, -1)
        mother[kept] = self.mother[kept]
        return Tree(mother, kept, self.gain[:n_features])

    @property
    def weight(self) -> float:
        """Weight of the approximation (definition "weight of the approximation"): the sum of the gains."""
        return float(self.gain.sum())

    @property
    def weight_shares(self) -> NDArray[np.float64]:
        """Share of each feature in the weight, shape (d,): the gain of its step divided by the sum of all gains.

        This includes the information that a feature shares with its parent: a copy of another feature has a large
        share.
        """
        shares = np.zeros(self.n_features)
        shares[self.order] = self.gain / (self.weight or 1.0)
        return shares

    @property
    def edges(self) -> NDArray[np.intp]:
        """Pairs (smaller, larger) of a feature and its parent, in increasing order, shape (number of edges, 2)."""
        daughters = np.flatnonzero(self.mother >= 0)
        mothers = self.mother[daughters]
        smaller, larger = np.minimum(daughters, mothers), np.maximum(daughters, mothers)
        return np.stack([smaller, larger], axis=1)[np.argsort(smaller * self.n_features + larger)]

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """Clusters of the junction tree in c-ordering: the paper's list L3 of triplets ("Y", mother, feature).

        A feature with neither a parent nor children gives a pair ("Y", feature), as all features do in naive Bayes.
        """
        mothers = set(self.mother.tolist())
        clusters: list[Cluster] = []
        for feature in self.order.tolist():
            mother = int(self.mother[feature])
            if mother >= 0:
                clusters.append(("Y", mother, feature))
            elif feature not in mothers:
                clusters.append(("Y", feature))
        return tuple(clusters)

    @property
    def separators(self) -> dict[Cluster, int]:
        """Separators of the junction tree with their multiplicities: the paper's list L2 and v_S - 1."""
        clusters = self.clusters
        shared = [("Y",) if len(cluster) == 2 else ("Y", cluster[1]) for cluster in clusters[1:]]
        return dict(Counter(shared))


def tree_among(tree: Tree, kept: NDArray[np.intp], n_features: int) -> Tree:
    """A tree of some features, with their positions among all features; the others are not in its order.

    Parameters
    ----------
    tree : Tree
        By positions among the kept features.
    kept : ndarray of shape (m,)
        Positions of these among all features.
    n_features : int
        Number of all features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.structure import Tree, tree_among
    >>> tree = tree_among(Tree(np.array([-1, 0]), np.array([0, 1]), np.array([0.5, 0.3])), np.array([1, 3]), 4)
    >>> tree.mother.tolist(), tree.order.tolist()
    ([-1, -1, -1, 1], [1, 3])
    """
    mother = np.full(n_features, -1, dtype=np.intp)
    mother[kept] = np.where(tree.mother >= 0, kept[tree.mother], -1)
    return Tree(mother, kept[tree.order], tree.gain)
