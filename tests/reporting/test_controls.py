"""Every control of the page, driven in a real browser."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from classifiers import alone, counted, pair_of
from mixed_tables import mixed_frame

import gnbayes
from gnbayes import GeneralizedNB


def until(page, condition):
    """Wait for a condition; Playwright's own way of waiting is forbidden by the page's policy."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def shares(page):
    return json.loads(page.get_attribute("#risk", "data-values"))


@pytest.fixture(scope="module")
def reports(binary, many_classes):
    (clf, frame, labels), (other, table, classes) = binary, many_classes
    return {
        "binary": gnbayes.report(clf, frame, labels, rows=3),
        "many": gnbayes.report(other, table[:200], classes[:200], rows=[7, 3]),
        "bare": gnbayes.report(clf),
    }


def test_typing_a_number_says_where_it_falls(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    at = [clf.features_[j].name for j in clf.feature_order_].index("age")
    field, hint = page.locator(f"#f{at}"), page.locator(f"#h{at}")
    assert hint.inner_text().startswith("typically ")
    edges = clf.features_[0].edges
    field.fill(str(edges[0] + 0.01))
    assert "counts as" in hint.inner_text()
    assert page.locator(".ruler i.here").count() == 1
    field.fill("9999")
    assert "is the unit right?" in hint.inner_text()
    field.fill("about 60")
    assert "not a number" in hint.inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert shares(page) == pytest.approx(np.exp(clf.joint_.log_prior).tolist())
    field.fill("1,234")
    assert hint.inner_text().replace("\u2068", "").replace("\u2069", "") == (
        "can be read in two ways; write 1234 or 1.234"
    )
    field.fill("51,5")
    with_comma = shares(page)
    field.fill("51.5")
    assert shares(page) == with_comma
    field.fill("")
    assert field.get_attribute("aria-invalid") == "false"


def test_numbers_follow_the_locale_of_the_reader(binary, reports, open_page):
    page = open_page(reports["binary"], locale="de-DE")
    assert "\xa0%" in page.inner_text("#risk")
    assert "," in page.inner_text("#summary .scores dd >> nth=0")
    page.select_option("#row", "0")
    clf, frame, _ = binary
    at = [clf.features_[j].name for j in clf.feature_order_].index("age")
    assert page.input_value(f"#f{at}") == str(frame["age"].iloc[0]).replace(".", ",")
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[:1])[0], atol=1e-9)


@pytest.mark.parametrize("locale", ["ar-EG", "fa-IR", "hi-IN", "fr-CH"])
def test_rows_load_in_every_locale(locale, binary, reports, open_page):
    page = open_page(reports["binary"], locale=locale)
    page.select_option("#row", "0")
    clf, frame, _ = binary
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[:1])[0], atol=1e-9)
    at = [clf.features_[j].name for j in clf.feature_order_].index("age")
    page.fill(f"#f{at}", "51.5")
    expected = shares(page)
    page.fill(f"#f{at}", "\u0665\u0661\u066b\u0665")
    assert shares(page) == expected


def test_not_recorded_is_a_value_of_its_own(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    names = [clf.features_[j].name for j in clf.feature_order_]
    box = page.locator(f"#n{names.index('marker')}")
    box.check()
    assert shares(page) != pytest.approx(np.exp(clf.joint_.log_prior).tolist(), abs=1e-6)
    page.fill(f"#f{names.index('marker')}", "0.5")
    assert not box.is_checked()
    page.select_option(f"#f{names.index('ward')}", "na")
    assert "not recorded" in page.inner_text("#evidence")


def test_rows_load_with_their_values(binary, reports, open_page):
    clf, frame, labels = binary
    page = open_page(reports["binary"])
    assert page.locator("#row option").count() == 4
    for row in range(3):
        page.select_option("#row", str(row))
        np.testing.assert_allclose(shares(page), clf.predict_proba(frame[row : row + 1])[0], atol=1e-9)
    words = page.inner_text("#row option:nth-child(2)")
    assert words.replace("\u2068", "").replace("\u2069", "") == f"row 1: {labels[0]}"
    page.click("#clear")
    assert shares(page) == pytest.approx(np.exp(clf.joint_.log_prior).tolist())
    assert page.input_value("#row") == ""
    assert page.inner_text("#announcement") == "All set to unknown."


def test_listed_rows_are_those_of_the_table(many_classes, reports, open_page):
    clf, frame, _ = many_classes
    page = open_page(reports["many"])
    page.select_option("#row", "0")
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[7:8])[0], atol=1e-9)


