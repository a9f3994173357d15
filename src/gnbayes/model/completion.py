"""Rows with unknown features: the mean of P(y | x) over what the unknown features may be, given the known ones.

P(unknown | known) comes from the joint distribution along the tree: messages go from the leaves to the root, then the
class and the unknown features are drawn from the root down. Where the unknown features have few combinations, all are
gone through, each with its probability; else there is a fixed number of completions. Nothing is random: a completion is
found by one number from 0 to 1 per unknown feature, and these numbers are the same for all rows. They are a Latin
hypercube: along each feature they are spread evenly, and in what order is decided by a hash.

A tree counts evidence that features share more than once, so that its P(y | known) is too sure. The likelihood of the
classes is therefore raised to a power below 1 before a class is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

# Completions of a row; all combinations are gone through where they are no more.
N_COMPLETIONS = 512
# Power of the likelihood of the classes given what is known.
TEMPERING = 2 / 3
# Rows with their completions that are worked on at a time, and rows given to a thread at a time.
_ROWS_AT_ONCE, _ROWS_OF_THREAD = 2**15, 64


@dataclass(frozen=True, eq=False)
class Draws:
    """Completions of one row.

    Parameters
    ----------
    codes : ndarray of shape (m, d)
    weights : ndarray of shape (m,)
        Probability of each; the sum is 1.
    is_exact : bool
        Whether they are all there are, rather than a fixed number of them.
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
        For each feature the code in the joint distribution of every code.
    within : tuple of ndarray of shape (v_j, k)
        For each feature P(code | its code in the joint distribution, y).
    total : TermSum
        Scores, whose softmax is P(y | x).
    """

    joint: Joint
    maps: tuple[NDArray[np.intp], ...]
    within: tuple[Array, ...]
    total: TermSum

    def average(self, codes: NDArray[Any], n_threads: int = 1) -> Array:
        """P(y | what is known) of rows, shape (n, k).

        Parameters
        ----------
        codes : ndarray of shape (n, d)
            A code from the number of values of a feature on is unknown.
        n_threads : int, default=1
            Threads that share the rows; the result does not depend on it.
        """
        codes = np.ascontiguousarray(codes, dtype=np.uint32)
        out = np.empty((len(codes), len(self.total.start)))
        is_unknown = self._is_unknown(codes)
        points, point_rows = points_of(np.flatnonzero(is_unknown.any(axis=0)), codes.shape[1])
        if native is None:
            for rows, unknown in _by_pattern(is_unknown):
                for start, stop in ranges(len(rows), max(1, _ROWS_AT_ONCE // N_COMPLETIONS)):
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

    def draw(self, codes: NDArray[Any]) -> Draws:
        """The completions of one row, over which `average` takes the mean.

        Parameters
        ----------
        codes : ndarray of shape (d,)
            A code from the number of values of a feature on is unknown.
        """
        row = np.ascontiguousarray(codes, dtype=np.uint32)[None]
        unknown = np.flatnonzero(self._is_unknown(row)[0])
        points, _ = points_of(unknown, row.shape[1])
        values = {j: self.maps[j][np.minimum(row[:, j], len(self.maps[j]) - 1)] for j in range(row.shape[1])}
        order = [j for j in self.joint.tree.order.tolist() if j in set(unknown.tolist())]
        up, posterior = self._messages(row, values, set(order))
        if np.prod([float(len(self.maps[j])) for j in order]) <= N_COMPLETIONS:
            combinations = list(self._combinations(row, values, order, up, posterior))
            filled = np.concatenate([codes for codes, _ in combinations])
            return Draws(filled, np.concatenate([weight.sum(axis=1) for _, weight in combinations]), True)
        label = np.searchsorted(np.cumsum(posterior[0]), points[0], side="right").clip(0, posterior.shape[1] - 1)
        filled = np.repeat(row, N_COMPLETIONS, axis=0)
        drawn = {j: np.repeat(own, N_COMPLETIONS) for j, own in values.items()}
        point_of = dict(zip(unknown.tolist(), points[1:], strict=True))
        for j in order:
            below = np.repeat(up[j], N_COMPLETIONS, axis=0)
            drawn[j], filled[:, j] = self._draw(j, label, drawn, below, point_of[j])
        return Draws(filled, np.full(N_COMPLETIONS, 1 / N_COMPLETIONS), False)

    def _is_unknown(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        sizes = np.array([len(own) for own in self.maps])
        is_used = np.zeros(len(sizes), dtype=bool)
        is_used[self.joint.tree.order] = True
        return np.asarray((codes >= sizes) & is_used)

    @cached_property
    def _tables(self) -> list[Array]:
        return [np.exp(table) for table in self.joint.tables]

    def _average_alike(self, codes: NDArray[np.uint32], unknown: NDArray[np.intp], points: Array) -> Array:
        """The same in NumPy for rows in which the same features are unknown; points of the class, then of these."""
        values = {j: self.maps[j][np.minimum(codes[:, j], len(self.maps[j]) - 1)] for j in range(codes.shape[1])}
        order = [j for j in self.joint.tree.order.tolist() if j in set(unknown.tolist())]
        up, posterior = self._messages(codes, values, set(order))
        if np.prod([float(len(self.maps[j])) for j in order]) <= N_COMPLETIONS:
            return self._through_all(codes, values, order, up, posterior)
        point_of = dict(zip(unknown.tolist(), points[1:], strict=True))
        out = np.zeros_like(posterior)
        for m in range(N_COMPLETIONS):
            place = np.full((len(codes), 1), points[0, m])
            label = np.minimum((place >= np.cumsum(posterior, axis=1)).sum(axis=1), posterior.shape[1] - 1)
            filled, drawn = codes.copy(), dict(values)
            for j in order:
                drawn[j], filled[:, j] = self._draw(j, label, drawn, up[j], point_of[j][m])
            out += _softmax(self.total.scores(filled)[0])
        return np.asarray(out / N_COMPLETIONS)

    def _draw(
        self, j: int, label: NDArray[np.intp], drawn: dict[int, NDArray[np.intp]], up: Array, point: float | Array
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Values and codes of an unknown feature, given the class and the value of its mother in each row."""
        index = np.arange(len(label))
        reached = np.cumsum(self._shares(j, drawn, up)[index, :, label], axis=1)
        place = point * reached[:, -1]
        value = np.minimum((place[:, None] >= reached).sum(axis=1), reached.shape[1] - 1)
        below = np.where(value > 0, reached[index, value - 1], 0.0)
        width = reached[index, value] - below
        rest = np.where(width > 0, (place - below) / np.where(width > 0, width, 1.0), 0.5)
        own, within = self.maps[j], self.within[j]
        inside = np.where(own == value[:, None], within.T[label], 0.0)
        code = (rest[:, None] >= np.cumsum(inside, axis=1)).sum(axis=1)
        last = len(own) - 1 - np.argmax((own == value[:, None])[:, ::-1], axis=1)
        return value, np.minimum(code, last)

    def _shares(self, j: int, drawn: dict[int, NDArray[np.intp]], up: Array) -> Array:
        """P(x_j | y, x_mother) times what is known below, shape (n, v_j, k); even where that is impossible."""
        mother = int(self.joint.tree.mother[j])
        table = self._tables[j]
        shares = (table[drawn[mother]] if mother >= 0 else table) * up
        return np.where(shares.sum(axis=1, keepdims=True) > 0, shares, 1.0)

    def _messages(
        self, codes: NDArray[np.uint32], values: dict[int, NDArray[np.intp]], unknown: set[int]
    ) -> tuple[dict[int, Array], Array]:
        """What the known features below each feature say of its values, (n, v_j, k); and P(y | known), tempered."""
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

    def _through_all(
        self,
        codes: NDArray[np.uint32],
        values: dict[int, NDArray[np.intp]],
        order: list[int],
        up: dict[int, Array],
        posterior: Array,
    ) -> Array:
        """Mean over all combinations of the unknown features, each with its probability."""
        out = np.zeros_like(posterior)
        for filled, weight in self._combinations(codes, values, order, up, posterior):
            out += weight.sum(axis=1, keepdims=True) * _softmax(self.total.scores(filled)[0])
        return out

    def _combinations(
        self,
        codes: NDArray[np.uint32],
        values: dict[int, NDArray[np.intp]],
        order: list[int],
        up: dict[int, Array],
        posterior: Array,
    ) -> Iterator[tuple[NDArray[np.uint32], Array]]:
        """All combinations of the unknown features, and the probability of each with every class."""
        for combination in product(*(range(len(self.maps[j])) for j in order)):
            filled, drawn, weight = codes.copy(), dict(values), posterior
            for j, code in zip(order, combination, strict=True):
                shares = self._shares(j, drawn, up[j])
                value = int(self.maps[j][code])
                weight = weight * shares[:, value] / shares.sum(axis=1) * self.within[j][code]
                filled[:, j], drawn[j] = code, np.full(len(codes), value)
            yield filled, weight

    @cached_property
    def _arrays(self) -> tuple[Any, ...]:
        """What the kernel takes: order, nodes, tables, classes, codes and members, then the terms."""
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
    """Numbers from 0 to 1 that lead to completions: first those of the class, then those of unknown features.

    Parameters
    ----------
    unknown : ndarray of shape (m,)
    n_features : int

    Returns
    -------
    points : ndarray of shape (1 + m, N_COMPLETIONS)
        In each row the middles of as many intervals, in the order of a hash of their number and the feature.
    rows : ndarray of shape (d,)
        The row of each unknown feature; 0 for the others.
    """
    rows = np.zeros(n_features, dtype=np.int64)
    rows[unknown] = 1 + np.arange(len(unknown))
    order = np.argsort(_hashes(np.append(0, unknown + 1)), axis=1, kind="stable")
    return (order + 0.5) / N_COMPLETIONS, rows


def _hashes(streams: NDArray[Any]) -> NDArray[np.uint32]:
    """Well mixed numbers for every stream and place, shape (m, N_COMPLETIONS), by 32-bit arithmetic."""
    places = np.arange(N_COMPLETIONS, dtype=np.uint32)
    mixed: NDArray[np.uint32] = streams.astype(np.uint32)[:, None] * np.uint32(0x9E3779B1) + places
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        mixed ^= mixed >> np.uint32(shift)
        mixed *= np.uint32(factor)
    mixed ^= mixed >> np.uint32(16)
    return mixed


def _by_pattern(is_unknown: NDArray[np.bool_]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows that have the same unknown features, and these features."""
    patterns, which = np.unique(is_unknown, axis=0, return_inverse=True)
    return [(np.flatnonzero(which.ravel() == at), np.flatnonzero(pattern)) for at, pattern in enumerate(patterns)]


def _largest(values: Array, axes: Sequence[int]) -> Array:
    """Largest value along some axes, 1 where it is 0, with these axes kept."""
    largest = values.max(axis=tuple(axes), keepdims=True)
    return np.where(largest > 0, largest, 1.0)


def _softmax(scores: Array) -> Array:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
