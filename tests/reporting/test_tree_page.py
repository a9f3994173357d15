"""The tree and the tables behind it, driven in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from classifiers import alone, counted
from page_forms import plain, until

from gnbayes import GeneralizedNB


@pytest.fixture(scope="module")
def reports(binary, weighted, weighted_many, page_of):
    return {
        "binary": page_of(binary[0]),
        "weighted": page_of(weighted[0]),
        "many": page_of(weighted_many[0]),
    }


def test_the_tree_by_mouse(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    names = [clf.features_[j].name for j in clf.tree_.order]
    for at, name in enumerate(names):
        page.locator(f'.node[data-feature="{at}"]').click()
        assert page.inner_text("#detail h4") == name
        assert page.locator("#detail table").count() == 2
    assert page.locator('.node[aria-pressed="true"]').get_attribute("data-feature") == str(len(names) - 1)
    page.locator("#detail button.link").first.click()
    assert page.inner_text("#detail h4") != names[-1]
    width = lambda: int(page.get_attribute("#tree-picture", "width"))  # noqa: E731
    start = width()
    page.click("#tree-in")
    assert width() > start
    page.click("#tree-out")
    page.click("#tree-out")
    assert width() < start
    page.click("#tree-fit")
    box = page.locator("#tree-place")
    assert box.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1")


def test_the_heat_map_shows_probabilities_and_counts(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    j = int(clf.tree_.order[2])
    mother = int(clf.tree_.mother[j])
    page.locator('.node[data-feature="2"]').click()
    cells = page.locator("#detail table >> nth=1 >> tbody tr:not(.all) td").all_inner_texts()
    shown = [[float(part.strip("%")) for part in cell.split("\n")] for cell in cells]
    np.testing.assert_allclose(
        [share for share, _ in shown], 100 * np.exp(clf.joint_.tables[j][:, :, 1]).ravel(), atol=0.5
    )
    assert [count for _, count in shown] == clf.counts_.pair(mother, j)[:, :, 1].ravel().tolist()


def test_the_tree_by_keyboard(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    page.locator(".node").first.focus()
    where = lambda: page.evaluate("document.activeElement.dataset.feature")  # noqa: E731
    page.keyboard.press("ArrowDown")
    second = where()
    assert second != "0"
    page.keyboard.press("Enter")
    names = [clf.features_[j].name for j in clf.tree_.order]
    assert page.inner_text("#detail h4") == names[int(second)]
    page.keyboard.press("ArrowLeft")
    assert where() == str(reports["binary"].summary["model"]["mother"][int(second)])
    page.keyboard.press("ArrowRight")
    assert reports["binary"].summary["model"]["mother"][int(where())] == 0
    page.keyboard.press("End")
    page.keyboard.press("Space")
    assert page.inner_text("#detail h4") == names[int(where())]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert where() == "0"
    page.keyboard.press("+")
    assert page.locator(".node[tabindex='0']").count() == 1


def test_the_tree_is_panned_by_dragging(open_page, page_of):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 60))
    page = open_page(page_of(counted().fit(X, X[:, 0] > 0)))
    place = page.locator("#tree-place")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    x, y = box["x"] + box["width"] - 20, box["y"] + 300
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 150, steps=3)
    page.mouse.up()
    assert place.evaluate("e => e.scrollTop") == pytest.approx(150, abs=2)
    before = page.inner_text("#detail h4")
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    until(page, "Number(document.getElementById('tree-picture').getAttribute('height')) > 60 * 32 * 0.9")
    assert page.inner_text("#detail h4") == before


def test_importances_lead_to_the_feature(reports, open_page):
    page = open_page(reports["binary"])
    button = page.locator("#importance button[data-choose]").nth(4)
    button.click()
    assert page.inner_text("#detail h4") == button.inner_text()
    assert page.evaluate("document.activeElement.id") == "detail"


def test_the_table_of_a_feature_of_a_weighted_model(weighted, reports, open_page):
    clf, _, _ = weighted
    page = open_page(reports["weighted"])
    ill, well = 0, 1
    for at, j in enumerate(clf.tree_.order.tolist()):
        page.locator(f'.node[data-feature="{at}"]').click()
        own = alone(clf, j)[:, ill] - alone(clf, j)[:, well]
        cells = [cell.split("\n") for cell in page.locator("#detail table tbody td").all_inner_texts()]
        np.testing.assert_allclose([factor(cell[0]) for cell in cells], np.exp(own), rtol=6e-3)
        counts = clf.model_.learned_parts.nested.values.single(j)
        assert [plain(cell[1]) for cell in cells] == [
            f"{by_class[ill]:g} of {by_class.sum():g}" if by_class.sum() else "no rows" for by_class in counts
        ]


def factor(text):
    return float(text.removeprefix("× "))


def test_tables_of_a_weighted_model_with_many_classes(weighted_many, reports, open_page):
    clf, _, _ = weighted_many
    page = open_page(reports["many"])
    j = int(clf.tree_.order[0])
    own = alone(clf, j) - alone(clf, j).mean(axis=1, keepdims=True)
    cells = [cell.split("\n")[0] for cell in page.locator("#detail table tbody td").all_inner_texts()]
    np.testing.assert_allclose([factor(cell) for cell in cells], np.exp(own).ravel(), rtol=6e-3)


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_of_many_classes_one_is_chosen_and_the_most_probable_come_first(weighting, open_page, page_of):
    rng = np.random.default_rng(0)
    y = np.arange(360) % 12
    X = rng.normal(size=(360, 3)) + y[:, None] / 4
    clf = GeneralizedNB(weighting=weighting).fit(X, y)
    page = open_page(page_of(clf, X, y, rows=1))
    page.select_option("#row", "0")
    order = [int(name.removeprefix("class = ")) for name in page.locator("#shares .name").all_inner_texts()]
    assert order == np.argsort(-clf.predict_proba(X[:1])[0], kind="stable").tolist()
    place = page.locator("#detail caption" if weighting is None else "#detail thead th").first
    assert " 0" in plain(place.inner_text())
    n = page.locator("#detail table").count()
    page.select_option("#table-class", "3")
    assert page.locator("#detail table").count() == n <= 2
    assert " 3" in plain(place.inner_text())
    page.locator('.node[data-feature="1"]').click()
    assert page.input_value("#table-class") == "3"
    assert page.locator(".heat").count() == 1
