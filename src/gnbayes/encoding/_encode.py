"""Encode a table as a matrix of small integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._byte_columns import KINDS, MISSING_BYTE, byte_codes
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Table
from gnbayes.encoding._values import Kind
from gnbayes.kernels import for_each, limit_threads, native, ranges

# Up to this many values, comparing with each is faster than NumPy's binary search; the C kernels always search.
_FEW_VALUES = 24
# Number of rows whose comparisons stay in cache, and number of rows per thread task.
_ROWS_AT_ONCE, _ROWS_OF_THREAD = 4096, 16384


def encode(table: Table, features: Sequence[Feature]) -> NDArray[Any]:
    """Codes of every value of a table.

    Parameters
    ----------
    table : Table
        With one column per feature, in the same order.
    features : sequence of Feature

    Returns
    -------
    codes : ndarray of shape (n, d)
        Unsigned integers of the smallest possible type, each column contiguous.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Feature, encode, read_array
    >>> age = Feature("age", "interval", edges=(40.0, 60.0), means=(31.0, 50.0, 70.5))
    >>> encode(read_array(np.array([[30.0], [40.0], [61.0]])), [age]).ravel().tolist()
    [0, 1, 2]
    """
    return Encoder(tuple(features)).encode(table)


@dataclass(frozen=True, eq=False)
class Encoder:
    """Features, and everything that can be shared when encoding several tables.

    Parameters
    ----------
    features : tuple of Feature

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Encoder, Feature, read_array
    >>> encoder = Encoder((Feature("age", "interval", edges=(40.0, 60.0), means=(31.0, 50.0, 70.5)),))
    >>> encoder.encode(read_array(np.array([[30.0], [40.0], [61.0]]))).ravel().tolist()
    [0, 1, 2]
    """

    features: tuple[Feature, ...]

    def encode(self, table: Table) -> NDArray[Any]:
        """Codes of every value of a table; see `encode`."""
        self._check_kinds(table)
        features, fits_byte = self.features, self._largest <= MISSING_BYTE
        in_bytes = table.byte_columns
        are_bytes = np.zeros(len(features), dtype=bool)
        if in_bytes is not None and fits_byte:
            are_bytes = in_bytes.fits_byte & self._are_plain
            if are_bytes.all():
                return in_bytes.encoded(features)
        codes = np.zeros((table.n_rows, len(features)), dtype=np.min_scalar_type(self._largest), order="F")
        are_left = np.ones(len(features), dtype=bool)
        matrix = table.matrix
        if native is not None and matrix is not None and fits_byte:
            by_cuts = self._are_intervals & ~are_bytes
            self._encode_matrix(matrix, by_cuts, codes, table.n_threads)
            are_left &= ~by_cuts
        if not are_left.any():
            return codes
        are_few = are_left & ~are_bytes & self._are_few & (np.array(table.kinds) != "text")
        for columns, block in table.number_blocks(np.flatnonzero(are_few).tolist()):
            _encode_numbers(block, columns, features, codes)
        for j in np.flatnonzero(are_left & ~are_few).tolist():
            codes[:, j] = encode_column(table, j, features[j])
        return codes

    @cached_property
    def unseen_codes(self) -> NDArray[np.intp]:
        """Code of a value never seen in training, for each feature, shape (d,)."""
        return np.array([feature.unseen_code for feature in self.features])

    @cached_property
    def _largest(self) -> int:
        return int(self.unseen_codes.max())

    @cached_property
    def _are_texts(self) -> NDArray[np.bool_]:
        return np.array([feature.is_text for feature in self.features])

    @cached_property
    def _are_plain(self) -> NDArray[np.bool_]:
        """Numeric features without a transformer."""
        return np.array([feature.transformer is None for feature in self.features]) & ~self._are_texts

    @cached_property
    def _are_few(self) -> NDArray[np.bool_]:
        most = _FEW_VALUES if native is None else MISSING_BYTE - 1
        return self._are_plain & (self.unseen_codes - 1 <= most)

    @cached_property
    def _are_intervals(self) -> NDArray[np.bool_]:
        """Features whose code is the number of cuts reached by the value."""
        return self._are_plain & np.array([feature.kind == "interval" for feature in self.features])

    @cached_property
    def _cuts(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Cuts of all binned features, concatenated, and where those of each feature begin."""
        edges = [feature.edges for feature in self.features]
        starts = np.cumsum([0, *map(len, edges)], dtype=np.int64)
        return np.fromiter(chain.from_iterable(edges), dtype=np.float64, count=int(starts[-1])), starts

    def _encode_matrix(
        self, matrix: NDArray[Any], which: NDArray[np.bool_], codes: NDArray[np.uint8], n_threads: int
    ) -> None:
        """Fill in the codes of binned features directly from a matrix, in one call for all columns."""
        columns, (cuts, starts) = np.flatnonzero(which).astype(np.int64), self._cuts
        if not len(columns):
            return
        if len(columns) < len(which):
            parts = [cuts[starts[j] : starts[j + 1]] for j in columns.tolist()]
            cuts, starts = np.concatenate(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64)
        missing, kind = (self.unseen_codes[columns] - 1).astype(np.uint8), KINDS.index(matrix.dtype.name)

        def count(rows: tuple[int, int]) -> None:
            native.count_matrix_cuts(  # type: ignore[union-attr]
                matrix, kind, *rows, columns, len(columns), starts, cuts, missing, codes
            )

        for_each(count, ranges(len(matrix), _ROWS_OF_THREAD), limit_threads(n_threads, matrix.size))

    def _check_kinds(self, table: Table) -> None:
        if self._are_texts.any() or "text" in table.kinds:
            for feature, kind in zip(self.features, table.kinds, strict=True):
                check_kind(feature, kind)