def test_values_never_seen_are_left_unknown_and_said(binary, open_page):
    clf, frame, _ = binary
    odd = frame[:1].copy()
    odd["ward"] = "moon"
    page = open_page(gnbayes.report(clf, odd, rows=1))
    page.select_option("#row", "0")
    assert plain(page.inner_text("#announcement")).endswith("never seen in training, and are left unknown: 1.")
    with pytest.warns(UserWarning, match="never seen"):
        expected = clf.predict_proba(odd)[0]
    np.testing.assert_allclose(shares(page), expected, atol=1e-9)


def test_the_slider_moves_everything(reports, open_page):
    evaluation = reports["binary"].summary["evaluation"]
    page = open_page(reports["binary"])
    before = page.inner_html("#roc"), page.inner_html("#calibration"), page.inner_html("#curve")
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#used") == "1 / 7"
    assert page.input_value("#count") == "1"
    assert page.locator(".field:visible").count() == 1
    assert page.locator(".node.unused").count() == 6
    after = page.inner_html("#roc"), page.inner_html("#calibration"), page.inner_html("#curve")
    assert all(old != new for old, new in zip(before, after, strict=True))
    cells = [int(cell.split("\n")[0]) for cell in page.locator("#confusion tbody td").all_inner_texts()]
    assert cells == evaluation["confusion"][0]
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#used") == "2 / 7"
    best = page.locator("button[data-step]").last
    best.click()
    assert page.inner_text("#used") == f"{evaluation['best']['best']} / 7"
    accuracy = evaluation["scores"]["accuracy"]["mean"][evaluation["best"]["best"] - 1]
    assert f"{accuracy:.1%}" in page.inner_text("#scores")
    page.locator("button[data-step]").first.click()
    assert page.inner_text("#used") == f"{evaluation['best']['fewest']} / 7"


def test_more_than_two_classes(many_classes, reports, open_page):
    clf, frame, _ = many_classes
    page = open_page(reports["many"])
    page.select_option("#row", "1")
    ranked = np.argsort(-clf.predict_proba(frame[3:4])[0])
    title = page.inner_text("#evidence-title").replace("\u2068", "").replace("\u2069", "")
    assert title.endswith(f"{clf.classes_[ranked[0]]} against {clf.classes_[ranked[1]]}")
    page.select_option("#first", "2")
    page.select_option("#second", "0")
    title = page.inner_text("#evidence-title").replace("\u2068", "").replace("\u2069", "")
    assert title.endswith(f"{clf.classes_[2]} against {clf.classes_[0]}")
    assert clf.classes_[2] in page.inner_text("#risk-name")
    before = page.inner_html("#roc")
    page.select_option("#curve-class", "2")
    assert page.inner_html("#roc") != before


def test_the_tree_by_mouse(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    names = [clf.features_[j].name for j in clf.feature_order_]
    for at, name in enumerate(names):
        page.locator(f'.node[data-feature="{at}"]').click()
        assert page.inner_text("#detail h3") == name
        assert page.locator("#detail table").count() == 2
    assert page.locator('.node[aria-pressed="true"]').get_attribute("data-feature") == str(len(names) - 1)
    page.locator("#detail button.link").first.click()
    assert page.inner_text("#detail h3") != names[-1]
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
    j = int(clf.feature_order_[2])
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
    names = [clf.features_[j].name for j in clf.feature_order_]
    assert page.inner_text("#detail h3") == names[int(second)]
    page.keyboard.press("ArrowLeft")
    assert where() == str(reports["binary"].summary["model"]["mother"][int(second)])
    page.keyboard.press("ArrowRight")
    assert reports["binary"].summary["model"]["mother"][int(where())] == 0
    page.keyboard.press("End")
    page.keyboard.press("Space")
    assert page.inner_text("#detail h3") == names[int(where())]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert where() == "0"
    page.keyboard.press("+")
    assert page.locator(".node[tabindex='0']").count() == 1


def test_the_tree_is_panned_by_dragging(open_page):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 60))
    page = open_page(gnbayes.report(counted().fit(X, X[:, 0] > 0)))
    place = page.locator("#tree-place")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    x, y = box["x"] + box["width"] - 20, box["y"] + 300
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 150, steps=3)
    page.mouse.up()
    assert place.evaluate("e => e.scrollTop") == pytest.approx(150, abs=2)
    before = page.inner_text("#detail h3")
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    until(page, "Number(document.getElementById('tree-picture').getAttribute('height')) > 60 * 32 * 0.9")
    assert page.inner_text("#detail h3") == before


