"""The most informative features of a very wide table, and a tree of these features alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import Counts
from gnbayes.structure._correction import corrected_class_information
from gnbayes.structure._information import Information
from gnbayes.structure._registry import choose_tree
from gnbayes.structure._tree import Tree, tree_among


def most_informative(values: Counts, n: int, always: Collection[int] = ()) -> NDArray[np.intp]:
    """The n features with the most information about the class, corrected for chance, in increasing order.

    Of equals, the first are taken.

    Parameters
    ----------
    values : Counts
        Counts of values; pairs are not used.
    n : int
        More if `always` has more.
    always : collection of int
        Features that are among them in any case.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import most_informative
    >>> codes, labels = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> values = count_values(CodedRows(codes, labels, np.full(3, 2), 2))
    >>> most_informative(values, 2).tolist(), most_informative(values, 2, [1]).tolist()
    ([0, 2], [0, 1])
    """
    gains = corrected_class_information(values)
    gains[list(always)] = np.inf
    return np.sort(np.argsort(-gains, kind="stable")[: max(n, len(set(always)))])


def counts_of(values: Counts, kept: NDArray[np.intp]) -> Counts:
    """Counts of the values of some features, or of all in another order, without pairs.

    Parameters
    ----------
    values : Counts
    kept : ndarray of shape (m,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import counts_of
    >>> codes, labels = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> values = count_values(CodedRows(codes, labels, np.full(3, 2), 2))
    >>> counts_of(values, np.array([1])).singles.tolist()
    [[1, 1], [1, 1]]
    """
    sizes = values.cardinalities[kept]
    first = values.offsets[kept] - (np.cumsum(sizes) - sizes)
    singles = values.singles[np.repeat(first, sizes) + np.arange(sizes.sum())]
    no_pairs = np.zeros((0, 2), dtype=np.intp)
    cells = np.zeros(0, dtype=values.singles.dtype)
    return replace(values, cardinalities=sizes, singles=singles, pairs=no_pairs, cells=cells)


def choose_tree_among(
    kept: NDArray[np.intp] | None, structure: str, information: str, info: Information, values: Counts
) -> Tree:
    """Learn a tree of some features, or of all if `kept` is None; other arguments as in `choose_tree`.

    Parameters
    ----------
    kept : ndarray of shape (m,), optional
        Increasing.
    structure, information
        As in `choose_tree`.
    info : Information
        Of all features.
    values : Counts
        Of all features.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import choose_tree_among, information
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> counts = count(CodedRows(codes, labels, np.full(3, 2), 2))
    >>> choose_tree_among(np.array([0, 2]), "gnb-o", "plug-in", information(counts), counts).mother.tolist()
    [-1, -1, 0]
    """
    if kept is None:
        return choose_tree(structure, information, info, values)
    own = Information(info.with_class[kept], np.ascontiguousarray(info.given_class[np.ix_(kept, kept)]))
    return tree_among(choose_tree(structure, information, own, counts_of(values, kept)), kept, values.n_features)
