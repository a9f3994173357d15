"""Models at the edges of what can be fitted open without a complaint, and compute what Python computes."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import FunctionTransformer

import gnbayes
from gnbayes import GeneralizedNB

RNG = np.random.default_rng(0)


def one_feature():
    return GeneralizedNB(), pd.DataFrame({"a": RNG.normal(size=40)}), RNG.integers(0, 2, 40)


def constant_empty_and_gaps():
    frame = pd.DataFrame({"constant": 1.0, "empty": np.nan, "gaps": RNG.normal(size=60), "n": RNG.normal(size=60)})
    frame.loc[::3, "gaps"] = np.nan
    return GeneralizedNB(), frame, RNG.integers(0, 2, 60).astype(bool)


def one_interval():
    frame = pd.DataFrame({"a": RNG.normal(size=50), "b": RNG.normal(size=50)})
    return GeneralizedNB(discretizer="mdlp"), frame, RNG.integers(0, 2, 50)


def many_categories():
    frame = pd.DataFrame({"city": [f"city {j % 70}" for j in range(400)], "b": RNG.integers(0, 40, 400)})
    return GeneralizedNB(categorical_features=["b"]), frame, RNG.integers(0, 2, 400)


def many_labels():
    return GeneralizedNB("tan"), pd.DataFrame(RNG.normal(size=(300, 5)), columns=list("abcde")), np.arange(300) % 12


def few_of_many():
    return (
        GeneralizedNB(n_features=2),
        pd.DataFrame(RNG.normal(size=(90, 6)), columns=list("abcdef")),
        np.arange(90) % 2,
    )


def a_class_that_never_is():
    frame = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.normal(size=60)})
    return GeneralizedNB(class_prior=[0.0, 0.5, 0.5]), frame, np.arange(60) % 3


def zeros_of_the_paper():
    frame = pd.DataFrame({"a": [0.0, 0, 1, 1, 2, 2] * 4, "b": [0.0, 1, 1, 1, 0, 0] * 4})
    return GeneralizedNB(smoothing="paper", weighting=None), frame, np.array([0, 0, 1, 1, 0, 1] * 4)


def groups():
    return (
        GeneralizedNB(discretizer=FunctionTransformer(np.rint)),
        pd.DataFrame({"a": RNG.normal(size=50)}),
        np.arange(50) % 2,
    )


def numbers_far_apart():
    frame = pd.DataFrame({"tiny": RNG.normal(size=80) * 1e-300, "huge": RNG.normal(size=80) * 1e300})
    return GeneralizedNB(), frame, (frame["tiny"] > 0).astype(int).to_numpy()


ODD = [
    one_feature, constant_empty_and_gaps, one_interval, many_categories, many_labels, few_of_many,
    a_class_that_never_is, groups, numbers_far_apart,
]  # fmt: skip


@pytest.mark.parametrize("weighting", [None, "discriminative"])
@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_odd_models_open_and_agree_with_python(make, weighting, open_page):
    clf, frame, labels = make()
    check(clf, frame, labels, weighting, open_page)


def test_zeros_of_the_paper_open_and_agree_with_python(open_page):
    check(*zeros_of_the_paper(), None, open_page)


def check(clf, frame, labels, weighting, open_page):
    """Open the page, load rows, touch every feature and the slider."""
    clf.set_params(weighting=weighting, n_bins="auto").fit(frame, labels)
    page = open_page(gnbayes.report(clf, frame, labels, rows=5, bootstrap=2))
    proba = clf.predict_proba(frame[:5])
    for row in range(5):
        page.select_option("#row", str(row))
        found = json.loads(page.get_attribute("#risk", "data-values"))
        np.testing.assert_allclose(found, proba[row], atol=1e-9)
    for node in page.locator(".node").all():
        node.dispatch_event("click")
        assert "NaN" not in page.inner_text("#detail")
    if page.locator("#slider").count():
        page.focus("#slider")
        page.keyboard.press("Home")
    text = page.inner_text("body")
    assert "0" * 20 not in text
    assert "NaN" not in text
    assert "undefined" not in text
    assert "Infinity" not in text
