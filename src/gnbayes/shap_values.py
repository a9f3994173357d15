"""Shapley values of predictions, and their conversion for the plots of the shap package."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ShapValues:
    """The contribution of each feature to the score of each row, relative to the mean of a background.

    The values are exact. Their sum over the features plus `base_values` is `decision_function`: for two classes the
    log-odds of the second one, for more the score of each class.

    Parameters
    ----------
    values : ndarray of shape (n, d) or (n, d, k)
    base_values : ndarray of shape (n,) or (n, k)
        Mean score of the background, the same for every row.
    data : ndarray of shape (n, d)
        The values of the explained rows: numbers, or objects if a column contains text.
    feature_names : tuple of str
    output_names : tuple of str
        The second of two classes, or all of more.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB().fit(X, y)
    >>> shap_values = clf.explain(X[:5]).shap_values(X)
    >>> shap_values
    ShapValues of 5 rows and 30 features
    >>> total = shap_values.values.sum(axis=1) + shap_values.base_values
    >>> bool(abs(total - clf.decision_function(X[:5])).max() < 1e-9)
    True
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    data: NDArray[Any]
    feature_names: tuple[str, ...]
    output_names: tuple[str, ...]

    def to_shap(self) -> Any:
        """Convert to a `shap.Explanation`, which the plots of the shap package accept."""
        try:
            shap = import_module("shap")
        except ImportError as error:
            raise ImportError("to_shap needs shap; install it with: pip install shap") from error
        names = {"feature_names": list(self.feature_names)}
        if self.values.ndim > 2:
            names["output_names"] = list(self.output_names)
        return shap.Explanation(values=self.values, base_values=self.base_values, data=self.data, **names)

    def __repr__(self) -> str:
        n, d = self.values.shape[:2]
        return f"ShapValues of {n} row{'s' if n != 1 else ''} and {d} feature{'s' if d != 1 else ''}"
