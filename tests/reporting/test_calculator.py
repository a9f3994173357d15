"""The calculator in the page gives Python's probabilities, through its own form."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from mixed_tables import mixed_frame, patients

import gnbayes
from gnbayes import GeneralizedNB

# Fill the form as a person does, field by field, and read what the page says: one list of probabilities a patient.
FILL = """
(patients) => patients.map((values) => {
  values.forEach((value, j) => {
    const field = document.getElementById(`f${j}`), box = document.getElementById(`n${j}`);
    const isBox = value === "na" && box !== null;
    if (box && box.checked !== isBox) box.click();
    if (isBox) return;
    field.value = value === null ? "" : String(value);
    field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  });
  return JSON.parse(document.getElementById("risk").dataset.values);
})
"""


def entries(clf, frame):
    """What to put into the fields, in the order of the page: numbers, positions of choices, "na", or nothing."""
    lines = []
    for _, row in frame.iterrows():
        line = []
        for j in clf.feature_order_:
            feature, value = clf.features_[j], row.iloc[j]
            if value is None or value != value:
                line.append("na" if feature.has_missing else None)
            elif feature.kind == "interval":
                line.append(repr(float(value)))
            else:
                line.append(list(feature.categories).index(value))
        lines.append(line)
    return lines


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
def test_the_form_gives_the_probabilities_of_python_for_200_patients(n_classes, settings, open_page):
    frame, labels = mixed_frame(400, n_classes)
    clf = GeneralizedNB(**settings).fit(frame, labels)
    some = typed(patients(frame, 200, seed=3))
    page = open_page(gnbayes.report(clf))
    found = page.evaluate(FILL, entries(clf, some))
    np.testing.assert_allclose(found, clf.predict_proba(some), rtol=0, atol=1e-9)


def test_a_smaller_number_of_features_gives_the_model_of_that_number(binary, open_page):
    clf, frame, labels = binary
    some = typed(patients(frame, 40, seed=4))
    page = open_page(gnbayes.report(clf))
    for n in (1, 3, 5):
        page.select_option("#count", str(n))
        smaller = GeneralizedNB("gnb-a", n_bins=5, weighting=None, n_features=n).fit(frame, labels)
        found = page.evaluate(FILL, [line[:n] for line in entries(clf, some)])
        np.testing.assert_allclose(found, smaller.predict_proba(some), rtol=0, atol=1e-9)


def test_unknown_is_summed_out_even_where_training_had_gaps(binary, open_page):
    clf, frame, _ = binary
    some = typed(patients(frame, 60, seed=5))
    lines = [[None if value == "na" else value for value in line] for line in entries(clf, some)]
    page = open_page(gnbayes.report(clf))
    codes = np.array(
        [
            [_code(clf.features_[j], line[at]) for j, at in sorted(zip(clf.feature_order_, range(7), strict=True))]
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


def test_an_empty_form_shows_the_prior(many_classes, open_page):
    clf, _, _ = many_classes
    page = open_page(gnbayes.report(clf))
    shares = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(shares, np.exp(clf.joint_.log_prior), atol=1e-12)
    assert "Nothing is known yet" in page.inner_text("#known")


def test_an_empty_form_of_a_weighted_model_shows_the_prior(weighted, open_page):
    clf, _, _ = weighted
    page = open_page(gnbayes.report(clf))
    shares = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(shares, np.exp(clf.joint_.log_prior), atol=1e-12)
    assert "averaged over what" in page.inner_text("#calculator")
    assert "not the share of the class" in page.inner_text("#known")
    page.fill("#f0", "60")
    assert "a rough figure" in page.inner_text("#known")
    assert page.locator("#count").count() == 0


@pytest.mark.parametrize("kind", ["binary", "weighted"])
def test_the_evidence_sums_to_the_odds(kind, request, open_page):
    clf, frame, labels = request.getfixturevalue(kind)
    page = open_page(gnbayes.report(clf, frame, labels, rows=1, pos_label="ill"))
    page.select_option("#row", "0")
    lines = page.locator("#evidence li")
    words = lines.nth(1).inner_text()
    explanation = clf.explain(frame[:1])
    added = np.zeros(len(clf.features_))
    for term, odds in zip(explanation.terms, explanation.log_odds(0, "ill", "well").terms, strict=True):
        added[term.features[-1]] += odds
    assert clf.features_[np.argmax(np.abs(added))].name in words
    assert lines.last.inner_text().startswith("All together")
    steps = json.loads(page.get_attribute("#risk", "data-values"))
    np.testing.assert_allclose(steps, clf.predict_proba(frame[:1])[0], atol=1e-9)


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_edges_belong_to_the_interval_above_them(weighting, open_page):
    frame = pd.DataFrame({"age": [30.0, 45.0, 50.0, 65.0] * 5, "pressure": [1.0, 2.0, 2.5, 4.0] * 5})
    edges = {"age": [40.0, 50.0], "pressure": [2.0]}
    clf = GeneralizedNB(discretizer=edges, weighting=weighting).fit(frame, [0, 0, 1, 1] * 5)
    page = open_page(gnbayes.report(clf))
    for age in (39.999999999, 40.0, 49.9999999, 50.0):
        some = pd.DataFrame({"age": [age], "pressure": [2.0]})
        np.testing.assert_allclose(page.evaluate(FILL, entries(clf, some)), clf.predict_proba(some), atol=1e-12)
