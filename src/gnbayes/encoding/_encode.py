"""Features turn a table into a matrix of small integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._byte_columns import MISSING_BYTE, byte_codes
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Kind, Table
from gnbayes.kernels import native

# Up to this many values one comparison each is faster than a binary search by NumPy; the kernels always search.
_FEW_VALUES = 24
# Rows whose comparisons stay in cache.
_ROWS_AT_ONCE = 4096


def encode(table: Table, features: Sequence[Feature]) -> NDArray[Any]:
    """Codes of every value of a table.

    Parameters
    ----------
    table : Table
        With one column a feature, in the same order.
    features : sequence of Feature

    Returns
    -------
    codes : ndarray of shape (n, d)
        Unsigned integers, as small as they can be, each column contiguous.
    """
    largest = max(feature.n_values for feature in features) + 1
    in_bytes = table.byte_columns
    fits_byte = [False] * len(features) if in_bytes is None or largest > MISSING_BYTE else in_bytes.fits_byte.tolist()
    is_plain = []
    for feature, kind in zip(features, table.kinds, strict=True):
        is_text = feature.is_text
        if is_text != (kind == "text"):
            _check_kind(feature, kind)
        is_plain.append(feature.transformer is None and not is_text)
    if in_bytes is not None and all(fits_byte) and all(is_plain):
        return in_bytes.encoded(features)
    codes = np.zeros((table.n_rows, len(features)), dtype=np.min_scalar_type(largest), order="F")
    most = _FEW_VALUES if native is None else MISSING_BYTE - 1
    few: list[int] = []
    other: list[int] = []
    for j, (feature, kind) in enumerate(zip(features, table.kinds, strict=True)):
        if in_bytes is not None and fits_byte[j] and is_plain[j]:
            codes[:, j] = byte_codes(feature)[in_bytes.values[:, j]]
        elif is_plain[j] and kind != "text" and feature.n_values <= most:
            few.append(j)
        else:
            other.append(j)
    for columns, block in table.number_blocks(few):
        together = slice(columns[0], columns[-1] + 1)
        if native is not None:
            for t, j in enumerate(columns):
                codes[:, j] = encode_numbers(block[:, t], features[j])
        elif len(columns) == together.stop - together.start:
            _encode_block(block, features[together], codes[:, together])
        else:
            for t, j in enumerate(columns):
                _encode_block(block[:, t : t + 1], [features[j]], codes[:, j : j + 1])
    for j in other:
        texts, feature = table.texts(j), features[j]
        if texts is not None:
            codes[:, j] = texts.codes(feature.lookup, feature.missing_code, feature.unseen_code)
        else:
            codes[:, j] = _encode_column(table.columns[j], feature)
    return codes


def _check_kind(feature: Feature, kind: Kind) -> None:
    """Text and numbers do not go together, unless one of the two columns has no values at all."""
    if kind != "empty" and feature.n_values:
        was, now = ("text", "numbers") if feature.is_text else ("numbers", "text")
        raise ValueError(f"column {feature.name!r} held {was} in training and holds {now} here.")


def _encode_block(block: NDArray[np.float64], features: Sequence[Feature], out: NDArray[Any]) -> None:
    """Numeric columns of few values, all at once: the code is the number of thresholds that a value reaches."""
    n_values = np.array([feature.n_values for feature in features])
    lower = np.full((len(features), max(1, n_values.max())), np.inf)
    for row, feature in zip(lower, features, strict=True):
        row[: feature.n_values] = feature.lower_bounds
    row_starts = np.arange(0, lower.size, lower.shape[1])
    is_category = np.array([feature.kind == "category" for feature in features])
    missing_code = n_values.astype(out.dtype)
    for start in range(0, len(block), _ROWS_AT_ONCE):
        values, codes = block[start : start + _ROWS_AT_ONCE], out[start : start + _ROWS_AT_ONCE]
        for bound in lower.T[1:]:
            codes += values >= bound
        missing = np.isnan(values)
        if is_category.any():
            is_unseen = lower.take(codes + row_starts) != values
            if is_unseen.any():
                np.copyto(codes, missing_code + 1, where=is_unseen & is_category)
        if missing.any():
            np.copyto(codes, missing_code, where=missing)


def _encode_by_cuts(column: NDArray[np.float64], feature: Feature, out: NDArray[np.uint8]) -> None:
    """The same for one column, by the kernels."""
    bounds = feature.lower_bounds
    cuts = np.ascontiguousarray(bounds[1:])
    native.count_cuts(  # type: ignore[union-attr]
        np.require(column, requirements=["C", "A"]), len(column), cuts, len(cuts), feature.missing_code, out
    )
    if feature.kind == "category":
        is_known = np.append(bounds, np.nan)[out] == column
        out[~is_known & ~np.isnan(column)] = feature.unseen_code


def encode_numbers(column: NDArray[np.float64], feature: Feature) -> NDArray[Any]:
    """Codes of one column of numbers, shape (n,)."""
    if native is None or feature.n_values >= MISSING_BYTE:
        return _encode_column(column, feature)
    codes = np.empty(len(column), dtype=np.uint8)
    _encode_by_cuts(column, feature, codes)
    return codes


def _encode_column(column: NDArray[Any], feature: Feature) -> NDArray[np.intp]:
    if column.dtype == object:
        lookup = {**feature.lookup, None: feature.missing_code}
        unseen = feature.unseen_code
        return np.fromiter((lookup.get(value, unseen) for value in column.tolist()), dtype=np.intp, count=len(column))
    column = transformed(column, feature)
    missing = np.isnan(column)
    if feature.is_text:  # a column without any value
        return np.full(len(column), feature.missing_code)
    bounds = feature.lower_bounds
    codes = np.searchsorted(bounds[1:], column, side="right")
    if feature.kind == "category":
        codes[bounds[codes] != column] = feature.unseen_code
    codes[missing] = feature.missing_code
    return codes


def transformed(column: NDArray[Any], feature: Feature) -> NDArray[Any]:
    """A column as the feature's transformer gives it, where it has one; missing stays missing."""
    if feature.transformer is None:
        return column
    out = np.full(len(column), np.nan)
    kept = ~np.isnan(column)
    if kept.any():
        out[kept] = np.asarray(feature.transformer.transform(column[kept, None]), dtype=np.float64).ravel()
    return out
