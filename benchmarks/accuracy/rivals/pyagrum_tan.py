"""pyAgrum's scikit-learn classifier with a tree-augmented naive Bayes network, on 5 quantile intervals.

A gap is a value of its own where training had gaps; elsewhere, and for unseen values, the most frequent value stands
in.
"""

from typing import Any

import numpy as np
from preparation import Coder
from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
from pyagrum.skbn import BNClassifier


def fit(X: Any, y: Any) -> Any:
    """Fit with add-one smoothing, on the columns that have more than one value."""
    coder = Coder.learn(X)
    codes = coder(X)
    counts = [np.bincount(column) for column in codes.T]
    used = [j for j, count in enumerate(counts) if np.count_nonzero(count) > 1]
    discrete = DiscreteTypeProcessor(discretizationThreshold=int(max(map(len, counts))) + 1)
    model = BNClassifier(type_processor=discrete, learningMethod="TAN", prior="Smoothing", priorWeight=1.0)
    return coder, counts, used, model.fit(codes[:, used], y)


def predict_proba(model: Any, X: Any) -> Any:
    """Probabilities of the rows, shape (n, k)."""
    coder, counts, used, classifier = model
    codes = coder(X)
    for j in used:
        known = np.append(counts[j] > 0, np.zeros(codes[:, j].max() + 1, dtype=bool))
        codes[~known[codes[:, j]], j] = counts[j].argmax()
    return classifier.predict_proba(codes[:, used])
