"""pyAgrum's scikit-learn classifier with a tree-augmented naive Bayes network."""

from typing import Any

from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
from pyagrum.skbn import BNClassifier


def prepare(X: Any, y: Any) -> Any:
    """Rows and classes in the form that `fit` takes; not timed."""
    return X, y


def fit(data: Any) -> Any:
    """Fit with add-one smoothing; columns of at most 25 values are taken as discrete."""
    discrete = DiscreteTypeProcessor(discretizationThreshold=25)
    model = BNClassifier(type_processor=discrete, learningMethod="TAN", prior="Smoothing", priorWeight=1.0)
    return model.fit(*data)


def predict_proba(model: Any, data: Any) -> Any:
    """Probabilities of all training rows, shape (n, 2)."""
    return model.predict_proba(data[0])
