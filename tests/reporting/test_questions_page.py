"""What the page says beyond the risk is what Python says: reasons, next question, how unusual."""

import json
from dataclasses import replace

import numpy as np
import pytest
from mixed_tables import mixed_frame
from page_forms import FILL, half_known, plain, until

from gnbayes import GeneralizedNB
from gnbayes.model import LearnedTerms, Term, question_values, reasons_by_feature, unusualness
from gnbayes.reporting.unusual import SHARES, describe_unusual

KINDS = {
    "weighted": {},
    "counted": {"weighting": None, "n_bins": 5},
    "naive": {"weighting": None, "structure": "nb"},
}


def settled(page):
    """Wait until what can wait is there."""
    page.evaluate("new Promise((done) => setTimeout(() => setTimeout(done)))")


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("kind", list(KINDS))
def test_page_and_python_agree_on_half_filled_forms(kind, n_classes, open_page, page_of):
    frame, labels = mixed_frame(400, n_classes)
    clf = GeneralizedNB(**KINDS[kind]).fit(frame, labels)
    page = open_page(page_of(clf))
    some, is_unknown, lines = half_known(clf, frame, 12)
    codes = clf._codes(some, is_unknown)
    order = clf.tree_.order
    values, unusual = question_values(clf.model_, codes), unusualness(clf.model_, codes)
    reasons = reasons_by_feature(clf.model_, codes)
    for row, line in enumerate(lines):
        [shares] = page.evaluate(FILL, [line])
        settled(page)
        np.testing.assert_allclose(
            shares, clf.predict_proba(some[row : row + 1], unknown=is_unknown[[row]])[0], atol=1e-9
        )
        found = json.loads(page.get_attribute("#next", "data-values"))
        np.testing.assert_allclose(found, values[row, order], atol=1e-9)
        assert float(page.get_attribute("#unusual", "data-value")) == pytest.approx(unusual[row], abs=1e-9)
        if n_classes == 2:
            added = np.sort(
                reasons.contributions[row, ~is_unknown[row], 0] - reasons.contributions[row, ~is_unknown[row], 1]
            )
            shown = [
                float(text)
                for text in page.eval_on_selector_all("#reasons .feature", "all => all.map((one) => one.dataset.odds)")
            ]
            np.testing.assert_allclose(np.sort(shown), added, atol=1e-9)


def test_the_bars_start_at_the_share_of_the_class_and_sum_to_the_result(weighted, open_page, page_of):
    clf, _, labels = weighted
    page = open_page(page_of(clf))
    share = page.inner_text("#risk")
    assert float(share.removesuffix("%")) == pytest.approx(100 * np.mean(labels == "ill"), abs=0.051)
    texts = page.locator("#reasons li").all_inner_texts()
    assert [text.split("\n")[-1] for text in texts] == [share, share]
    page.locator("input[inputmode=decimal]").first.fill("3")
    odds = [
        float(text) for text in page.eval_on_selector_all("#reasons li", "all => all.map((one) => one.dataset.odds)")
    ]
    ill, well = json.loads(page.get_attribute("#risk", "data-values"))
    assert sum(odds[:-1]) == pytest.approx(odds[-1], abs=1e-9)
    assert odds[-1] == pytest.approx(np.log(ill / well), abs=1e-9)


def with_more_terms(clf):
    """The classifier with a pair that is no edge of the tree, and a triple."""
    model = clf.model_
    rng = np.random.default_rng(2)
    maps = [feature.coarse_codes for feature in clf.features_]
    edges = {frozenset((j, int(clf.tree_.mother[j]))) for j in clf.tree_.order.tolist()}
    free = next((i, j) for i in range(7) for j in range(i) if frozenset((i, j)) not in edges)
    made = []
    for features in (free, (0, 2, 3)):
        shape = tuple(int(maps[j].max()) + 1 for j in features)
        odds = rng.normal(size=(*shape, 1))
        made.append(
            Term(features, tuple(maps[j] for j in features), np.concatenate([-odds, odds], axis=-1), np.ones(shape))
        )
    clf.model_ = replace(model, learned=LearnedTerms(model.learned.intercept, (*model.terms, *made)))
    return clf, free