def _is_read_as_bytes(table: Table, j: int, feature: Feature) -> bool:
    in_bytes = table.byte_columns
    return in_bytes is not None and bool(in_bytes.fits_byte[j]) and feature.transformer is None and not feature.is_text


def _encode_numbers(
    block: NDArray[np.float64], columns: list[int], features: Sequence[Feature], codes: NDArray[Any]
) -> None:
    """Fill in the codes of some columns of numbers, whose values are given."""
    run = slice(columns[0], columns[-1] + 1)
    if native is not None:
        for t, j in enumerate(columns):
            codes[:, j] = encode_numbers(block[:, t], features[j])
    elif len(columns) == run.stop - run.start:
        _encode_block(block, features[run], codes[:, run])
    else:
        for t, j in enumerate(columns):
            _encode_block(block[:, t : t + 1], [features[j]], codes[:, j : j + 1])


def encode_column(table: Table, j: int, feature: Feature) -> NDArray[Any]:
    """Codes of column j of a table by a feature, shape (n,)."""
    in_bytes, texts = table.byte_columns, table.texts(j)
    if in_bytes is not None and feature.n_values < MISSING_BYTE and _is_read_as_bytes(table, j, feature):
        return byte_codes(feature)[in_bytes.values[:, j]]
    if texts is not None:
        return texts.codes(feature.lookup, feature.missing_code, feature.unseen_code)
    return encode_values(table.columns[j], feature)


def check_kind(feature: Feature, kind: Kind) -> None:
    """Text and numbers cannot be combined, unless one of the two columns has no values at all."""
    if feature.is_text != (kind == "text") and kind != "empty" and feature.n_values:
        was, now = ("text", "numbers") if feature.is_text else ("numbers", "text")
        raise ValueError(f"column {feature.name!r} held {was} in training and holds {now} here.")


def _encode_block(block: NDArray[np.float64], features: Sequence[Feature], out: NDArray[Any]) -> None:
    """Encode numeric columns with few values, all at once: the code is the number of thresholds reached."""
    n_values = np.array([feature.n_values for feature in features])
    cuts = np.full((len(features), max(1, n_values.max()) - 1), np.inf)
    for row, feature in zip(cuts, features, strict=True):
        own = feature.cuts
        row[: len(own)] = own
    are_categories = [j for j, feature in enumerate(features) if feature.kind == "category"]
    missing_code = n_values.astype(out.dtype)
    for start in range(0, len(block), _ROWS_AT_ONCE):
        values, codes = block[start : start + _ROWS_AT_ONCE], out[start : start + _ROWS_AT_ONCE]
        for cut in cuts.T:
            codes += values >= cut
        for j in are_categories:
            codes[~features[j].are_known(codes[:, j], values[:, j]), j] = features[j].unseen_code
        missing = np.isnan(values)
        if missing.any():
            np.copyto(codes, missing_code, where=missing)


def _encode_by_cuts(column: NDArray[np.float64], feature: Feature, out: NDArray[np.uint8]) -> None:
    """The same for one column, with the C kernels."""
    cuts = feature.cuts
    native.count_cuts(  # type: ignore[union-attr]
        np.require(column, requirements=["C", "A"]), len(column), cuts, len(cuts), feature.missing_code, out
    )
    if feature.kind == "category":
        out[~feature.are_known(out, column) & ~np.isnan(column)] = feature.unseen_code


def encode_numbers(column: NDArray[np.float64], feature: Feature) -> NDArray[Any]:
    """Codes of one column of numbers, shape (n,)."""
    if native is None or feature.n_values >= MISSING_BYTE:
        return encode_values(column, feature)
    codes = np.empty(len(column), dtype=np.uint8)
    _encode_by_cuts(column, feature, codes)
    return codes


def encode_values(column: NDArray[Any], feature: Feature) -> NDArray[np.intp]:
    """Codes of one column of text or numbers, shape (n,), with NumPy."""
    if column.dtype == object:
        lookup = {**feature.lookup, None: feature.missing_code}
        unseen = feature.unseen_code
        return np.fromiter((lookup.get(value, unseen) for value in column.tolist()), dtype=np.intp, count=len(column))
    column = transformed(column, feature)
    missing = np.isnan(column)
    if feature.is_text:  # the column has no values at all
        return np.full(len(column), feature.missing_code)
    codes = np.searchsorted(feature.cuts, column, side="right")
    if feature.kind == "category":
        codes[~feature.are_known(codes, column)] = feature.unseen_code
    codes[missing] = feature.missing_code
    return codes


def transformed(column: NDArray[Any], feature: Feature) -> NDArray[Any]:
    """A column after the feature's transformer, if it has one; missing values stay missing."""
    if feature.transformer is None:
        return column
    out = np.full(len(column), np.nan)
    kept = ~np.isnan(column)
    if kept.any():
        out[kept] = np.asarray(feature.transformer.transform(column[kept, None]), dtype=np.float64).ravel()
    return out
