"""The band around the risk and around the curves: that of `predict_interval`."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from mixed_tables import mixed_frame
from page_forms import FILL, entries, half_known, plain, position
from scipy.special import softmax

from gnbayes import GeneralizedNB
from gnbayes.model import LearnedTerms

NORMAL_90 = 1.6448536269514722


def with_spreads(clf):
    """The classifier with standard errors of its own for every table."""
    model, rng = clf.model_, np.random.default_rng(0)
    terms = []
    for term in model.terms:
        spread = rng.uniform(0.05, 0.3, size=term.table.shape).astype(np.float32).astype(np.float64)
        if len(clf.classes_) == 2:
            spread[..., 0] = spread[..., 1]
        terms.append(replace(term, spread=spread))
    clf.model_ = replace(model, learned=LearnedTerms(model.learned.intercept, tuple(terms)))
    return clf


def completions(clf, codes):
    """Completions of one row: codes, weights, and probabilities of each."""
    draws = clf.model_._completion.draw(codes)
    scores = clf.model_.intercept + sum(term.contributions(draws.codes) for term in clf.model_.terms)
    return draws.codes, draws.weights, softmax(scores, axis=1)


def interval(clf, codes, proba):
    """The definition, row by row: normal on the log-odds; known tables count in full, others by their slopes."""
    k = len(clf.classes_)
    out = np.zeros((*proba.shape, 2))
    for row, own in enumerate(codes):
        filled, weights, shares = completions(clf, own)
        slopes = weights[:, None] * shares * (1 - shares)
        variance = np.zeros(k)
        for term in clf.model_.terms:
            if all(own[j] < len(axis) for j, axis in zip(term.features, term.maps, strict=True)):
                cell = tuple(axis[own[j]] for j, axis in zip(term.features, term.maps, strict=True))
                variance += term.spread[cell] ** 2
                continue
            sums = np.zeros_like(term.spread)
            for one, slope in zip(filled, slopes, strict=True):
                sums[tuple(axis[one[j]] for j, axis in zip(term.features, term.maps, strict=True))] += slope
            mean = weights @ shares
            variance += ((sums / (mean * (1 - mean)) * term.spread) ** 2).reshape(-1, k).sum(axis=0)
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
        # Standard errors are in the page to a thousandth, and the band is shown in tenths of a percent.
        np.testing.assert_allclose(found, expected[row, y], atol=2e-4)
        own = clf.predict_interval(some[row : row + 1], unknown=is_unknown[[row]])
        np.testing.assert_allclose(own[0, y], expected[row, y], atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_range_is_that_of_completions(n_classes, open_page, page_of):
    frame, labels = mixed_frame(300, n_classes)
    clf = GeneralizedNB().fit(frame, labels)
    page = open_page(page_of(clf))
    some, is_unknown, lines = half_known(clf, frame, 6)
    codes, proba = clf._codes(some, is_unknown), clf.predict_proba(some, unknown=is_unknown)
    for row, line in enumerate(lines):
        page.evaluate(FILL, [line])
        found = json.loads(page.get_attribute("#range", "data-values"))
        if line.count(None) in (0, len(line)):
            assert found is None
            continue
        y = 0 if n_classes == 2 else int(proba[row].argmax())
        _, weights, shares = completions(clf, codes[row])
        order = np.argsort(shares[:, y], kind="stable")
        reached = np.cumsum(weights[order])
        expected = [shares[order[np.searchsorted(reached, level - 1e-12)], y] for level in (0.05, 0.95)]
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_full_form_leaves_nothing_open(weighted, open_page, page_of):
    clf, frame, _ = weighted
    page = open_page(page_of(clf))
    assert page.inner_text("#range") == ""
    complete = frame.dropna().iloc[[0]]
    page.evaluate(FILL, entries(clf, complete))
    assert page.inner_text("#range") == ""
    assert page.inner_text("#band").startswith("Uncertainty of the model: ")
    position_of_age = position(clf, "age")
    page.fill(f"#f{position_of_age}", "")
    low, high = json.loads(page.get_attribute("#range", "data-values"))
    words = plain(page.inner_text("#range"))
    assert words.startswith("Once all answers are known, the result will be ")
    assert f"{100 * low:.1f}% to {100 * high:.1f}%" in words


def test_the_band_is_said_in_words_and_drawn_around_curves(open_page, page_of):
    frame, labels = mixed_frame(300)
    clf = with_spreads(GeneralizedNB().fit(frame, labels))
    page = open_page(page_of(clf))
    assert page.inner_text("#band") == ""
    page.fill(f"#f{position(clf, 'age')}", "60")
    low, high = json.loads(page.get_attribute("#band", "data-values"))
    words = plain(page.inner_text("#band"))
    assert words.startswith("Uncertainty of the model: fitted to other people, it would say ")
    assert f"{100 * low:.1f}% to {100 * high:.1f}%" in words
    curves = page.locator(".effect svg path.own").count()
    assert page.locator(".effect svg path.band").count() == curves > 0


def test_categories_have_their_intervals(open_page, page_of):
    frame, labels = mixed_frame(300)
    clf = with_spreads(GeneralizedNB().fit(frame, labels))
    page = open_page(page_of(clf))
    assert "90% interval" in page.inner_text("#effects > p")
    effect = clf.effect("sex", "ill")
    page.click("#effects-more")
    card = page.locator(".effect", has=page.locator("h3", has_text=re.compile("^sex$")))
    assert card.locator(".steps .interval").count() == len(effect.log_odds)
    shown = []
    for text in card.locator("small").all_inner_texts():
        found = re.search(r"90% interval ([\d.]+) to ([\d.]+)$", plain(text))
        shown.append([float(found.group(1)), float(found.group(2))])
    reach = NORMAL_90 * effect.spread
    expected = np.exp(np.stack([effect.log_odds - reach, effect.log_odds + reach], axis=1))
    np.testing.assert_allclose(shown, expected, rtol=6e-3)
    # What is drawn lies around the end of its bar.
    bars = [card.locator(".steps:not(.rows) .bar").nth(at).bounding_box() for at in range(len(shown))]
    lines = [card.locator(".steps .interval").nth(at).bounding_box() for at in range(len(shown))]
    for logarithm, bar, line in zip(effect.log_odds, bars, lines, strict=True):
        end = bar["x"] + (bar["width"] if logarithm > 0 else 0)
        assert line["x"] - 2 <= end <= line["x"] + line["width"] + 2


def test_a_model_without_standard_errors_shows_none(binary, open_page, page_of):
    page = open_page(page_of(binary[0]))
    assert "90% interval" not in page.inner_text("#effects")
    assert page.locator(".interval, .effect path.band").count() == 0
