"""Validate user input, with scikit-learn's messages where they exist, and convert it to columns and labels."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from gnbayes._sklearn import check_sample_weight
from gnbayes.encoding._read_table import is_frame, read_array, read_frame
from gnbayes.encoding._table import Table
from gnbayes.encoding._values import is_missing
from gnbayes.evaluation import group_codes

# Sums of c log c are finite up to this total weight.
_MOST_WEIGHT = 1e300
# Relative weights, whose mean is 1, are rounded to multiples of this.
_UNIT = 2.0**-30


def check_table(estimator: Any, X: Any, *, reset: bool, n_threads: int = 1) -> Table:
    """Read X, and check its column names and their number against what `estimator` was fitted on.

    Parameters
    ----------
    estimator : object
        Receives `n_features_in_` and `feature_names_in_` if `reset` is true.
    X : array-like, sparse array or data frame of shape (n, d)
        Unstored entries of sparse arrays are zero.
    reset : bool
        True in `fit`, False afterwards.
    n_threads : int
        Number of threads for reading.

    Examples
    --------
    >>> import pandas as pd
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.encoding import check_table
    >>> clf = GeneralizedNB()
    >>> table = check_table(clf, pd.DataFrame({"age": [31, 50]}), reset=True)
    >>> table.n_rows, clf.feature_names_in_.tolist()
    (2, ['age'])
    """
    X = X if isinstance(X, np.ndarray) else nw.to_native(X, pass_through=True)
    if is_frame(X):
        table = read_frame(X, n_threads)
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        _check_shape(estimator, table)
    else:
        is_plain = not reset and _is_plain_matrix(estimator, X)
        how: Any = {"reset": reset, "dtype": None, "ensure_all_finite": "allow-nan"}
        array = X if is_plain else validate_data(estimator, _keep_numbers(X), **how)
        table = read_array(array, getattr(estimator, "feature_names_in_", None), n_threads)
    return table


def _is_plain_matrix(estimator: Any, X: Any) -> bool:
    """Whether X is a matrix in which scikit-learn would find nothing to say or to change; its checks take long."""
    is_matrix = type(X) is np.ndarray and X.ndim == 2 and X.dtype in (np.float64, np.float32) and len(X) > 0
    if (
        not is_matrix
        or X.shape[1] != getattr(estimator, "n_features_in_", 0)
        or hasattr(estimator, "feature_names_in_")
    ):
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))  # otherwise a number is missing or infinite, or the sum is too large


def check_labels(y: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Sorted classes and the index of each row's class.

    Examples
    --------
    >>> from gnbayes.encoding._validation import check_labels
    >>> classes, labels = check_labels(["no", "yes", "no"], 3)
    >>> classes.tolist(), labels.tolist()
    (['no', 'yes'], [0, 1, 0])
    """
    values = check_target(y, n_rows)
    if values.dtype.kind in "iub" and len(values):
        known = _small_labels(values)
        if known is not None:
            return known
    if values.dtype.kind in "OU":
        classes = np.array(sorted(set(values.tolist())), dtype=values.dtype)
        place = {value: at for at, value in enumerate(classes.tolist())}
        return classes, np.fromiter((place[value] for value in values.tolist()), dtype=np.intp, count=len(values))
    classes, labels = np.unique(values, return_inverse=True)
    return classes, labels


def _small_labels(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]] | None:
    """The same for integers in a narrow range, without sorting."""
    low, high = int(values.min()), int(values.max())
    if high - low > max(1000, len(values)) or not -(2**62) < low <= high < 2**62:
        return None
    shifted = values.astype(np.intp, copy=False)
    shifted = shifted - low if low else shifted
    is_class = np.bincount(shifted) > 0
    if is_class.all():
        return np.arange(low, high + 1).astype(values.dtype), shifted
    classes = (np.flatnonzero(is_class) + low).astype(values.dtype)
    return classes, (np.cumsum(is_class) - 1)[shifted]


