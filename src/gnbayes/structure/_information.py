"""Information content of features and pairs of features about the class, from counts.

All of it comes from sums of ``c log c`` over the cells of tables, see `EntropySums`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gnbayes.counting import (
    CodedRows,
    Counts,
    PairCells,
    all_pair_cells,
    c_path,
    count_values,
    path,
    row_cells,
)
from gnbayes.kernels import for_each, native, ranges
from gnbayes.progress import Progress, silent
from gnbayes.structure._entropy_sums import EntropySums
from gnbayes.structure._tree import Tree

# Number of rows of cells whose terms are looked up together.
_ROWS_AT_ONCE = 64


class InformationLike(Protocol):
    """The input of structure learning: information of features and pairs of features, in nats.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import InformationLike, gnb_o, information
    >>> codes, xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> rows = CodedRows(codes, xor, np.array([2, 2]), 2)
    >>> info: InformationLike = information(count(rows))
    >>> gnb_o(info).mother.tolist()
    [-1, 0]
    """

    @property
    def with_class(self) -> NDArray[np.float64]:
        """I(Xj; Y) of every feature, shape (d,)."""

    @property
    def n_features(self) -> int:
        """Number of features."""

    def row(self, i: int) -> NDArray[np.float64]:
        """I(Xi; Xj | Y) of feature i and every j, contiguous, shape (d,); 0 for itself."""

    def rows(self, features: NDArray[np.intp]) -> NDArray[np.float64]:
        """The rows of several features, contiguous, shape (m, d)."""


@dataclass(frozen=True, eq=False)
class Information:
    """Mutual information of features with the class, and with each other given the class, in nats.

    Parameters
    ----------
    with_class : ndarray of shape (d,)
        I(Xj; Y), mutual information of each feature and the class: the paper's I(Y, Xj).
    given_class : ndarray of shape (d, d)
        I(Xi; Xj | Y), conditional mutual information of each pair given the class; symmetric, 0 on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information
    >>> codes, xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> rows = CodedRows(codes, xor, np.array([2, 2]), 2)
    >>> info = information(count(rows))
    >>> info.with_class.round(3).tolist(), info.given_class.round(3).tolist()
    ([0.0, 0.0], [[0.0, 0.693], [0.693, 0.0]])
    """

    with_class: NDArray[np.float64]
    given_class: NDArray[np.float64]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.with_class)

    @property
    def of_cherries(self) -> NDArray[np.float64]:
        """Information content I(Y, Xi, Xj) of every triplet, shape (d, d); the diagonal is meaningless.

        It is computed by the identity I(Y, Xi, Xj) = I(Y, Xi) + I(Xj; Y) + I(Xi; Xj | Y).
        """
        return self.with_class[:, None] + self.with_class + self.given_class

    def row(self, i: int) -> NDArray[np.float64]:
        """Row i of `given_class`, contiguous, shape (d,)."""
        return np.ascontiguousarray(self.given_class[i])

    def rows(self, features: NDArray[np.intp]) -> NDArray[np.float64]:
        """Rows of `given_class`, contiguous, shape (m, d)."""
        return np.ascontiguousarray(self.given_class[features])


class InformationByRow:
    """Like `Information`, but each row of `given_class` is computed on demand, so that memory is needed for rows only.

    Parameters
    ----------
    rows : CodedRows
    values : Counts
        Counts of the values of these rows.
    progress : callable
        Called with the share done; a tree needs every row twice.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import InformationByRow
    >>> codes, xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> rows = CodedRows(codes, xor, np.array([2, 2]), 2)
    >>> InformationByRow(rows, count_values(rows)).row(0).round(3).tolist()
    [0.0, 0.693]
    """

    def __init__(self, rows: CodedRows, values: Counts, progress: Progress = silent) -> None:
        self._rows, self._sums, self._progress = rows, EntropySums(values), progress
        self._n_asked = 0
        self.with_class = _with_class(self._sums)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.with_class)

    def rows(self, features: NDArray[np.intp]) -> NDArray[np.float64]:
        """Rows of I(Xi; Xj | Y), shape (m, d)."""
        out = np.empty((len(features), self.n_features))

        def fill(at: int) -> None:
            out[at] = self.row(int(features[at]))

        for_each(fill, range(len(features)), self._rows.n_threads)
        return out

    def row(self, i: int) -> NDArray[np.float64]:
        """Row i of I(Xi; Xj | Y), shape (d,)."""
        self._n_asked += 1
        self._progress(min(1.0, self._n_asked / (2 * self.n_features)))
        if path is c_path and c_path.can_sum_terms(self._rows):
            return c_path.information_row(self._rows, self._sums.scale(), i)
        sums, joint = self._sums, self._sums.of_features_and_class
        pair_sums = np.array([sums.terms(cells).sum() for cells in row_cells(self._rows, i)])
        out = sums.in_nats(pair_sums - joint[i] - joint + sums.of_class)
        out[i] = 0.0
        return out


def information(counts: Counts) -> Information:
    """Information of all features and pairs, from Counts with the tables of all pairs.

    Examples
    --------
    Two copies of a fair coin, and a class that equals them:

    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import information
    >>> coin = np.array([0, 1], dtype=np.uint8)
    >>> rows = CodedRows(np.stack([coin, coin], axis=1), coin.astype(int), np.array([2, 2]), n_classes=2)
    >>> info = information(count(rows))
    >>> info.with_class.round(6).tolist()
    [0.693147, 0.693147]
    >>> float(info.given_class[0, 1])
    0.0
    >>> round(float(info.of_cherries[0, 1]), 6)
    1.386294
    """
    if counts.pairs is not None:
        raise ValueError("information needs Counts of all pairs; count(rows) keeps them.")
    sums = EntropySums(counts)
    if native is not None and sums.is_whole:
        return Information(_with_class(sums), _of_cells(sums, counts))
    features = np.arange(counts.n_features)
    whole = PairCells(features, features, counts.cells, counts.offsets, counts.offsets, is_dense=True)
    return _information(sums, [whole])


def class_information(counts: Counts) -> NDArray[np.float64]:
    """I(Xj; Y) of every feature, shape (d,), from Counts with or without pair tables.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count_values
    >>> from gnbayes.structure import class_information
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> class_information(count_values(rows)).round(3).tolist()
    [0.693, 0.693, 0.0]
    """
    return _with_class(EntropySums(counts))


def class_gain(counts: Counts, mother: NDArray[np.intp]) -> NDArray[np.float64]:
    """Information of each feature about the class given its parent, I(Xj; Y | X_mother), shape (d,).

    I(Xj; Y) for a feature without a parent. The gain of a feature in the tree, I(Xj; Y, X_mother), also includes the
    information it shares with its parent; a copy of its parent has a large gain, and a class gain of 0.

    Parameters
    ----------
    counts : Counts
        Must include the pair table of every feature and its parent.
    mother : ndarray of shape (d,)

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import class_gain
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> class_gain(count(rows), np.array([-1, 0, 0])).round(3).tolist()  # the second is a copy of the first
    [0.693, 0.0, 0.0]
    """
    sums = EntropySums(counts)
    out = _with_class(sums)
    for j in np.flatnonzero(mother >= 0).tolist():
        m = int(mother[j])
        table = counts.pair(m, j)
        with_class, without_class = sums.terms(table).sum(), sums.terms(table.sum(axis=2)).sum()
        beyond = with_class - without_class - sums.of_features_and_class[m] + sums.of_features[m]
        out[j] = sums.in_nats(np.array([beyond]))[0]
    return out


def weighed(tree: Tree, counts: Counts) -> Tree:
    """The same tree with the plug-in gain of every step, I(Xj; Y, X_mother), regardless of how it was chosen.

    Parameters
    ----------
    tree : Tree
    counts : Counts
        Must include the pair table of every feature and its parent.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count
    >>> from gnbayes.structure import tan, information, weighed
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> counts = count(rows)
    >>> weighed(tan(information(counts)), counts).gain.round(3).tolist()
    [0.693, 0.693, 0.0]
    """
    sums = EntropySums(counts)
    joint, gain = sums.of_features_and_class, _with_class(sums)
    for j in np.flatnonzero(tree.mother >= 0).tolist():
        m = int(tree.mother[j])
        shared = sums.terms(counts.pair(m, j)).sum() - joint[m] - joint[j] + sums.of_class
        gain[j] += sums.in_nats(np.array([shared]))[0]
    return replace(tree, gain=gain[tree.order])


def information_of_rows(rows: CodedRows, values: Counts | None = None, progress: Progress = silent) -> Information:
    """Information of coded rows without storing pair tables: memory only for the d x d matrix.

    Parameters
    ----------
    rows : CodedRows
    values : Counts, optional
        Counts of the values of these rows, if already known.
    progress : callable
        Called with the share done.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows
    >>> from gnbayes.structure import information_of_rows
    >>> codes, labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([0, 0, 1, 1])
    >>> rows = CodedRows(codes, labels, np.full(3, 2), 2)
    >>> information_of_rows(rows).with_class.round(3).tolist()
    [0.693, 0.693, 0.0]
    """
    sums = EntropySums(count_values(rows) if values is None else values)
    if path is c_path and c_path.can_sum_terms(rows):
        return Information(_with_class(sums), c_path.information(rows, sums.scale(), progress))
    return _information(sums, all_pair_cells(rows, progress))


def information_of_blocks(values: Counts, blocks: Iterable[Counts]) -> Information:
    """Information from several Counts, each of some of the pairs, which need not be in memory at the same time.

    Parameters
    ----------
    values : Counts
        Counts of all values; pairs are not used.
    blocks : iterable of Counts
        Counts of some of the pairs; together they contain every pair once.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import CodedRows, count, count_values
    >>> from gnbayes.structure import information_of_blocks
    >>> codes, xor = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    >>> rows = CodedRows(codes, xor, np.array([2, 2]), 2)
    >>> blocks = [count(rows, np.array([(0, 1)]))]  # usually many, each with some of the pairs
    >>> information_of_blocks(count_values(rows), blocks).given_class.round(3).tolist()
    [[0.0, 0.693], [0.693, 0.0]]
    """
    sums = EntropySums(values)
    joint = sums.of_features_and_class
    given_class = np.zeros((len(joint),) * 2)
    for block in blocks:
        if block.pairs is None or not len(block.pairs):
            raise ValueError("information_of_blocks needs Counts of chosen pairs.")
        i, j = block.pairs.T
        starts = np.cumsum([0, *block.cardinalities[block.pairs[:-1]].prod(axis=1) * block.n_classes])
        pair_sums = np.add.reduceat(sums.terms(block.cells), starts)
        given_class[i, j] = given_class[j, i] = sums.in_nats(pair_sums - joint[i] - joint[j] + sums.of_class)
    return Information(_with_class(sums), given_class)


def _of_cells(sums: EntropySums, counts: Counts) -> NDArray[np.float64]:
    """Information of all pairs given the class from whole-number cells, by the kernels."""
    is_large = counts.cells.size > counts.n
    cells = counts.cells if is_large else _upper_terms(sums, counts.cells)
    out = np.zeros((counts.n_features, counts.n_features))
    native.cells_information(  # type: ignore[union-attr]
        *(cells, cells.itemsize, counts.offsets, counts.n_features, counts.n_classes),
        *(sums.scale(of_terms=not is_large), out),
    )
    return out


def _upper_terms(sums: EntropySums, cells: NDArray[np.integer]) -> NDArray[np.int64]:
    """Terms of the cells above the diagonal, and of a few others."""
    out = np.empty(cells.shape, dtype=np.int64)
    for start, stop in ranges(cells.shape[1], _ROWS_AT_ONCE):
        out[:, start:stop, start:] = sums.terms(cells[:, start:stop, start:])
    return out


def _information(sums: EntropySums, blocks: Iterable[PairCells]) -> Information:
    joint = sums.of_features_and_class
    pair_sums = np.zeros((len(joint),) * 2, dtype=sums.dtype)
    for block in blocks:
        by_value = sums.terms(block.cells).sum(axis=0)
        # Whole rows are summed one feature at a time, which is much faster than reduceat along the columns.
        by_left = np.stack([by_value[start:stop].sum(axis=0) for start, stop in pairwise(block.left_starts.tolist())])
        pair_sums[np.ix_(block.left, block.right)] = np.add.reduceat(by_left, block.right_starts[:-1], axis=1)
    upper = np.triu(pair_sums - joint[:, None] - joint + sums.of_class, 1)
    given_class = sums.in_nats(upper)
    return Information(_with_class(sums), given_class + given_class.T)


def _with_class(sums: EntropySums) -> NDArray[np.float64]:
    return sums.in_nats(sums.of_features_and_class - sums.of_features - sums.of_class + sums.total)
