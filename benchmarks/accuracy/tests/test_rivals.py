"""Rivals that do more than call one constructor: early stopping with a refit, and the choice of C."""

import numpy as np
import pandas as pd
import pytest

# A class of one row cannot be in every fold.
pytestmark = pytest.mark.filterwarnings("ignore:The least populated class")


@pytest.fixture(scope="module")
def table():
    """Two numbers, one of them informative about the class; text with missing values, and a class of one row."""
    rng = np.random.default_rng(0)
    number = rng.normal(size=300)
    text = pd.Series(rng.choice(["a", "b", None], 300), dtype=object)
    X = pd.DataFrame({"number": number, "noise": rng.normal(size=300), "text": text})
    y = (number + rng.normal(size=300) > 0).astype(np.intp)
    y[0] = 2
    return X, y


@pytest.mark.parametrize("name", ["lightgbm_early_stopped", "hist_gradient_boosting_early_stopped"])
def test_boosting_stops_early_and_is_fitted_to_all_rows(name, table):
    module = _module(name)
    categories, classifier = module.fit(*table)
    rounds = classifier.n_estimators if name.startswith("lightgbm") else classifier.max_iter
    assert 1 <= rounds < 200
    again = type(classifier)(**classifier.get_params()).fit(categories(table[0]), table[1])
    np.testing.assert_array_equal(
        again.predict_proba(categories(table[0])), module.predict_proba((categories, classifier), table[0])
    )


def test_c_is_the_one_with_the_least_loss_over_folds(table):
    module = _module("logistic_regression")
    X, y = table
    chosen = module.fit(X, y)[-1].C
    losses = [np.mean([module._losses(X, y, *fold)[at] for fold in module._folds(y)]) for at in range(len(module.C))]
    assert chosen == module.C[int(np.argmin(losses))]
    assert module.C[0] < chosen < module.C[-1]


@pytest.mark.parametrize("name", ["catboost_boosting", "xgboost_boosting", "random_forest", "sklearn_categorical_nb"])
def test_unseen_text_and_gaps_are_taken(name, table):
    module = _module(name)
    rows = table[0].head(3).assign(text=["c", None, "a"], number=[np.nan, 0.0, 1.0])
    proba = module.predict_proba(module.fit(*table), rows)
    assert proba.shape == (3, 3)
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-5)


def _module(name):
    import importlib

    try:
        return importlib.import_module(f"rivals.{name}")
    except ImportError as error:
        pytest.skip(f"needs .venv-bench: {error}")