def test_terms_of_any_two_or_three_features_are_computed_and_drawn(open_page, page_of):
    frame, labels = mixed_frame()
    clf, free = with_more_terms(GeneralizedNB().fit(frame, labels))
    page = open_page(page_of(clf))
    some, is_unknown, lines = half_known(clf, frame, 30)
    expected = clf.predict_proba(some, unknown=is_unknown)
    np.testing.assert_allclose(page.evaluate(FILL, lines), expected, rtol=0, atol=1e-9)
    while page.is_visible("#effects-more"):
        page.click("#effects-more")
    titles = [plain(text) for text in page.locator(".effect h3").all_inner_texts()]
    names = [clf.features_[j].name for j in free]
    assert f"{names[0]} and {names[1]} together" in titles
    first, second, third = (clf.features_[j].name for j in (0, 2, 3))
    of_triple = f"{first}, {second} and {third}"
    triple = page.locator(".effect").nth(titles.index(f"{of_triple} together"))
    fewest = min(clf.features_[j].coarse_cardinality for j in (0, 2, 3))
    assert triple.locator("svg").count() == min(8, fewest)


def test_the_next_question_leads_to_its_field(weighted, open_page, page_of):
    clf, frame, _ = weighted
    page = open_page(page_of(clf))
    settled(page)
    values = clf.question_values(frame[:1], unknown=list(frame))[0]
    best = clf.features_[int(values.argmax())].name
    words = plain(page.inner_text("#next"))
    assert words.startswith(f"Best question to ask next: {best} (on average it changes the result by ")
    assert f"{100 * values.max():.0f} percentage points" in words
    page.click("#next button")
    field = page.evaluate("document.activeElement.closest('.field').innerText")
    assert field.startswith(best)


def test_strange_answers_are_warned_of_on_the_page_on_paper_and_in_the_text(open_page, page_of):
    rng = np.random.default_rng(0)
    first = rng.normal(size=1000)
    X = np.stack([first, first + rng.normal(scale=0.05, size=1000), rng.normal(size=1000)], axis=1)
    clf = GeneralizedNB(weighting=None, n_bins=8).fit(X, np.where(X[:, 2] > 0, "ill", "well"))
    page = open_page(page_of(clf, X), permissions=["clipboard-read", "clipboard-write"])
    fields = {name: page.get_by_label(name, exact=True) for name in ("x0", "x1", "x2")}
    for name, value in (("x0", "0.1"), ("x1", "0.1"), ("x2", "0.1")):
        fields[name].fill(value)
    settled(page)
    assert plain(page.inner_text("#unusual")).endswith("the people this page was made with.")
    assert not page.is_visible("#rare")
    fields["x1"].fill("-2")
    settled(page)
    warning = plain(page.inner_text("#rare"))
    assert warning.startswith("These answers together are rarer than those of 99 in 100 of the people")
    page.click("#copy")
    until(page, "document.getElementById('announcement').textContent === 'Copied.'")
    assert warning in page.evaluate("navigator.clipboard.readText()")
    page.emulate_media(media="print")
    assert page.is_visible("#rare")


def test_about_one_training_row_in_a_hundred_is_warned_of(weighted, open_page, page_of):
    clf, frame, labels = weighted
    page = open_page(page_of(clf, frame, labels, rows=len(frame)))
    found = []
    for row in range(0, len(frame), 3):
        page.select_option("#row", str(row))
        settled(page)
        found.append(page.is_visible("#rare"))
    assert np.mean(found) < 0.03


def test_what_is_unusual_is_known_for_shares_of_the_features(weighted):
    clf, frame, _ = weighted
    described = describe_unusual(clf, clf._codes(frame))
    assert described["shares"] == list(SHARES)
    assert not described["isDrawn"]
    assert [len(quantiles) for quantiles in described["quantiles"]] == [101] * 4
    whole = np.quantile(clf.unusualness(frame), (0.5, 0.99))
    np.testing.assert_allclose([described["quantiles"][-1][at] for at in (50, 99)], whole, atol=0.15)


@pytest.mark.slow
def test_without_enough_rows_the_model_itself_says_what_is_usual(weighted):
    clf, frame, _ = weighted
    assert describe_unusual(clf, None)["isDrawn"]
    assert describe_unusual(clf, clf._codes(frame[:99]))["isDrawn"]
    gaps = np.random.default_rng(0).random(frame.shape) < 0.5
    assert describe_unusual(clf, clf._codes(frame, gaps))["isDrawn"]


def test_the_rule_of_the_paper_says_nothing_about_it(open_page, page_of):
    frame, labels = mixed_frame()
    clf = GeneralizedNB(weighting=None, smoothing="paper").fit(frame, labels)
    assert describe_unusual(clf, clf._codes(frame)) is None
    page = open_page(page_of(clf))
    page.locator("input[inputmode=decimal]").first.fill("3")
    settled(page)
    assert page.inner_text("#unusual") == page.inner_text("#next") == ""
