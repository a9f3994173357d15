"""Use any scikit-learn transformer as a discretizer, one clone per column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from gnbayes.encoding._column_summary import summarize
from gnbayes.encoding._feature import Feature
from gnbayes.encoding.discretizers._base import interval_feature


def learn_with_transformer(
    transformer: Any,
    name: str,
    column: NDArray[np.float64],
    labels: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
) -> Feature:
    """Feature of one numeric column, NaN for missing, from a clone of `transformer` fitted on it.

    A transformer with `bin_edges_`, such as scikit-learn's KBinsDiscretizer, gives bins. The outputs of any other are
    used as categories, and the fitted transformer is stored in the feature.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.preprocessing import KBinsDiscretizer
    >>> from gnbayes.encoding.discretizers import learn_with_transformer
    >>> bins = KBinsDiscretizer(2, encode="ordinal", strategy="uniform")
    >>> learn_with_transformer(bins, "age", np.array([20.0, 30.0, 80.0]), np.array([0, 0, 1]), None).labels
    ('age < 50', '50 <= age')
    """
    missing = np.isnan(column)
    kept = column[~missing]
    has_missing = bool(missing.any())
    if not len(kept):
        return Feature(name, "category", has_missing=True)
    options = {}
    if weights is not None and has_fit_parameter(transformer, "sample_weight"):
        options["sample_weight"] = weights[~missing]
    fitted = clone(transformer).fit(kept[:, None], labels[~missing], **options)
    if hasattr(fitted, "bin_edges_"):
        cuts = np.asarray(fitted.bin_edges_[0], dtype=np.float64)[1:-1]
        [(summary, _)] = summarize(column[:, None], weights=weights)
        return interval_feature(name, summary, cuts, has_missing)
    outputs = fitted.transform(kept[:, None])
    if not isinstance(outputs, np.ndarray) or outputs.shape != (len(kept), 1) or not np.isfinite(outputs).all():
        raise ValueError(
            f"discretizer {transformer!r} must give one finite number for each number of column {name!r}, got "
            f"{type(outputs).__name__} of shape {getattr(outputs, 'shape', None)} instead."
        )
    categories = tuple(np.unique(outputs).tolist())
    return Feature(name, "category", categories=categories, has_missing=has_missing, transformer=fitted)
