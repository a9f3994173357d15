"""The band around the risk and around the curves: that of `predict_interval`."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from mixed_tables import mixed_frame
from page_forms import FILL, half_known, plain, position

from gnbayes import GeneralizedNB
from gnbayes.model import LearnedTerms, Term

NORMAL_90 = 1.6448536269514722


@dataclass(frozen=True, eq=False)
class SpreadTerm(Term):
    """A term with standard errors."""

    spread: np.ndarray | None = None


def with_spreads(clf):
    """The classifier with standard errors of its own for every table."""
    model, rng = clf.model_, np.random.default_rng(0)
    terms = []
    for term in model.terms:
        spread = rng.uniform(0.05, 0.3, size=term.table.shape).astype(np.float32).astype(np.float64)
        if len(clf.classes_) == 2:
            spread[..., 0] = spread[..., 1]
        terms.append(SpreadTerm(term.features, term.maps, term.table, term.rows, term.is_conditional, spread))
    clf.model_ = replace(model, learned=LearnedTerms(model.learned.intercept, tuple(terms)))
    return clf


def interval(clf, codes, proba):
    """The definition, row by row: normal on the log-odds, the variances of the known terms added up."""
    k = len(clf.classes_)
    out = np.zeros((*proba.shape, 2))
    for row, own in enumerate(codes):
        variance = np.zeros(k)
        for term in clf.model_.terms:
            if all(own[j] < len(axis) for j, axis in zip(term.features, term.maps, strict=True)):
                cell = tuple(axis[own[j]] for j, axis in zip(term.features, term.maps, strict=True))
                variance += term.spread[cell] ** 2
        odds, error = np.log(proba[row] / (1 - proba[row])), np.sqrt(variance) * k / (k - 1)
        for side in (0, 1):
            out[row, :, side] = 1 / (1 + np.exp(-(odds + (2 * side - 1) * NORMAL_90 * error)))
    return out


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_band_of_the_risk_is_that_of_the_terms(n_classes, open_page, page_of):
    frame, labels = mixed_frame(300, n_classes)
    clf = with_spreads(GeneralizedNB().fit(frame, labels))
    page = open_page(page_of(clf))
    some, is_unknown, lines = half_known(clf, frame, 8)
    codes, proba = clf._codes(some, is_unknown), clf.predict_proba(some, unknown=is_unknown)
    expected = interval(clf, codes, proba)
    for row, line in enumerate(lines):
        page.evaluate(FILL, [line])
        found = json.loads(page.get_attribute("#band", "data-values"))
        y = 0 if n_classes == 2 else int(proba[row].argmax())
        np.testing.assert_allclose(found, expected[row, y], atol=1e-9)
        if hasattr(clf, "predict_interval"):
            own = clf.predict_interval(some[row : row + 1], unknown=is_unknown[[row]])
            np.testing.assert_allclose(found, own[0, y], atol=1e-9)


def test_the_band_is_said_in_words_and_drawn_around_curves(open_page, page_of):
    frame, labels = mixed_frame(300)
    clf = with_spreads(GeneralizedNB().fit(frame, labels))
    page = open_page(page_of(clf))
    assert page.inner_text("#band") == ""
    page.fill(f"#f{position(clf, 'age')}", "60")
    low, high = json.loads(page.get_attribute("#band", "data-values"))
    words = plain(page.inner_text("#band"))
    assert words.startswith("With other training rows the known answers could have given ")
    assert f"{100 * low:.1f}% to {100 * high:.1f}%" in words
    curves = page.locator(".effect svg path.own").count()
    assert page.locator(".effect svg path.band").count() == curves > 0