def label_indices(values: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Index of each row's class among known, sorted classes.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import label_indices
    >>> label_indices(np.array(["well", "ill", "well"]), np.array(["ill", "well"])).tolist()
    [1, 0, 1]
    """
    strangers = np.setdiff1d(values, classes)
    if len(strangers):
        raise ValueError(f"The target label(s) {strangers} in y do not exist in the initial classes {classes}")
    return np.searchsorted(classes, values)


def check_target(y: Any, n_rows: int) -> NDArray[Any]:
    """The class of every row as a one-dimensional array without missing values.

    Examples
    --------
    >>> from gnbayes.encoding import check_target
    >>> check_target(["ill", "well", "ill"], 3).tolist()
    ['ill', 'well', 'ill']
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    is_plain = isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biuf"
    values = y if is_plain else column_or_1d(_plain_target(y), warn=True)
    if len(values) != n_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(values)}]")
    if values.dtype.kind not in "biuUS":  # integers and text need no further checks
        if values.dtype.kind == "f":
            assert_all_finite(values, input_name="y")
        elif any(is_missing(value) for value in values.tolist()):
            raise ValueError("Input y contains NaN.")
        check_classification_targets(values)
    return np.asarray(values)


def _plain_target(y: Any) -> Any:
    """Labels in a column of a data frame as an array of their own type: scikit-learn makes nullable integers floats."""
    if nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        if series.null_count():
            raise ValueError("Input y contains NaN.")
        if series.dtype.is_integer() or isinstance(series.dtype, nw.Boolean):
            return series.to_numpy()
    if isinstance(y, np.ndarray) and y.dtype.kind == "T":
        return y.astype(object)
    return y


def check_weights(sample_weight: Any, n_rows: int, *, in_batches: bool = False) -> NDArray[np.float64] | None:
    """Weights as float64, or None if there are none.

    Integer weights say how many rows a row stands for. For all others only ratios matter: see `relative_weights`. In
    batches they are not rescaled, because they have to be consistent with those of other batches.

    Examples
    --------
    >>> from gnbayes.encoding import check_weights
    >>> check_weights([1, 2, 3], 3).tolist()
    [1.0, 2.0, 3.0]
    >>> check_weights([0.1, 0.1, 0.4], 3).tolist()  # only ratios matter: the mean is 1
    [0.5, 0.5, 2.0]
    >>> check_weights(None, 3) is None
    True
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, str):
        raise ValueError(f"sample_weight must be one number per row, got {sample_weight!r} instead.")
    weights = check_sample_weight(sample_weight, np.empty((n_rows, 0)), dtype=np.float64, ensure_non_negative=True)
    if not weights.any():
        raise ValueError("sample_weight is zero for every row; at least one row needs a positive weight.")
    with np.errstate(over="ignore"):
        if not weights.sum() < _MOST_WEIGHT:
            raise ValueError(f"sample_weight adds up to more than {_MOST_WEIGHT:g}; make the weights smaller.")
    return summable(np.asarray(weights)) if in_batches else relative_weights(np.asarray(weights))


def relative_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Non-integer weights, scaled to a mean of 1 over the rows with positive weight; integer weights unchanged.

    The result does not depend on the scale of the weights: they are rounded to multiples of 2**-30, which is much
    coarser than the rounding errors of scaling, and float64 holds all of their sums exactly. No positive weight becomes
    0.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import relative_weights
    >>> relative_weights(np.array([0.25, 0.5, 0.0])).tolist()
    [0.6666666669771075, 1.3333333330228925, 0.0]
    >>> relative_weights(np.full(3, 1 / 3)).tolist()
    [1.0, 1.0, 1.0]
    >>> relative_weights(np.array([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    if _are_whole(weights):
        return weights
    n, total = np.count_nonzero(weights), weights.sum()
    is_scaled = abs(total - n) <= n * _UNIT
    scaled = weights if is_scaled else weights / total * n
    unit = max(_UNIT, 2.0 ** (np.ceil(np.log2(n)) - 52))
    return np.where(weights > 0, np.maximum(np.rint(scaled / unit), 1.0), 0.0) * unit


def _are_whole(weights: NDArray[np.float64]) -> bool:
    """Whether weights count rows: integers whose sum float64 holds exactly."""
    return bool(np.all(weights == np.rint(weights)) and weights.sum() < 2**53)


def summable(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights rounded to multiples of a power of two, chosen so that float64 holds all of their sums exactly.

    Sums then do not depend on the order of the rows or on how they are split up. Integers whose sum is below 2**53 do
    not change. Others change by less than 2**-50 of their sum; no positive weight becomes 0.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding._validation import summable
    >>> summable(np.array([1.0, 2.0, 0.5])).tolist()
    [1.0, 2.0, 0.5]
    >>> tenths = summable(np.full(10, 0.1))
    >>> bool(tenths.sum() == tenths[0] * 10)
    True
    """
    if _are_whole(weights):
        return weights
    exponent = int(np.frexp(weights.sum())[1]) - 51
    units = np.rint(np.ldexp(weights, -exponent))
    return np.ldexp(np.where(weights > 0, np.maximum(units, 1.0), 0.0), exponent)


