"""The parameter `class_weight`: rows weigh more or less by their class."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import check_weights


def weigh_by_class(
    class_weight: Any, classes: NDArray[Any], labels: NDArray[np.intp], sample_weight: Any = None
) -> Any:
    """Weights of rows, times those of their classes.

    Parameters
    ----------
    class_weight : {"balanced"}, mapping or None
        With "balanced", all classes have the same total weight, and the overall total stays the same. A class that a
        mapping omits has weight 1.
    classes : ndarray of shape (k,)
    labels : ndarray of shape (n,)
        Index of each row's class.
    sample_weight : array-like of shape (n,), optional

    Returns
    -------
    sample_weight : array-like of shape (n,) or None
        Unchanged if `class_weight` is None.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes._class_weight import weigh_by_class
    >>> weigh_by_class("balanced", np.array(["ill", "well"]), np.array([0, 1, 1, 1])).round(3).tolist()
    [2.0, 0.667, 0.667, 0.667]
    >>> weigh_by_class({"ill": 5}, np.array(["ill", "well"]), np.array([0, 1, 1, 1])).tolist()
    [5.0, 1.0, 1.0, 1.0]
    """
    if class_weight is None:
        return sample_weight
    weights = check_weights(sample_weight, len(labels))
    if isinstance(class_weight, Mapping):
        factors = class_factors(class_weight, classes)
    else:
        sums = np.bincount(labels, weights, len(classes)).astype(np.float64)
        factors = np.divide(sums.sum() / len(classes), sums, out=np.zeros(len(classes)), where=sums > 0)
    return factors[labels] if weights is None else factors[labels] * weights


def class_factors(class_weight: Mapping[Any, Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    """The weight of each class, shape (k,); raises if a class is unknown or a weight is not positive."""
    known = classes.tolist()
    for label, weight in class_weight.items():
        if label not in known:
            raise ValueError(
                f"class_weight has a weight for {label!r}, which is not a class of y; the classes are {known}."
            )
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 < float(weight) < np.inf:
            raise ValueError(f"class_weight must hold positive numbers, got {weight!r} for class {label!r} instead.")
    return np.array([class_weight.get(label, 1.0) for label in known], dtype=np.float64)


def factors_on_weights(
    class_weight: Any, classes: NDArray[Any], labels: NDArray[np.intp], sample_weight: Any = None
) -> NDArray[np.float64] | None:
    """Factors of `class_weight` that the weights of rows contain, shape (k,); 1 for a class without rows.

    Parameters
    ----------
    class_weight, classes, labels, sample_weight
        As in `weigh_by_class`. None gives None.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes._class_weight import factors_on_weights
    >>> factors_on_weights("balanced", np.array(["ill", "well"]), np.array([0, 1, 1, 1])).round(3).tolist()
    [2.0, 0.667]
    """
    if class_weight is None:
        return None
    given = check_weights(sample_weight, len(labels))
    own = np.ones(len(labels)) if given is None else given
    sums = np.bincount(labels, own, len(classes))
    weights = check_weights(weigh_by_class(class_weight, classes, labels, sample_weight), len(labels))
    after = np.bincount(labels, weights, len(classes))
    return np.divide(after, sums, out=np.ones(len(classes)), where=(sums > 0) & (after > 0))


def check_weight_of_batches(class_weight: Any) -> None:
    """Refuse "balanced" for batches, where the class frequencies of all rows are unknown."""
    if isinstance(class_weight, str):
        raise ValueError(
            "class_weight='balanced' needs all rows at once, which partial_fit does not have; give the weight of every "
            "class, such as class_weight={'ill': 5, 'well': 1}."
        )
