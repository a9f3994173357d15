"""Rows with unknown features: the mean of P(y | x) over the possible values of the unknown features.

P(unknown | known) comes from the joint distribution along the tree: messages go from the leaves to the root, then the
class and the unknown features are drawn from the root down. If the unknown features have few combinations, all of them
are used, each with its probability; otherwise a fixed number of completions. Nothing is random: a completion is
determined by one number from 0 to 1 per unknown feature, and these numbers are the same for all rows. They form a Latin
hypercube: along each feature they are evenly spaced, in an order given by a hash.

A tree counts evidence that several features share more than once, so its P(y | known) is overconfident. The likelihood
of the classes is therefore raised to a power below 1 before a class is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import for_each, limit_threads, native, ranges
from gnbayes.model.joint import Joint
from gnbayes.model.term import TermSum

Array = NDArray[np.float64]

# Number of completions of a row; if there are no more combinations than this, all of them are used.
N_COMPLETIONS = 512
# Power to which the likelihood of the classes given the known features is raised.
TEMPERING = 2 / 3
# Number of completions, and of table cells, that NumPy processes at a time; rows per thread task.
_ROWS_AT_ONCE, _CELLS_AT_ONCE, _ROWS_OF_THREAD = 2**15, 2**22, 64


@dataclass(frozen=True, eq=False)
class Draws:
    """Completions of one row.

    Parameters
    ----------
    codes : ndarray of shape (m, d)
    weights : ndarray of shape (m,)
        Probability of each; the sum is 1.
    is_exact : bool
        Whether these are all combinations, rather than a fixed number of completions.
    """

    codes: NDArray[np.uint32]
    weights: Array
    is_exact: bool


@dataclass(frozen=True, eq=False)
class Completion:
    """A joint distribution over coarse codes, the codes within them, and the terms that give P(y | x).

    Parameters
    ----------
    joint : Joint
    maps : tuple of ndarray of shape (v_j,)
        For each feature, the code in the joint distribution of every code.
    within : tuple of ndarray of shape (v_j, k)
        For each feature, P(code | its code in the joint distribution, y).
    total : TermSum
        The scores; P(y | x) is their softmax.
    """

    joint: Joint
    maps: tuple[NDArray[np.intp], ...]
    within: tuple[Array, ...]
    total: TermSum

    def average(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """P(y | known features) of rows, shape (n, k).

        Parameters
        ----------
        codes : ndarray of shape (n, d)
            Codes from the number of values of a feature on are unknown.
        n_threads : int, default=1
            Number of threads; the result does not depend on it.
        """
        codes = np.ascontiguousarray(codes, dtype=np.uint32)
        out = np.empty((len(codes), len(self.total.start)))
        is_unknown = self._is_unknown(codes)
        points, point_rows = points_of(np.flatnonzero(is_unknown.any(axis=0)), codes.shape[1])
        if native is None:
            for rows, unknown in _by_pattern(is_unknown):
                for start, stop in ranges(len(rows), self._rows_at_once):
                    some = rows[start:stop]
                    out[some] = self._average_alike(codes[some], unknown, points[[0, *point_rows[unknown]]])
            return out
        arrays = self._arrays

        def average(rows: tuple[int, int]) -> None:
            native.average_completions(
                *(codes, *codes.shape, *arrays, len(self.total.start), points, point_rows, len(points)),
                *(N_COMPLETIONS, *rows, out),
            )

        for_each(average, ranges(len(codes), _ROWS_OF_THREAD), limit_threads(n_threads, out.size * N_COMPLETIONS))
        return out

    @cached_property
    def _rows_at_once(self) -> int:
        """Number of rows whose completions, and whose shares for the largest table, fit into memory."""
        return max(1, min(_ROWS_AT_ONCE // N_COMPLETIONS, _CELLS_AT_ONCE // max(t.size for t in self._tables)))

    def draw(self, codes: NDArray[Any]) -> Draws:
        """The completions of one row, over which `average` takes the mean.

        Parameters
        ----------
        codes : ndarray of shape (d,)
            Codes from the number of values of a feature on are unknown.
        """
        row = np.ascontiguousarray(codes, dtype=np.uint32)[None]
        unknown = np.flatnonzero(self._is_unknown(row)[0])
        filled, weights, is_exact = self._completed(row, unknown, points_of(unknown, row.shape[1])[0])
        return Draws(filled, weights[:, 0], is_exact)

    def _is_unknown(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        sizes = np.array([len(own) for own in self.maps])
        is_used = np.zeros(len(sizes), dtype=bool)
        is_used[self.joint.tree.order] = True
        return np.asarray((codes >= sizes) & is_used)

    @cached_property
    def _tables(self) -> list[Array]:
        return [np.exp(table) for table in self.joint.tables]

    def _average_alike(self, codes: NDArray[np.uint32], unknown: NDArray[np.intp], points: Array) -> Array:
        """The same in NumPy for rows with the same unknown features; points for the class, then for these features."""
        filled, weights, _ = self._completed(codes, unknown, points)
        proba = weights * _softmax(self.total.scores(filled)[0])
        # Summed one after the other, as in the kernel.
        return np.asarray(np.cumsum(proba.reshape(len(codes), -1, proba.shape[1]), axis=1)[:, -1])

    def _completed(
        self, codes: NDArray[np.uint32], unknown: NDArray[np.intp], points: Array
    ) -> tuple[NDArray[np.uint32], Array, bool]:
        """Completions of such rows, the same number for each row, their weights, and whether they are all
        combinations.
        """
        values = {j: self.maps[j][np.minimum(codes[:, j], len(self.maps[j]) - 1)] for j in range(codes.shape[1])}
        order = [j for j in self.joint.tree.order.tolist() if j in set(unknown.tolist())]
        up, posterior = self._messages(codes, values, set(order))
        if np.prod([float(len(self.maps[j])) for j in order]) <= N_COMPLETIONS:
            return *self._all_combinations(codes, values, order, up, posterior), True
        point_of = dict(zip(unknown.tolist(), points[1:], strict=True))
        return *self._drawn(codes, values, order, up, posterior, points[0], point_of), False

    def _drawn(
        self,
        codes: NDArray[np.uint32],
        values: dict[int, NDArray[np.intp]],
        order: list[int],
        up: dict[int, Array],
        posterior: Array,
        class_points: Array,
        point_of: dict[int, Array],
    ) -> tuple[NDArray[np.uint32], Array]:
        """Completions of all rows, N_COMPLETIONS per row, and their weights."""
        rows = np.repeat(np.arange(len(codes)), len(class_points))
        place = np.tile(class_points, len(codes))[:, None]
        reached = np.cumsum(posterior, axis=1)[rows]
        label = np.minimum((place >= reached).sum(axis=1), posterior.shape[1] - 1)
        filled = codes[rows]
        drawn: dict[int, NDArray[np.intp]] = {}
        for j in order:
            reached = np.cumsum(self._shares(j, up[j]), axis=2)
            of_mother = self._above(j, rows, values, drawn)
            point = np.tile(point_of[j], len(codes))
            drawn[j], filled[:, j] = self._draw(j, label, reached[rows, of_mother, :, label], point)
        return filled, np.full((len(rows), 1), 1.0 / len(class_points))

    def _draw(
        self, j: int, label: NDArray[np.intp], reached: Array, point: Array
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Values and codes of an unknown feature from its cumulative probabilities, given the class."""
        index = np.arange(len(label))
        place = point * reached[:, -1]
        value = np.minimum((place[:, None] >= reached).sum(axis=1), reached.shape[1] - 1)
        below = np.where(value > 0, reached[index, value - 1], 0.0)
        width = reached[index, value] - below
        rest = np.where(width > 0, (place - below) / np.where(width > 0, width, 1.0), 0.5)
        own, within = self.maps[j], self.within[j]
        inside = np.where(own == value[:, None], within.T[label], 0.0)
        code = (rest[:, None] >= np.cumsum(inside, axis=1)).sum(axis=1)
        last = len(own) - 1 - np.argmax(own[::-1] == np.arange(reached.shape[1])[:, None], axis=1)
        return value, np.minimum(code, last[value])

    def _above(
        self,
        j: int,
        rows: NDArray[np.intp],
        values: dict[int, NDArray[np.intp]],
        drawn: dict[int, NDArray[np.intp]],
    ) -> NDArray[np.intp]:
        """The value of the parent of a feature in each completion; 0 if it has none."""
        mother = int(self.joint.tree.mother[j])
        if mother < 0:
            return np.zeros(len(rows), dtype=np.intp)
        return drawn[mother] if mother in drawn else values[mother][rows]

    def _shares(self, j: int, up: Array) -> Array:
        """P(x_j | y, x_mother) times the likelihood of the subtree, shape (n, v_mother, v_j, k); uniform if
        impossible.
        """
        shares = self._tables[j] * up[:, None]
        return np.where(shares.sum(axis=2, keepdims=True) > 0, shares, 1.0)

    def _messages(
        self, codes: NDArray[np.uint32], values: dict[int, NDArray[np.intp]], unknown: set[int]
    ) -> tuple[dict[int, Array], Array]:
        """Likelihood of the known features below each feature for its values, (n, v_j, k); and tempered P(y |
        known).
        """
        tree, index = self.joint.tree, np.arange(len(codes))
        up = {j: np.ones((len(codes), *self._tables[j].shape[1:])) for j in tree.order.tolist()}
        likelihood = np.ones((len(codes), len(self.total.start)))
        for j in tree.order[::-1].tolist():
            table, mother = self._tables[j], int(tree.mother[j])
            if j in unknown:
                message = np.einsum("abk,nbk->nak", table, up[j])
            else:
                message = table[:, values[j]].transpose(1, 0, 2) * up[j][index, values[j]][:, None]
            if mother < 0:
                likelihood *= message[:, 0]
                likelihood /= _largest(likelihood, (1,))
            else:
                up[mother] *= message
                relevant = up[mother] if mother in unknown else up[mother][index, values[mother]][:, None]
                up[mother] /= _largest(relevant, (1, 2))
        posterior = np.exp(self.joint.log_prior) * likelihood**TEMPERING
        sums = posterior.sum(axis=1, keepdims=True)
        prior = np.exp(self.joint.log_prior)
        return up, np.where(sums > 0, posterior / np.where(sums > 0, sums, 1.0), prior)

    def _all_combinations(
        self,
        codes: NDArray[np.uint32],
        values: dict[int, NDArray[np.intp]],
        order: list[int],
        up: dict[int, Array],
        posterior: Array,
    ) -> tuple[NDArray[np.uint32], Array]:
        """All combinations of the unknown features of each row, and their probabilities."""
        combinations = np.array(list(product(*(range(len(self.maps[j])) for j in order))), dtype=np.intp)
        rows = np.repeat(np.arange(len(codes)), len(combinations))
        filled, weights = codes[rows], posterior[rows]
        drawn: dict[int, NDArray[np.intp]] = {}
        for j, column in zip(order, combinations.T, strict=True):
            shares = self._shares(j, up[j])
            shares /= shares.sum(axis=2, keepdims=True)
            filled[:, j] = np.tile(column, len(codes))
            of_mother = self._above(j, rows, values, drawn)
            drawn[j] = self.maps[j][filled[:, j]]
            weights = weights * shares[rows, of_mother, drawn[j]] * self.within[j][filled[:, j]]
        return filled, weights.sum(axis=1, keepdims=True)

    @cached_property
    def _arrays(self) -> tuple[Any, ...]:
        """Arguments of the kernel: order, nodes, tables, classes, codes and members, then the terms."""
        joint, tree, k = self.joint, self.joint.tree, len(self.total.start)
        sizes, n_codes = joint.cardinalities, np.array([len(own) for own in self.maps])
        cells = np.array([table.size for table in joint.tables])
        starts = [np.cumsum(lengths) - lengths for lengths in (cells, sizes * k, n_codes, sizes + 1)]
        nodes = np.stack([tree.mother, sizes, n_codes, *starts, starts[2] * k], axis=1).astype(np.int64)
        members = [np.concatenate([[0], np.cumsum(np.bincount(own))]) for own in self.maps]
        codes = [np.argsort(own, kind="stable") for own in self.maps]
        packed = self.total.packed
        return (
            *(tree.order.astype(np.int64), len(tree.order), nodes),
            *(np.concatenate([table.ravel() for table in self._tables]), int(cells.sum())),
            *(np.exp(joint.log_prior), TEMPERING, np.concatenate([share.ravel() for share in self.within])),
            *(np.concatenate(self.maps).astype(np.int32), int(n_codes.sum())),
            *(np.concatenate(members).astype(np.int32), int((sizes + 1).sum())),
            *(np.concatenate(codes).astype(np.int32), int((sizes * k).sum())),
            *(packed.terms, len(packed.terms), packed.offsets, len(packed.offsets)),
            *(packed.tables, len(packed.tables), self.total.start),
        )


