"""Shapley values: equal to going through all subsets, and to the package shap."""

from itertools import combinations
from math import comb

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from classifiers import counted, weighted
from column_kinds import random_table
from with_triples import with_three_features

from gnbayes import GeneralizedNB

# Shapley values follow from the tables of the model alone.
pytestmark = pytest.mark.once


def literal_values(score, row, background):
    """Shapley values of one row by definition: over all subsets of the other features."""
    d = background.shape[1]

    def worth(chosen):
        changed = background.copy()
        for name in chosen:
            changed[name] = (
                np.full(len(changed), row[name].iloc[0], dtype=object)
                if row[name].dtype == object
                else row[name].iloc[0]
            )
        return score(changed.astype(background.dtypes.to_dict())).mean(axis=0)

    values = []
    for name in background.columns:
        others = [other for other in background.columns if other != name]
        value = 0.0
        for size in range(d):
            for chosen in combinations(others, size):
                value = value + (worth([*chosen, name]) - worth(chosen)) / (d * comb(d - 1, size))
        values.append(value)
    return np.array(values), worth([])


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{}, {"weighting": None}], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_values_are_those_of_all_subsets(parameters, n_classes):
    X, y = random_table(120, n_classes)
    X = X[["number", "text", "text with gaps", "ward"]]
    clf = GeneralizedNB(**parameters).fit(X, y)
    background, rows = X[:15], X[40:43]
    found = clf.explain(rows).shap_values(background)
    for at in range(3):
        values, base = literal_values(clf.decision_function, rows[at : at + 1], background)
        np.testing.assert_allclose(found.values[at], values, rtol=0, atol=1e-9)
        np.testing.assert_allclose(found.base_values[at], base, rtol=0, atol=1e-9)


def test_terms_of_three_features_are_shared_out_as_by_all_subsets():
    X, y = random_table(120, 3)
    X = X[["number", "text", "ward", "number with gaps"]]
    clf = with_three_features(weighted().fit(X, y))
    values, _ = literal_values(clf.decision_function, X[:1], X[20:35])
    np.testing.assert_allclose(clf.explain(X[:1]).shap_values(X[20:35]).values[0], values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_values_and_base_sum_to_the_scores(n_classes):
    X, y = random_table(100, n_classes)
    clf = weighted(interactions=2, n_fits=1).fit(X, y)
    found = clf.explain(X).shap_values(X[:20])
    total = found.values.sum(axis=1) + found.base_values
    np.testing.assert_allclose(total, clf.decision_function(X), rtol=0, atol=1e-9)
    assert found.feature_names == tuple(X.columns)
    assert found.output_names == (("1",) if n_classes == 2 else ("0", "1", "2", "3"))
    assert found.data.shape == X.shape
    assert repr(found) == "ShapValues of 100 rows and 11 features"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_package_shap_gives_the_same(n_classes):
    shap = pytest.importorskip("shap", reason="shap is not installed", exc_type=ImportError)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int) + (n_classes > 2) * (X[:, 3] > 1)
    clf = GeneralizedNB(n_fits=1).fit(X, y)
    background = X[:20]
    explainer = shap.explainers.Exact(clf.decision_function, shap.maskers.Independent(background, max_samples=20))
    expected = explainer(X[50:60])
    found = clf.explain(X[50:60]).shap_values(background)
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.base_values, expected.base_values, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_pictures_of_shap():
    shap = pytest.importorskip("shap", reason="shap is not installed", exc_type=ImportError)
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 4)), columns=["age", "pressure", "marker", "weight"])
    y = (X["age"] > 0).astype(int) + (X["marker"] > 1)
    for clf, label in ((weighted().fit(X, y > 0), None), (weighted().fit(X, y), 2)):
        values = clf.explain(X).shap_values(X).to_shap()
        one = values if label is None else values[..., label]
        for draw in (shap.plots.beeswarm, shap.plots.bar):
            draw(one, show=False)
            assert "age" in {text.get_text() for text in plt.gca().get_yticklabels()}
            plt.close("all")
        shap.plots.waterfall(one[0], show=False)
        plt.close("all")


def test_text_is_kept_as_it_came():
    X, y = random_table(60, 2)
    found = counted().fit(X, y).explain(X[:2]).shap_values(X)
    assert found.data[0].tolist()[2] == X["text"][0]


def test_a_background_is_read_as_the_classifier_reads_it():
    X, y = random_table(60, 2)
    clf = counted().fit(X, y)
    explanation = clf.explain(X[:3])
    before = explanation.shap_values(X).values
    clf.fit(X, 1 - y)
    np.testing.assert_array_equal(explanation.shap_values(X).values, before)
    with pytest.raises(ValueError, match="feature names"):
        explanation.shap_values(X.rename(columns={"text": "words"}))


def test_what_is_refused():
    X, y = random_table(60, 2)
    clf = counted().fit(X, y)
    gap = X.assign(number=X["number"].mask(X.index == 1))
    with pytest.raises(ValueError, match=r"shap_values needs rows in which all features are known, and row 1 of X has"):
        clf.explain(gap[:3]).shap_values(X)
    with pytest.raises(ValueError, match=r"background must .* and 1 of its 60 rows have unknown ones; leave"):
        clf.explain(X[:3]).shap_values(gap)
    paper = GeneralizedNB.as_published().fit(X, y)
    with pytest.raises(ValueError, match=r"shap_values needs scores that are sums of tables, and smoothing='paper'"):
        paper.explain(X[:3]).shap_values(X)