def test_importances_lead_to_the_feature(reports, open_page):
    page = open_page(reports["binary"])
    button = page.locator("#importance button[data-choose]").nth(4)
    button.click()
    assert page.inner_text("#detail h3") == button.inner_text()
    assert page.evaluate("document.activeElement.id") == "detail"


def test_the_address_holds_the_patient(binary, reports, open_page):
    page = open_page(reports["binary"])
    page.select_option("#row", "2")
    page.select_option("#count", "5")
    until(page, "location.hash.includes('n=5')")
    there, fragment = shares(page), page.evaluate("location.hash")
    again = open_page(reports["binary"], fragment)
    assert shares(again) == there
    assert again.inner_text("#used") == "5 / 7"
    again.evaluate("location.hash = location.hash.replace('n=5', 'n=6')")
    until(again, "document.getElementById('used').textContent === '6 / 7'")
    again.click("#clear")
    again.select_option("#count", "7")
    until(again, "location.hash === ''")


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("#m=00000000&n=2&0=1", "another model"),
        ("&{number}=abc&{choice}=99&n=2.5", "left out: \u20682\u2069."),
        ("&{number}=0x10&{choice}=1.0", "left out: \u20682\u2069."),
        ("&{number}=1e999&{choice}=-1&__proto__=1", "left out: \u20682\u2069."),
        ("#%E0%A4%A&&==&m", "another model"),
        ("#calculator", ""),
    ],
)
def test_a_wrong_address_is_said_and_changes_nothing(fragment, said, binary, reports, open_page):
    if fragment.startswith("&"):
        kinds = [feature["kind"] for feature in reports["binary"].summary["model"]["features"]]
        wrong = fragment.format(number=kinds.index("number"), choice=kinds.index("choice"))
        fragment = f"#m={reports['binary'].summary['fingerprint']}{wrong}"
    page = open_page(reports["binary"], fragment)
    assert said in page.inner_text("#announcement")
    assert shares(page) == pytest.approx(np.exp(binary[0].joint_.log_prior).tolist())


def test_copy_as_text_and_link(binary, reports, open_page):
    clf, frame, _ = binary
    page = open_page(reports["binary"], permissions=["clipboard-read", "clipboard-write"])
    page.select_option("#row", "0")
    page.click("#copy")
    until(page, "document.getElementById('announcement').textContent === 'Copied.'")
    text = page.evaluate("navigator.clipboard.readText()")
    share = clf.predict_proba(frame[:1])[0, 1]
    assert f"Probability of well: {share:.1%}" in text
    assert f"age: {frame['age'].iloc[0]:g}" in text
    assert "All together: ×" in text
    assert "7 of 7 features known" in text
    assert reports["binary"].summary["fingerprint"] in text
    assert "\u2068" not in text
    page.click("#link")
    until(page, "navigator.clipboard.readText().then((text) => text.includes('#m='))")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_refused_clipboard_shows_the_text(reports, open_page):
    page = open_page(reports["binary"])
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.click("#copy")
    page.wait_for_selector("#text", state="visible")
    assert "Probability of" in page.input_value("#text")


def test_print_is_asked_for_and_takes_one_page_of_a4(reports, open_page):
    page = open_page(reports["binary"])
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.click("#print")
    assert page.evaluate("window.printed")
    for report in (reports["binary"], reports["many"], wide_report()):
        page = open_page(report, color_scheme="dark")
        page.select_option("#row", "0")
        assert n_pages(page) == 1


def wide_report():
    frame, labels = mixed_frame(300, 4)
    rng = np.random.default_rng(0)
    for j in range(93):
        frame[f"a laboratory value with a long name {j}"] = rng.normal(size=300).round(3)
    return gnbayes.report(counted().fit(frame, labels), frame, labels, rows=1)


def n_pages(page):
    data = page.pdf(prefer_css_page_size=True)
    assert b"/MediaBox [0 0 594" in data or b"/MediaBox [0 0 595" in data
    return data.count(b"/Type /Page\n")