def points_of(unknown: NDArray[np.intp], n_features: int) -> tuple[Array, NDArray[np.int64]]:
    """Numbers from 0 to 1 that determine completions: first those of the class, then those of unknown features.

    Parameters
    ----------
    unknown : ndarray of shape (m,)
    n_features : int

    Returns
    -------
    points : ndarray of shape (1 + m, N_COMPLETIONS)
        Each row has the midpoints of N_COMPLETIONS intervals, ordered by a hash of their number and the feature.
    rows : ndarray of shape (d,)
        The row of each unknown feature; 0 for the others.
    """
    rows = np.zeros(n_features, dtype=np.int64)
    rows[unknown] = 1 + np.arange(len(unknown))
    order = np.argsort(_hashes(np.append(0, unknown + 1)), axis=1, kind="stable")
    return (order + 0.5) / N_COMPLETIONS, rows


def _hashes(streams: NDArray[Any]) -> NDArray[np.uint32]:
    """A hash of every stream and position, shape (m, N_COMPLETIONS), with 32-bit arithmetic."""
    places = np.arange(N_COMPLETIONS, dtype=np.uint32)
    hashed: NDArray[np.uint32] = streams.astype(np.uint32)[:, None] * np.uint32(0x9E3779B1) + places
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        hashed ^= hashed >> np.uint32(shift)
        hashed *= np.uint32(factor)
    hashed ^= hashed >> np.uint32(16)
    return hashed


def _by_pattern(is_unknown: NDArray[np.bool_]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Groups of rows with the same unknown features, and these features."""
    patterns, which = np.unique(is_unknown, axis=0, return_inverse=True)
    return [(np.flatnonzero(which.ravel() == at), np.flatnonzero(pattern)) for at, pattern in enumerate(patterns)]


def _largest(values: Array, axes: Sequence[int]) -> Array:
    """Largest value along some axes, which are kept; 1 if it is 0."""
    largest = values.max(axis=tuple(axes), keepdims=True)
    return np.where(largest > 0, largest, 1.0)


def _softmax(scores: Array) -> Array:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
