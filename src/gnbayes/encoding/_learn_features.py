"""Learn the features of a table, and extend them when later batches bring new values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding._encode import encode_column, transformed
from gnbayes.encoding._feature import Feature
from gnbayes.encoding._table import Table
from gnbayes.encoding._validation import relative_weights
from gnbayes.encoding.discretizers import Discretizer, learn_with_transformer

# The order of more categories is ignored: smoothing along it would need a number for every pair of categories.
_MOST_ORDERED = 256


def choose_categories(categorical_features: Any, table: Table) -> NDArray[np.bool_]:
    """Which columns are categories, from the `categorical_features` parameter.

    Text, booleans and columns that a frame declares categorical always are; a sequence adds columns of numbers, by
    name, by position or as a mask.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.encoding import choose_categories, read_frame
    >>> table = read_frame(pd.DataFrame({"age": [31, 50], "ward": [1, 2], "sex": ["f", "m"]}))
    >>> choose_categories("from_dtype", table).tolist()
    [False, False, True]
    >>> choose_categories(["ward"], table).tolist()
    [False, True, True]
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
    """Learn one Feature per column.

    Parameters
    ----------
    table : Table
    discretizer : object
        From `choose_discretizer`.
    is_category : ndarray of shape (d,)
        Columns whose values are used unchanged.
    labels : ndarray of shape (n,)
    n_classes : int
    weights : ndarray of shape (n,), optional
        If they are not integers, only their ratios matter.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import QuantileDiscretizer, learn_features, read_array
    >>> table = read_array(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> is_category, labels = np.array([False]), np.array([0, 0, 1, 1])
    >>> learn_features(table, QuantileDiscretizer(2), is_category, labels, 2)[0].labels
    ('x0 < 3', '3 <= x0')
    """
    # In batches, weights are not rescaled.
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
        feature = _learn_category(table, j, table.names[j])
        if feature.has_order and isinstance(discretizer, Discretizer):
            rows = np.bincount(encode_column(table, j, feature), weights, minlength=feature.n_values)
            feature = replace(feature, coarse=discretizer.coarse_codes(rows[: feature.n_values]))
        features[j] = feature
    return [features[j] for j in range(table.n_columns)]


def extend_features(features: Sequence[Feature], table: Table) -> list[Feature]:
    """Add the categories and missing values that are new in a batch. Bins stay as they are.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes.encoding import Feature, extend_features, read_frame
    >>> town = Feature("town", "category", categories=("Oslo",))
    >>> extend_features([town], read_frame(pd.DataFrame({"town": ["Bergen", "Oslo", None]})))[0].labels
    ('town = Bergen', 'town = Oslo', 'town missing')
    """
    extended = []
    for j, feature in enumerate(features):
        has_missing = feature.has_missing
        if feature.kind == "category":
            new = _learn_category(table, j, feature.name, feature)
            feature, has_missing = _with_categories(feature, new, table.order(j)), has_missing or new.has_missing
        elif not has_missing:
            has_missing = _has_missing(table, j)
        extended.append(feature if has_missing == feature.has_missing else replace(feature, has_missing=True))
    return extended


def _with_categories(feature: Feature, new: Feature, order: tuple[Any, ...] | None) -> Feature:
    """A feature with the categories of a further batch, whose column may declare an order."""
    if not feature.n_values:
        return replace(feature, categories=new.categories, has_order=new.has_order)
    added = _added(feature, new)
    if new.is_text != feature.is_text or not added:
        return feature
    if feature.has_order and feature.is_text:
        return replace(feature, categories=_in_order(feature, added, order))
    return replace(feature, categories=tuple(sorted({*feature.categories, *added})))


def _added(feature: Feature, new: Feature) -> list[Any]:
    """Categories that a feature does not have yet; numbers that are equal as float32 count as the same."""
    added = [category for category in new.categories if category not in feature.lookup]
    if feature.is_text or new.is_text or not added:
        return added
    numbers = np.array(added, dtype=np.float64)
    is_known = feature.are_known(np.searchsorted(feature.cuts, numbers, side="right"), numbers)
    return [category for category, known in zip(added, is_known.tolist(), strict=True) if not known]


def _in_order(feature: Feature, added: list[Any], order: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """Known and new categories in the order that a further batch declares."""
    place = {category: at for at, category in enumerate(order or ())}
    places = [place.get(category, -1) for category in feature.categories]
    if order is None or min(places) < 0 or places != sorted(places):
        raise ValueError(
            f"column {feature.name!r} has ordered categories, and {added[0]!r} is new here without a place among them; "
            "declare the column with all of its categories in their order."
        )
    return tuple(sorted({*feature.categories, *added}, key=place.__getitem__))


def new_codes(old: Feature, new: Feature) -> NDArray[np.intp]:
    """The code in `new`, an extension of `old`, of each code of `old`.

    Examples
    --------
    >>> from gnbayes.encoding import Feature, new_codes
    >>> old = Feature("town", "category", categories=("Oslo", "Paris"))
    >>> new_codes(old, Feature("town", "category", categories=("Bergen", "Oslo", "Paris"))).tolist()
    [1, 2]
    """
    if old.kind == "interval":
        codes = list(range(old.n_values))
    else:
        codes = [new.lookup[category] for category in old.categories]
    if old.has_missing or not codes:
        codes.append(new.missing_code if old.has_missing else 0)
    return np.array(codes, dtype=np.intp)


def _learn_category(table: Table, j: int, name: str, known: Feature | None = None) -> Feature:
    """The values of a column, unchanged, sorted or in the order that the table declares."""
    values, has_missing = _found(table, j, known)
    order = table.order(j)
    if order is None or len(values) > _MOST_ORDERED or not values <= set(order):
        return Feature(name, "category", categories=tuple(sorted(values)), has_missing=has_missing)
    as_found = {value: value for value in values}  # in a declared order, true and false are 1 and 0
    categories = tuple(as_found[category] for category in order if category in as_found)
    return Feature(name, "category", categories=categories, has_missing=has_missing, has_order=True)


def _found(table: Table, j: int, known: Feature | None) -> tuple[set[Any], bool]:
    """The distinct values of a column, and whether some are missing."""
    in_bytes = table.byte_columns
    if in_bytes is not None and in_bytes.fits_byte[j] and (known is None or known.transformer is None):
        numbers = in_bytes.categories(j)
        return set(map(bool, numbers) if table.kinds[j] == "bool" else numbers), in_bytes.has_missing(j)
    texts = table.texts(j)
    if texts is not None:
        return set(texts.values), texts.has_missing
    column = table.columns[j] if known is None else transformed(table.columns[j], known)
    if table.kinds[j] == "text":
        values = set(column.tolist())
        return values - {None}, None in values
    missing = np.isnan(column)
    distinct = np.unique(column[~missing] + 0.0)
    return set((distinct.astype(bool) if table.kinds[j] == "bool" else distinct).tolist()), bool(missing.any())


def _has_missing(table: Table, j: int) -> bool:
    if table.byte_columns is not None and table.byte_columns.fits_byte[j]:
        return table.byte_columns.has_missing(j)
    column = table.columns[j]
    return None in column.tolist() if column.dtype == object else bool(np.isnan(column).any())