def test_without_rows_there_are_no_scores_and_the_page_says_so(reports, open_page):
    page = open_page(reports["bare"])
    assert "There are no scores" in page.inner_text("#number")
    assert "Not measured" in page.inner_text("#summary")
    assert page.locator("#row, #roc, #confusion").count() == 0
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#used") == "1 / 7"
    assert "no rows of data" in page.inner_text("#about")


def test_the_links_at_the_top_lead_to_their_sections(reports, open_page):
    page = open_page(reports["binary"])
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


@pytest.mark.parametrize("width", [380, 1280])
def test_nothing_is_wider_than_the_window(width, reports, open_page):
    for report in reports.values():
        page = open_page(report, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_inside_a_notebook_everything_works_but_the_address(browser, reports, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>notebook</title>{reports['binary']._repr_html_()}", encoding="utf-8")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html.ready").wait_for(state="attached")
    before = frame.locator("#risk").inner_text()
    frame.locator("#row").select_option("0")
    frame.locator("#link").wait_for(state="hidden")
    assert frame.locator("#risk").inner_text() != before
    frame.locator("nav a").last.click()
    assert frame.locator("#about").is_visible()
    page.wait_for_timeout(200)
    assert frame.locator("html.ready").count() == 1
    assert not errors
    page.close()


@pytest.fixture(scope="module")
def weighted_reports(weighted, weighted_many):
    (clf, frame, labels), (other, table, classes) = weighted, weighted_many
    return {
        "binary": gnbayes.report(clf, frame, labels, rows=3, pos_label="ill"),
        "many": gnbayes.report(other, table[:200], classes[:200], rows=[7]),
        "bare": gnbayes.report(clf),
    }


def test_the_slider_of_a_weighted_model_moves_the_scores_alone(weighted, weighted_reports, open_page):
    clf, frame, _ = weighted
    report = weighted_reports["binary"]
    evaluation = report.summary["evaluation"]
    page = open_page(report)
    assert plain(page.inner_text("#used")) == "this model"
    cells = lambda: [int(cell.split("\n")[0]) for cell in page.locator("#confusion tbody td").all_inner_texts()]  # noqa: E731
    assert cells() == evaluation["confusion"][-1]
    page.select_option("#row", "0")
    before = shares(page)
    np.testing.assert_allclose(before, clf.predict_proba(frame[:1])[0], atol=1e-9)
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#used") == "1 / 7"
    assert "Counted, not tuned." in page.inner_text("#adds")
    assert cells() == evaluation["confusion"][0]
    assert page.locator(".field:visible").count() == 7
    assert page.locator(".node.unused").count() == 0
    assert shares(page) == before
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#used") == "7 / 7"
    assert cells() == evaluation["confusion"][6]
    page.locator("button[data-step]").last.click()
    assert plain(page.inner_text("#used")) == "this model"
    assert page.get_attribute("#slider", "aria-valuetext") == "this model"
    assert page.locator("#curve svg .own").count() == 2


def test_the_tables_of_a_weighted_model(weighted, weighted_reports, open_page):
    clf, _, _ = weighted
    page = open_page(weighted_reports["binary"])
    for at, j in enumerate(clf.feature_order_.tolist()):
        page.locator(f'.node[data-feature="{at}"]').click()
        feature, mother = clf.features_[j], int(clf.tree_.mother[j])
        ill, well = 0, 1
        own = alone(clf, j)[:, ill] - alone(clf, j)[:, well]
        mean = np.array([own[feature.coarse_codes == x].mean() for x in range(feature.coarse_cardinality)])
        expected, counts = mean[None], clf.counts_.single(j)[None]
        if mother >= 0:
            pair = pair_of(clf, j)
            expected = np.concatenate([mean + pair[:, :, ill] - pair[:, :, well], expected])
            counts = np.concatenate([clf.counts_.pair(mother, j), counts])
        cells = [cell.split("\n") for cell in page.locator("#detail table >> nth=0 >> tbody td").all_inner_texts()]
        np.testing.assert_allclose([factor(cell[0]) for cell in cells], np.exp(expected).ravel(), rtol=6e-3)
        rows = [
            "no rows" if not by_class.sum() else f"{by_class[ill]} of {by_class.sum()}"
            for by_class in counts.reshape(-1, 2)
        ]
        assert [plain(cell[1]) for cell in cells] == rows
        if feature.coarse:
            fine = page.locator("#detail table.fine tbody td").all_inner_texts()
            np.testing.assert_allclose([factor(cell) for cell in fine], np.exp(own), rtol=6e-3)


def factor(text):
    return float(text.removeprefix("× "))


def plain(text):
    return text.replace("\u2068", "").replace("\u2069", "")


def test_tables_of_a_weighted_model_with_many_classes(weighted_many, weighted_reports, open_page):
    clf, _, _ = weighted_many
    page = open_page(weighted_reports["many"])
    j = int(clf.feature_order_[0])
    own = alone(clf, j) - alone(clf, j).mean(axis=1, keepdims=True)
    assert page.locator("#detail table").count() == 5
    fine = page.locator("#detail table.fine tbody td").all_inner_texts()
    np.testing.assert_allclose([factor(cell) for cell in fine], np.exp(own).ravel(), rtol=6e-3)


def test_evidence_of_a_weighted_model(weighted, weighted_reports, open_page):
    clf, frame, _ = weighted
    page = open_page(weighted_reports["binary"])
    page.select_option("#row", "0")
    parts = clf.explain(frame[:1]).log_odds(positive="ill", negative="well")[1]
    names = page.locator("#evidence li.feature").all_inner_texts()
    found = {line.split("\n")[0]: line for line in map(plain, names)}
    for j, part in enumerate(parts):
        line = found[clf.features_[j].name]
        assert ("toward ill" if part > 0.005 else "toward well" if part < -0.005 else "×") in line
        mother = int(clf.tree_.mother[j])
        assert ("given " in line) == (mother >= 0)
    page.click("#clear")
    at = next(i for i, m in enumerate(weighted_reports["binary"].summary["model"]["mother"]) if m >= 0)
    field = page.locator(f"#f{at}")
    if field.evaluate("e => e.tagName") == "SELECT":
        field.select_option("0")
    else:
        field.fill("60")
    assert "given" not in page.inner_text("#evidence")


def test_the_address_of_a_weighted_model_holds_the_patient(weighted_reports, open_page):
    page = open_page(weighted_reports["binary"])
    page.select_option("#row", "1")
    until(page, "location.hash.includes('m=')")
    there, fragment = shares(page), page.evaluate("location.hash")
    assert shares(open_page(weighted_reports["binary"], fragment)) == there
    assert shares(open_page(weighted_reports["binary"], fragment.replace("n=7", "n=3"))) == there


def test_a_weighted_model_without_rows(weighted_reports, open_page):
    page = open_page(weighted_reports["bare"])
    assert "There are no scores" in page.inner_text("#number")
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#used") == "1 / 7"
    assert page.locator(".field:visible").count() == 7


def test_a_weighted_page_prints_on_one_page_of_a4_and_fits_a_phone(weighted_reports, open_page):
    for report in weighted_reports.values():
        page = open_page(report, viewport={"width": 380, "height": 800})
        for node in page.locator(".node").all():
            node.dispatch_event("click")
            assert page.evaluate("document.documentElement.scrollWidth") <= 380
        assert n_pages(page) == 1


@pytest.mark.parametrize("weighting", [None, "discriminative"])
def test_of_many_classes_one_is_chosen_and_the_most_probable_come_first(weighting, open_page):
    rng = np.random.default_rng(0)
    y = np.arange(360) % 12
    X = rng.normal(size=(360, 3)) + y[:, None] / 4
    clf = GeneralizedNB(weighting=weighting).fit(X, y)
    page = open_page(gnbayes.report(clf, X, y, rows=1))
    page.select_option("#row", "0")
    order = [int(name) for name in page.locator("#shares .name").all_inner_texts()]
    assert order == np.argsort(-clf.predict_proba(X[:1])[0], kind="stable").tolist()
    caption = page.locator("#detail caption >> nth=0")
    assert " 11" in plain(caption.inner_text())
    n = page.locator("#detail table").count()
    page.select_option("#table-class", "3")
    assert page.locator("#detail table").count() == n <= 2
    assert " 3" in plain(caption.inner_text())
    page.locator('.node[data-feature="1"]').click()
    assert page.input_value("#table-class") == "3"
    assert page.locator(".heat").count() == 1


def test_every_control_has_a_name_of_its_own(weighted_reports, open_page):
    page = open_page(weighted_reports["binary"])
    names = page.evaluate(
        "[...document.querySelectorAll('#fields input, #fields select')]"
        ".map((e) => e.getAttribute('aria-label') ?? e.labels[0].textContent)"
    )
    assert len(set(names)) == len(names) == 8
    assert page.locator("#shares [aria-live], #shares output").count() == 0
