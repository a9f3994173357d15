"""What a worker needs to predict its part of a table."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from gnbayes.estimator import GeneralizedNB

METHODS = ("predict", "predict_proba")


@dataclass(frozen=True, eq=False)
class Prediction:
    """A classifier without its counts, with its input and output columns.

    Parameters
    ----------
    clf : GeneralizedNB
    method : {"predict", "predict_proba"}
    reads : list of str
        The columns on which the classifier was fitted.
    """

    clf: GeneralizedNB
    method: str
    reads: list[str]

    @property
    def gives(self) -> list[str]:
        """Names of the output columns: "prediction", or "probability of ..." for each class."""
        if self.method == "predict":
            return ["prediction"]
        return [f"probability of {label}" for label in self.clf.classes_.tolist()]

    @property
    def example(self) -> NDArray[Any]:
        """The result for k rows, one per class."""
        return self.clf.classes_ if self.method == "predict" else np.eye(len(self.clf.classes_))

    def of(self, rows: Any) -> NDArray[Any]:
        """Classes, shape (n,), or probabilities, shape (n, k), of a data frame of at least one row."""
        return getattr(self.clf, self.method)(rows)


def prediction_of(clf: GeneralizedNB, columns: Sequence[Any], method: str) -> Prediction:
    """Check that a fitted classifier can predict a table with these columns, and make it small enough to send."""
    check_is_fitted(clf)
    if method not in METHODS:
        raise ValueError(f"method must be 'predict' or 'predict_proba', got {method!r} instead.")
    if not hasattr(clf, "feature_names_in_"):
        raise ValueError(
            "clf was fitted on columns without names, and cannot find them in frame; fit it on a data frame."
        )
    reads = clf.feature_names_in_.tolist()
    absent = [name for name in reads if name not in columns]
    if absent:
        raise ValueError(
            f"frame has no column {absent[0]!r}, which clf was fitted on; it has {', '.join(map(repr, columns))}."
        )
    light = copy(clf)
    # Counts are needed only for further learning, and can be much larger than the model.
    del light.counts_
    return Prediction(light, method, reads)
