"""Effects on the page: the numbers of Python, sorted by importance, with the person's own place."""

import re

import numpy as np
import pytest
from mixed_tables import mixed_frame
from page_forms import plain, position, until

from gnbayes import GeneralizedNB

# Labels that reach beyond their chart, and pairs of labels of which one lies on the other.
OUTSIDE = """() => [...document.querySelectorAll(".heat-chart text")].filter((text) => {
  const [own, chart] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect());
  return own.left < chart.left || own.right > chart.right || own.top < chart.top || own.bottom > chart.bottom;
}).map((text) => text.textContent)"""
OVERLAPPING = """() => [...document.querySelectorAll(".heat-chart")].flatMap((chart) => {
  const boxes = [...chart.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], at) => boxes.slice(at + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4,
  ).map(([other]) => `${name} | ${other}`));
})"""


@pytest.fixture(scope="module")
def reports(binary, weighted, weighted_many, page_of):
    return {"binary": page_of(binary[0]), "weighted": page_of(weighted[0]), "many": page_of(weighted_many[0])}


def all_effects(page):
    """All cards, also those that are shown on demand."""
    while page.is_visible("#effects-more"):
        page.click("#effects-more")
    return page.locator(".effect")


def card_of(page, name):
    names = [plain(text) for text in all_effects(page).locator("h3").all_inner_texts()]
    return page.locator(".effect").nth(names.index(name))


def factors(texts):
    return [float(re.search(r"×\s([0-9.]*[0-9])", text)[1]) for text in texts]


@pytest.mark.parametrize("kind", ["binary", "weighted"])
def test_they_are_sorted_by_importance_of_the_model_that_predicts(kind, request, reports, open_page):
    clf, _, _ = request.getfixturevalue(kind)
    page = open_page(reports[kind])
    cards = all_effects(page)
    names = [
        re.sub(", | and ", " x ", plain(text).removesuffix(" together"))
        for text in cards.locator("h3").all_inner_texts()
    ]
    assert names == [" x ".join(clf.features_[j].name for j in term.features) for term in clf.terms_]
    shares = [float(plain(text).split("%")[0]) for text in cards.locator("h3 + .hint").all_inner_texts()]
    importances = np.array([term.importance for term in clf.terms_])
    np.testing.assert_allclose(shares, 100 * importances / importances.sum(), atol=0.051)


@pytest.mark.parametrize("kind", ["binary", "weighted"])
def test_bars_of_categories_are_the_effects_of_python(kind, request, reports, open_page):
    clf, _, _ = request.getfixturevalue(kind)
    page = open_page(reports[kind])
    effect = clf.effect("sex", "ill")
    lines = card_of(page, "sex").locator(".effect-bars li")
    assert [plain(text).split("\n")[0] for text in lines.all_inner_texts()] == list(effect.axes[0].labels)
    np.testing.assert_allclose(factors(lines.all_inner_texts()), effect.odds_factor, rtol=6e-3)
    shares = [float(re.search(r"([0-9.]+)% of rows", plain(text))[1]) for text in lines.all_inner_texts()]
    np.testing.assert_allclose(shares, 100 * effect.shares, atol=0.051)


def test_the_effect_of_a_class_among_many_is_against_the_mean_of_the_others(weighted_many, reports, open_page):
    clf, _, _ = weighted_many
    page = open_page(reports["many"])
    for at, label in enumerate(clf.classes_.tolist()):
        page.select_option("#effects-class", str(at))
        lines = card_of(page, "sex").locator(".effect-bars li").all_inner_texts()
        np.testing.assert_allclose(factors(lines), clf.effect("sex", label).odds_factor, rtol=6e-3)


def test_the_curve_of_a_number_steps_at_its_edges(weighted, reports, open_page):
    clf, _, _ = weighted
    page = open_page(reports["weighted"])
    path = card_of(page, "age").locator("path.own").get_attribute("d")
    effect = clf.effect("age", "ill")
    heights = np.array([float(found) for found in re.findall(r"(?:M[\d.]+ |V)([\d.]+)", path)])
    n = len(effect.axes[0].edges) + 1
    assert len(heights) == n
    # Pixels grow downward, and are a straight line of the log-odds.
    slope, start = np.polyfit(effect.log_odds[:n], heights, 1)
    assert slope < 0
    np.testing.assert_allclose(start + slope * effect.log_odds[:n], heights, atol=0.02)
    assert card_of(page, "age").locator("rect.rows").count() == n