def take_columns(X: Any, columns: NDArray[np.intp]) -> Any:
    """Some columns of a checked table, unchanged: a frame of the same type, or an array.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import take_columns
    >>> take_columns(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 0])).tolist()
    [[3, 1], [6, 4]]
    """
    X = nw.to_native(X, pass_through=True)
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[:, columns.tolist()].to_native()
    return X.tocsc()[:, columns] if issparse(X) else np.asarray(_keep_numbers(X))[:, columns]


def check_groups(groups: Any, n_rows: int) -> NDArray[np.intp] | None:
    """A number for the group of each row, shape (n,); missing values form one group.

    Examples
    --------
    >>> from gnbayes.encoding import check_groups
    >>> check_groups(["ann", "bob", None, "ann"], 4).tolist()
    [1, 2, 0, 1]
    """
    if groups is None:
        return None
    if np.ndim(groups) != 1 or len(groups) != n_rows:
        raise ValueError(
            f"groups must hold one value per row of X, {n_rows}, got shape {np.shape(groups)} instead; give the "
            "column that says what rows belong together."
        )
    return group_codes(groups)


def without_zero_weights(
    table: Table, labels: NDArray[np.intp], weights: NDArray[np.float64] | None
) -> tuple[Table, NDArray[np.intp], NDArray[np.float64] | None]:
    """Drop rows of weight 0.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import read_array, without_zero_weights
    >>> table = read_array(np.array([[1.0], [2.0], [3.0]]))
    >>> kept, labels, weights = without_zero_weights(table, np.array([0, 1, 1]), np.array([1.0, 0.0, 2.0]))
    >>> kept.n_rows, labels.tolist(), weights.tolist()
    (2, [0, 1], [1.0, 2.0])
    """
    if weights is None or (weights > 0).all():
        return table, labels, weights
    kept = weights > 0
    return table.take(kept), labels[kept], weights[kept]


def _keep_numbers(X: Any) -> Any:
    """Keep numbers and text in lists apart, where NumPy would convert everything to text, and keep masked values
    masked.

    Unstored entries of sparse arrays are zero.
    """
    if issparse(X):
        return X.toarray()
    if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US":
        return np.array(X, dtype=object)
    if isinstance(X, np.ma.MaskedArray):
        is_number = X.dtype.kind in "biuf"
        return np.ma.filled(X.astype(np.float64 if is_number else object), np.nan if is_number else None)
    if isinstance(X, np.ndarray) and X.dtype.kind == "T":
        return X.astype(object)
    return X


def _check_shape(estimator: Any, table: Table) -> None:
    name = type(estimator).__name__
    shape = (table.n_rows, table.n_columns)
    if table.n_columns < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required by {name}.")
    if table.n_rows < 1:
        raise ValueError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required by {name}.")
