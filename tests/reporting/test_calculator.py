"""The calculator in the page gives Python's probabilities, through its own form."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from mixed_tables import mixed_frame, patients
from page_forms import FILL, entries, until

from gnbayes import GeneralizedNB
from gnbayes.model import reasons_by_feature


def typed(frame):
    """Random patients with the column types of the table."""
    return frame.astype(dict.fromkeys(frame, object)).infer_objects()


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {"weighting": None},
        {"weighting": None, "structure": "tan", "smoothing": "backoff"},
        {"weighting": None, "smoothing": "paper"},
        {"weighting": None, "smoothing": "repair"},
        {"weighting": None, "structure": "nb", "alpha": 0.3},
        {"weighting": "discriminative", "structure": "gnb-o", "n_bins": "auto"},
        {"weighting": "discriminative", "structure": "tan", "n_bins": 4},
        {"weighting": "discriminative", "structure": "nb", "n_bins": "auto"},
    ],
    ids=["additive", "backoff", "paper", "repair", "naive", "weighted", "weighted, one size", "weighted, naive"],
)
def test_the_form_gives_the_probabilities_of_python_for_200_patients(n_classes, settings, open_page, page_of):
    frame, labels = mixed_frame(400, n_classes)
    clf = GeneralizedNB(**settings).fit(frame, labels)
    some = typed(patients(frame, 200, seed=3))
    page = open_page(page_of(clf))
    found = page.evaluate(FILL, entries(clf, some))
    np.testing.assert_allclose(found, clf.predict_proba(some), rtol=0, atol=1e-9)


def test_unknown_is_summed_out_even_where_training_had_gaps(binary, open_page, page_of):
    clf, frame, _ = binary
    some = typed(patients(frame, 60, seed=5))
    lines = [[None if value == "na" else value for value in line] for line in entries(clf, some)]
    page = open_page(page_of(clf))
    codes = np.array(
        [
            [_code(clf.features_[j], line[at]) for j, at in sorted(zip(clf.tree_.order, range(7), strict=True))]
            for line in lines
        ]
    )
    joint = clf.model_.log_joint(codes)
    expected = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])
    np.testing.assert_allclose(page.evaluate(FILL, lines), expected, rtol=0, atol=1e-9)


def _code(feature, value):
    if value is None:
        return feature.unseen_code
    return int(np.searchsorted(feature.edges, float(value), side="right")) if feature.kind == "interval" else value


def test_an_empty_form_shows_the_prior(many_classes, open_page, page_of):
    clf, _, _ = many_classes
    page = open_page(page_of(clf))
    shares = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(shares, np.exp(clf.joint_.log_prior), atol=1e-12)
    assert "Nothing is known yet" in page.inner_text("#known")


def test_an_empty_form_of_a_weighted_model_shows_the_share_of_the_class(weighted, open_page, page_of):
    clf, _, _ = weighted
    page = open_page(page_of(clf))
    shares = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(shares, np.exp(clf.joint_.log_prior), atol=1e-12)
    assert "averaged over their possible values" in page.inner_text("#calculator")
    assert "this is the share of the class" in page.inner_text("#known")
    page.fill("#f0", "60")
    assert "the others are averaged over their possible values, given the known ones" in page.inner_text("#known")


def test_unknown_is_averaged_even_where_training_had_gaps(weighted, open_page, page_of):
    clf, frame, _ = weighted
    some = typed(patients(frame, 60, seed=5))
    lines = [[None if value == "na" else value for value in line] for line in entries(clf, some)]
    is_unknown = np.zeros((60, 7), dtype=bool)
    is_unknown[:, clf.tree_.order] = [[value is None for value in line] for line in lines]
    assert is_unknown.any()
    page = open_page(page_of(clf))
    expected = clf.predict_proba(some, unknown=is_unknown)
    np.testing.assert_allclose(page.evaluate(FILL, lines), expected, rtol=0, atol=1e-9)


def test_unknown_features_are_a_line_of_their_own(weighted, open_page, page_of):
    clf, frame, labels = weighted
    page = open_page(page_of(clf, frame[:1], labels[:1], rows=1), permissions=["clipboard-read", "clipboard-write"])
    lines = page.locator("#reasons li")
    names = [clf.features_[j].name for j in clf.tree_.order]
    page.fill(f"#f{names.index('age')}", "60")
    assert lines.count() == 4
    assert lines.nth(1).inner_text().startswith("age")
    assert lines.nth(2).inner_text().startswith("Unknown answers, averaged")
    some = frame[:1].assign(age=60.0)
    codes = clf._codes(some, [name for name in names if name != "age"])
    unknown = reasons_by_feature(clf.model_, codes).unknown[0]
    factor = math.exp(abs(unknown[0] - unknown[1]))
    said = re.search(r"[×÷] ([0-9.]+)", lines.nth(2).inner_text())
    assert said, lines.nth(2).inner_text()
    assert float(said[1]) == pytest.approx(factor, rel=0.01)
    page.click("#copy")
    until(page, "document.getElementById('announcement').textContent === 'Copied.'")
    text = page.evaluate("navigator.clipboard.readText()")
    assert re.search(rf"^  Unknown answers, averaged: .* odds [×÷] {said[1]}$", text, re.MULTILINE)
    assert (
        "With 1 of 7 answers known; the others are averaged over their possible values, given the known ones." in text
    )
    page.emulate_media(media="print")
    assert lines.nth(2).is_visible()
    page.emulate_media(media="screen")
    page.select_option("#row", "0")
    assert "Unknown answers" not in page.inner_text("#reasons")


@pytest.mark.parametrize("kind", ["binary", "weighted"])
def test_the_reasons_sum_to_the_odds(kind, request, open_page, page_of):
    clf, frame, labels = request.getfixturevalue(kind)
    page = open_page(page_of(clf, frame[:1], labels[:1], rows=1))
    page.select_option("#row", "0")
    lines = page.locator("#reasons li")
    words = lines.nth(1).inner_text()
    contributions = reasons_by_feature(clf.model_, clf._codes(frame[:1])).contributions[0]
    added = contributions[:, 0] - contributions[:, 1]
    assert clf.features_[np.argmax(np.abs(added))].name in words
    assert lines.last.inner_text().startswith("All together")
    steps = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(steps, clf.predict_proba(frame[:1])[0], atol=1e-9)


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_edges_belong_to_the_interval_above_them(weighting, open_page, page_of):
    frame = pd.DataFrame({"age": [30.0, 45.0, 50.0, 65.0] * 5, "pressure": [1.0, 2.0, 2.5, 4.0] * 5})
    edges = {"age": [40.0, 50.0], "pressure": [2.0]}
    clf = GeneralizedNB(discretizer=edges, weighting=weighting).fit(frame, [0, 0, 1, 1] * 5)
    page = open_page(page_of(clf))
    for age in (39.999999999, 40.0, 49.9999999, 50.0):
        some = pd.DataFrame({"age": [age], "pressure": [2.0]})
        np.testing.assert_allclose(page.evaluate(FILL, entries(clf, some)), clf.predict_proba(some), atol=1e-12)
