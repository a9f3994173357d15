"""Rows as bit strings, counted by the C kernels: for rows without weights and features with few values.

Rows are sorted by class. Every value of a feature except the last has one bit per row; the last value is implied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gnbayes.kernels import LANES, for_each, native, ranges
from gnbayes.progress import Progress, silent

# Up to this many values, bits are faster than histograms; the number depends on the CPU's instructions.
_FEW_VALUES = {"avx512": 32, "avx512-base": 16, "avx2": 16, "portable": 12}
_WORD_ROWS = 64
# Number of tiles counted between two progress updates, where Ctrl-C takes effect.
_TILES_AT_ONCE = 8


class TermScale(NamedTuple):
    """How the kernels turn integer cells into information.

    Parameters
    ----------
    terms : ndarray of shape (n + 1,), or None
        Fixed-point c log c of every count; None if the cells already hold terms.
    of_features_and_class : ndarray of shape (d,)
        Sums of terms over the single tables by class.
    of_class : int
        Sum of terms over the classes.
    unit : float
        The number 1 in fixed point.
    n : float
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.counting import TermScale
    >>> scale = TermScale(None, np.zeros(2, dtype=np.int64), 0, 2.0**-40, 100.0)
    >>> scale.n, scale.unit == 2.0**-40
    (100.0, True)
    """

    terms: NDArray[np.int64] | None
    of_features_and_class: NDArray[np.int64]
    of_class: int
    unit: float
    n: float


def few_values() -> int:
    """Number of values up to which features are counted by bits."""
    return 0 if native is None else _FEW_VALUES[native.level()]


class PackedRows(NamedTuple):
    """Rows as bit strings, in the memory layout of the kernels.

    Parameters
    ----------
    words : ndarray
        The bits, 64 rows per word, by group, word, value and lane.
    starts : ndarray of shape (groups,)
        First word of each group.
    n_kept : ndarray of shape (groups,)
        Values of each group that have bits.
    class_words : ndarray of shape (k + 1,)
        First word of each class, and the end.
    class_rows : ndarray of shape (k,)
    singles : ndarray
        Rows by group, class, value and lane.
    single_starts : ndarray of shape (groups,)
        Where each group begins in `singles`.
    features : ndarray of shape (groups * 8,)
        Feature at each position, with equal numbers of values side by side; -1 for an empty position.
    cardinalities : ndarray of shape (groups * 8,)
    n_groups, n_classes : int
    """

    words: NDArray[np.uint64]
    starts: NDArray[np.int64]
    n_kept: NDArray[np.int64]
    class_words: NDArray[np.int64]
    class_rows: NDArray[np.int64]
    singles: NDArray[np.int64]
    single_starts: NDArray[np.int64]
    features: NDArray[np.int64]
    cardinalities: NDArray[np.int64]
    n_groups: int
    n_classes: int


@dataclass(frozen=True, eq=False)
class Bits:
    """Packed rows of some features, and the threads that count them."""

    packed: PackedRows
    n_threads: int

    @classmethod
    def of(
        cls,
        codes: NDArray[np.uint8],
        columns: NDArray[np.intp],
        features: NDArray[np.intp],
        cardinalities: NDArray[np.intp],
        labels: NDArray[np.intp],
        n_classes: int,
        n_threads: int,
    ) -> Self:
        """Pack some columns, each contiguous, that hold the given features of these cardinalities."""
        by_size = np.argsort(cardinalities, kind="stable")
        n_groups = -(-len(features) // LANES)
        lanes, places, sizes = np.full((3, n_groups * LANES), [[-1], [-1], [1]], dtype=np.int64)
        lanes[: len(features)] = columns[by_size]
        places[: len(features)] = features[by_size]
        sizes[: len(features)] = cardinalities[by_size]
        kept = sizes - 1
        n_kept = kept.reshape(-1, LANES).max(axis=1, initial=0)
        class_rows = np.bincount(labels, minlength=n_classes)
        class_words = np.concatenate([[0], np.cumsum(-(-class_rows // _WORD_ROWS))])
        starts, n_words = _starts(n_kept * LANES * class_words[-1])
        single_starts, n_singles = _starts(n_kept * LANES * n_classes)
        words, singles = _aligned(n_words), np.empty(n_singles, dtype=np.int64)

        def pack(g: int) -> None:
            here = slice(g * LANES, (g + 1) * LANES)
            native.pack(  # type: ignore[union-attr]
                *(codes, *codes.shape, lanes[here], labels, class_words, n_classes, kept[here]),
                *(int(n_kept[g]), words, int(starts[g]), singles, int(single_starts[g])),
            )

        for_each(pack, range(n_groups), n_threads)
        packed = PackedRows(
            words, starts, n_kept, class_words, class_rows, singles, single_starts, places, sizes, n_groups, n_classes
        )
        return cls(packed, n_threads)

    def count_values(self, offsets: NDArray[np.intp], out: NDArray[np.int64]) -> None:
        """Fill in the rows of `out`, shape (all values, k), that belong to the features."""
        at, packed = 0, self.packed
        for kept, n_groups in zip(*np.unique(packed.n_kept, return_counts=True), strict=True):
            # Groups are sorted by number of values.
            shape = (n_groups, packed.n_classes, kept, LANES)
            n = int(np.prod(shape))
            first = int(np.searchsorted(packed.n_kept, kept)) * LANES
            places = slice(first, first + int(n_groups) * LANES)
            by_lane = packed.singles[at : at + n].reshape(shape).transpose(0, 3, 2, 1)
            rows_of = by_lane.reshape(n_groups * LANES, kept, shape[1])
            at += n
            used = packed.features[places] >= 0
            start, size = offsets[packed.features[places][used]], packed.cardinalities[places][used]
            has_bits = np.arange(kept) < size[:, None] - 1
            out[(start[:, None] + np.arange(kept))[has_bits]] = rows_of[used][has_bits]
            out[start + size - 1] = packed.class_rows - rows_of[used].sum(axis=1)

    def count_pairs(self, offsets: NDArray[np.intp], cells: NDArray[np.integer], progress: Progress = silent) -> None:
        """Fill in the cells of all pairs of the features; `cells` as in `Counts`."""
        n_features = len(offsets) - 1
        self._for_each_tile("cells", (offsets, n_features, cells, cells.itemsize), progress)

    def information(self, scale: TermScale, out: NDArray[np.float64], progress: Progress = silent) -> None:
        """Fill in the information of all pairs of the features, shape (d, d), both halves."""
        self._for_each_tile("information", (scale, out, len(out)), progress)

    def information_row(self, feature: int, scale: TermScale, out: NDArray[np.float64]) -> None:
        """Fill in the information of one of the features and every other, shape (d,)."""
        place = int(np.flatnonzero(self.packed.features == feature)[0])
        native.information_row(  # type: ignore[union-attr]
            self.packed, place, 0, self.packed.n_groups, scale, out, len(out)
        )

    def _for_each_tile(self, kernel: str, arguments: tuple[Any, ...], progress: Progress) -> None:
        function = getattr(native, kernel)
        n_tiles = native.n_tiles(self.packed.n_groups)  # type: ignore[union-attr]

        def work(tiles: tuple[int, int]) -> None:
            function(self.packed, *tiles, *arguments)
            progress(tiles[1] / n_tiles)

        for_each(work, ranges(n_tiles, _TILES_AT_ONCE if n_tiles > 2 * _TILES_AT_ONCE else 1), self.n_threads)


def _starts(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    ends = np.cumsum(sizes)
    return ends - sizes, int(ends[-1]) if len(ends) else 0


def _aligned(n: int) -> NDArray[np.uint64]:
    """An array aligned to a cache line."""
    whole = np.empty(n + LANES, dtype=np.uint64)
    skipped = -whole.ctypes.data // 8 % LANES
    return whole[skipped : skipped + n]
