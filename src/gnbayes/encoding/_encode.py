"""Encode a table as a matrix of small integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._byte_columns import MISSING_BYTE, byte_codes
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Table
from gnbayes.encoding._values import Kind
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
        With one column per feature, in the same order.
    features : sequence of Feature

    Returns
    -------
    codes : ndarray of shape (n, d)
        Unsigned integers of the smallest possible type, each column contiguous.
    """
    for feature, kind in zip(features, table.kinds, strict=True):
        check_kind(feature, kind)
    largest = max(feature.n_values for feature in features) + 1
    are_bytes = [largest <= MISSING_BYTE and _is_read_as_bytes(table, j, feature) for j, feature in enumerate(features)]
    if table.byte_columns is not None and all(are_bytes):
        return table.byte_columns.encoded(features)
    codes = np.zeros((table.n_rows, len(features)), dtype=np.min_scalar_type(largest), order="F")
    are_few = [
        not is_bytes and _has_few_numbers(feature, kind)
        for is_bytes, feature, kind in zip(are_bytes, features, table.kinds, strict=True)
    ]
    for columns, block in table.number_blocks(np.flatnonzero(are_few).tolist()):
        _encode_numbers(block, columns, features, codes)
    for j in np.flatnonzero(~np.array(are_few)).tolist():
        codes[:, j] = encode_column(table, j, features[j])
    return codes


def _is_read_as_bytes(table: Table, j: int, feature: Feature) -> bool:
    in_bytes = table.byte_columns
    return in_bytes is not None and bool(in_bytes.fits_byte[j]) and feature.transformer is None and not feature.is_text


def _has_few_numbers(feature: Feature, kind: Kind) -> bool:
    is_plain = feature.transformer is None and not feature.is_text and kind != "text"
    return is_plain and feature.n_values <= (_FEW_VALUES if native is None else MISSING_BYTE - 1)


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
    """Numeric columns of few values, all at once: the code is the number of thresholds that a value reaches."""
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
    """The same for one column, by the kernels."""
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
    """Codes of one column of text or numbers, shape (n,), by NumPy."""
    if column.dtype == object:
        lookup = {**feature.lookup, None: feature.missing_code}
        unseen = feature.unseen_code
        return np.fromiter((lookup.get(value, unseen) for value in column.tolist()), dtype=np.intp, count=len(column))
    column = transformed(column, feature)
    missing = np.isnan(column)
    if feature.is_text:  # a column without any value
        return np.full(len(column), feature.missing_code)
    codes = np.searchsorted(feature.cuts, column, side="right")
    if feature.kind == "category":
        codes[~feature.are_known(codes, column)] = feature.unseen_code
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
