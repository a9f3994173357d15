"""pgmpy's tree-augmented naive Bayes: tree search, parameters, exact inference row by row."""

from typing import Any

import pandas as pd
from pgmpy.estimators import TreeSearch
from pgmpy.models import DiscreteBayesianNetwork
from pgmpy.parameter_estimator import DiscreteBayesianEstimator


def prepare(X: Any, y: Any) -> Any:
    """Rows and classes in the form that `fit` takes, one data frame; not timed."""
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(y=y)


def fit(data: Any) -> Any:
    """Fit with add-one smoothing (K2).

    The root is named because TreeSearch, left to choose, goes over all pairs once more, and raises an error where its
    choice is the class.
    """
    search = TreeSearch(data, root_node="x0")
    tree = search.estimate(estimator_type="tan", class_node="y", show_progress=False)
    return DiscreteBayesianNetwork(tree.edges()).fit(data, estimator=DiscreteBayesianEstimator(prior_type="K2"))


def predict_proba(model: Any, data: Any) -> Any:
    """Probabilities of all training rows, shape (n, 2)."""
    return model.predict_probability(data.drop(columns="y")).to_numpy()
