"""Learn the features of a table, and extend them when later batches bring new values."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._encode import transformed
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Table
from gnbayes.encoding._validation import relative_weights
from gnbayes.encoding.discretizers import Discretizer, learn_with_transformer


def choose_categories(categorical_features: Any, table: Table) -> NDArray[np.bool_]:
    """Which columns are categories, from the `categorical_features` parameter.

    Text, booleans and columns that a frame declares categorical always are; a sequence adds columns of numbers, by
    name, by position or as a mask.
    """
    chosen = np.array([kind in ("text", "bool") for kind in table.kinds]) | np.array(table.is_category)
    if categorical_features is None or (isinstance(categorical_features, str) and categorical_features == "from_dtype"):
        return chosen
    if isinstance(categorical_features, str):
        raise ValueError(
            "categorical_features must be 'from_dtype' or a sequence of names, positions or booleans, got "
            f"{categorical_features!r} instead."
        )
    given = list(categorical_features)
    if given and all(isinstance(item, bool | np.bool_) for item in given):
        if len(given) != table.n_columns:
            raise ValueError(f"categorical_features is a mask of {len(given)}, but X has {table.n_columns} columns.")
        return chosen | np.array(given, dtype=bool)
    for item in given:
        at = table.position(item)
        if at is None:
            raise ValueError(f"categorical_features names {item!r}, which is not a column of X.")
        chosen[at] = True
    return chosen


def learn_features(
    table: Table,
    discretizer: Any,
    is_category: NDArray[np.bool_],
    labels: NDArray[np.intp],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
) -> list[Feature]:
    """Learn one Feature a column.

    Parameters
    ----------
    table : Table
    discretizer : object
        From `choose_discretizer`.
    is_category : ndarray of shape (d,)
        Columns whose values are left as they are.
    labels : ndarray of shape (n,)
    n_classes : int
    weights : ndarray of shape (n,), optional
        Where they are not whole numbers only their ratios count.
    """
    # A batch has its weights as they came.
    weights = None if weights is None else relative_weights(weights)
    numeric = np.flatnonzero(~is_category).tolist()
    if isinstance(discretizer, Discretizer):
        learned = discretizer.learn(table, numeric, labels, n_classes, weights)
    else:
        learned = [
            learn_with_transformer(discretizer, table.names[j], table.columns[j], labels, weights) for j in numeric
        ]
    features = dict(zip(numeric, learned, strict=True))
    for j in np.flatnonzero(is_category).tolist():
        features[j] = _learn_category(table.names[j], table, j)
    return [features[j] for j in range(table.n_columns)]


def extend_features(features: Sequence[Feature], table: Table) -> list[Feature]:
    """Add the categories, and the missing values, that a further batch brings. Intervals stay as they are."""
    extended = []
    for j, feature in enumerate(features):
        new = _learn_category(feature.name, table, j, feature) if feature.kind == "category" else None
        if new is not None and (new.is_text == feature.is_text or not feature.n_values):
            categories = _sorted({*feature.categories, *new.categories})
            feature = feature if categories == feature.categories else replace(feature, categories=categories)
        has_missing = feature.has_missing or (new.has_missing if new is not None else _has_missing(table, j))
        extended.append(feature if has_missing == feature.has_missing else replace(feature, has_missing=True))
    return extended


def new_codes(old: Feature, new: Feature) -> NDArray[np.intp]:
    """The code in `new`, an extension of `old`, of each code of `old`."""
    if old.kind == "interval":
        codes = list(range(old.n_values))
    else:
        codes = [new.lookup[category] for category in old.categories]
    if old.has_missing or not codes:
        codes.append(new.missing_code if old.has_missing else 0)
    return np.array(codes, dtype=np.intp)


def _learn_category(name: str, table: Table, j: int, known: Feature | None = None) -> Feature:
    in_bytes = table.byte_columns
    if in_bytes is not None and in_bytes.fits_byte[j] and (known is None or known.transformer is None):
        found: tuple[Any, ...] = in_bytes.categories(j)
        found = tuple(map(bool, found)) if table.kinds[j] == "bool" else found
        return Feature(name, "category", categories=found, has_missing=in_bytes.has_missing(j))
    texts = table.texts(j)
    if texts is not None:
        return Feature(name, "category", categories=_sorted({*texts.values}), has_missing=texts.has_missing)
    column = table.columns[j] if known is None else transformed(table.columns[j], known)
    if table.kinds[j] == "text":
        values = set(column.tolist())
        has_missing = None in values
        return Feature(name, "category", categories=_sorted(values - {None}), has_missing=has_missing)
    missing = np.isnan(column)
    numbers = np.unique(column[~missing] + 0.0)
    categories = tuple((numbers.astype(bool) if table.kinds[j] == "bool" else numbers).tolist())
    return Feature(name, "category", categories=categories, has_missing=bool(missing.any()))


def _has_missing(table: Table, j: int) -> bool:
    if table.byte_columns is not None and table.byte_columns.fits_byte[j]:
        return table.byte_columns.has_missing(j)
    column = table.columns[j]
    return None in column.tolist() if column.dtype == object else bool(np.isnan(column).any())


def _sorted(values: set[Any]) -> tuple[Hashable, ...]:
    return tuple(sorted(values))