def test_the_place_of_the_person_is_marked_where_it_is_known(weighted, reports, open_page):
    clf, _, _ = weighted
    page = open_page(reports["weighted"])
    age, sex = card_of(page, "age"), card_of(page, "sex")
    assert age.locator(".own-place").get_attribute("visibility") == "hidden"
    page.fill(f"#f{position(clf, 'age')}", "60")
    until(page, "document.querySelector('.own-place[visibility=visible]') !== null")
    assert sex.locator(".own").count() == 0
    code = int(np.searchsorted(clf.effect("age", "ill").axes[0].edges, 60.0, side="right"))
    assert factors([plain(age.locator(".here").inner_text())]) == [
        pytest.approx(clf.effect("age", "ill").odds_factor[code], rel=6e-3)
    ]
    page.locator(f"#f{position(clf, 'sex')} input").nth(1).click()
    until(page, "document.querySelector('.effect-bars .own') !== null")
    assert plain(sex.locator(".own").inner_text()).startswith("m")
    page.click("#clear")
    until(page, "document.querySelector('.own-place[visibility=visible], .effect-bars .own') === null")


def test_a_pair_is_a_heat_map_in_which_the_cell_of_the_person_is_framed(weighted, reports, open_page):
    clf, _, _ = weighted
    page = open_page(reports["weighted"])
    pair = next(term for term in clf.terms_ if len(term.features) == 2)
    names = [clf.features_[j].name for j in pair.features]
    card = card_of(page, f"{names[0]} and {names[1]} together")
    boxes = card.locator("svg rect:not(.own-cell)")
    assert boxes.count() == pair.rows.size
    said = factors([plain(text) for text in boxes.locator("title").all_text_contents()])
    np.testing.assert_allclose(said, clf.effect(tuple(names), "ill").odds_factor.ravel(), rtol=6e-3)
    assert card.locator(".own-cell").get_attribute("visibility") == "hidden"


@pytest.fixture(scope="module")
def triple():
    """A model with a triple of numbers and long names, and with gaps."""
    frame, labels = mixed_frame()
    frame["ward"] = frame["ward"].map({"surgery": "WWW Emergency and short stay", "medicine": "medicine"})
    return GeneralizedNB(interactions=[("age", "marker", "ward"), ("stage", "ward")], n_fits=1).fit(frame, labels)


def test_a_triple_is_a_heat_map_for_each_value_of_the_feature_with_the_fewest(triple, open_page, page_of):
    page = open_page(page_of(triple, dictionary={"columns": {"age": {"label": "Age", "unit": "years"}}}))
    term = next(term for term in triple.terms_ if len(term.features) == 3)
    names = ["Age" if triple.features_[j].name == "age" else triple.features_[j].name for j in term.features]
    card = card_of(page, f"{names[0]}, {names[1]} and {names[2]} together")
    third = int(np.argmin(term.rows.shape))
    titles = [plain(text) for text in card.locator(".map-title").all_inner_texts()]
    assert len(titles) == term.rows.shape[third]
    assert all(title.startswith(f"{names[third]}: ") for title in titles)
    assert "Age (years)" in card.inner_text()
    effect = triple.effect(tuple(triple.features_[j].name for j in term.features), "ill").odds_factor
    for at, chart in enumerate(card.locator(".heat-chart").all()):
        said = factors([plain(text) for text in chart.locator("title").all_text_contents()])
        np.testing.assert_allclose(said, effect.take(at, axis=third).ravel(), rtol=6e-3)


def test_labels_of_heat_maps_are_not_cut_off_and_do_not_overlap(triple, open_page, page_of):
    page = open_page(page_of(triple))
    all_effects(page)
    assert page.evaluate("document.querySelectorAll('.heat-chart').length") > 2
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(OVERLAPPING) == []


@pytest.mark.slow
def test_many_effects_come_in_steps(open_page, page_of):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 30))
    clf = GeneralizedNB().fit(X, np.where(X[:, 0] > 0, "ill", "well"))
    page = open_page(page_of(clf))
    n = len(clf.terms_)
    assert n > 9 + 24
    assert page.locator(".effect").count() == 9
    assert plain(page.inner_text("#effects-more")) == f"Show 24 more of {n}"
    page.click("#effects-more")
    assert page.locator(".effect").count() == 9 + 24
    assert page.evaluate("document.activeElement.closest('.effect') === document.querySelectorAll('.effect')[9]")


def test_no_feature_with_an_effect_at_all(open_page, page_of):
    X = np.zeros((40, 2))
    clf = GeneralizedNB().fit(X, np.array(["ill", "well"] * 20))
    page = open_page(page_of(clf))
    assert page.locator(".effect").count() >= 1
