"""The form and the result, driven in a real browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from classifiers import counted
from mixed_tables import mixed_frame
from page_forms import plain, position, shares, until

from gnbayes import GeneralizedNB
from gnbayes.model import reasons_by_feature
from gnbayes.reporting.limits import Limits, judge

DICTIONARY = {
    "page": {"title": "Falls", "version": "1.2"},
    "target": {"event": "ill", "labels": {"ill": "a fall", "well": "no fall"}},
    "columns": {
        "age": {"label": "Age", "unit": "years", "lowest": 0, "highest": 120, "decimals": 0, "group": "Person"},
        "sex": {"label": "Sex", "codes": {"f": "woman", "m": "man"}, "group": "Person"},
        "pressure": {
            "label": "Blood pressure",
            "unit": "mm Hg",
            "second_unit": "kPa",
            "factor": 7.5006,
            "lowest": 40,
            "highest": 300,
            "decimals": 0,
            "description": "At rest",
        },
        "stage": {"codes": {"1": "I", "2": "II", "3": "III", "4": "IV"}},
        "marker": {"asked": "no"},
    },
}


@pytest.fixture(scope="module")
def reports(binary, many_classes, page_of):
    (clf, frame, labels), (other, table, classes) = binary, many_classes
    return {
        "binary": page_of(clf, frame, labels, rows=3),
        "many": page_of(other, table[:200], classes[:200], rows=[7, 3]),
        "bare": page_of(clf),
        "named": page_of(clf, frame, labels, rows=3, dictionary=DICTIONARY),
    }


def start_of(clf):
    return pytest.approx(np.exp(clf.joint_.log_prior).tolist())


def test_what_is_no_number_is_said_and_left_out(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    at = position(clf, "age")
    field, hint = page.locator(f"#f{at}"), page.locator(f"#h{at}")
    assert plain(hint.inner_text()).startswith("in training: ")
    field.fill("about 60")
    assert "not a number" in hint.inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert shares(page) == start_of(clf)
    assert plain(page.inner_text("#warnings")) == "age: not a number; taken as unknown"
    field.fill("1,234")
    assert plain(hint.inner_text()) == "can be read in two ways; write 1234 or 1.234"
    field.fill("51,5")
    with_comma = shares(page)
    field.fill("51.5")
    assert shares(page) == with_comma
    assert page.inner_text("#warnings") == ""
    field.fill("")
    assert field.get_attribute("aria-invalid") == "false"


def test_impossible_values_are_refused_with_the_range(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["named"])
    at = position(clf, "age")
    page.fill(f"#f{at}", "-20")
    said = "-20 years is not possible, and is left out; possible: 0 to 120 years"
    assert plain(page.inner_text(f"#h{at}")) == said
    assert page.get_attribute(f"#f{at}", "aria-invalid") == "true"
    assert shares(page) == start_of(clf)
    assert plain(page.inner_text("#warnings")) == f"Age: {said}"
    assert "Nothing is known yet" in page.inner_text("#known")


def test_values_beyond_training_are_warned_of_everywhere(binary, reports, open_page):
    clf, frame, _ = binary
    page = open_page(reports["named"], permissions=["clipboard-read", "clipboard-write"])
    at = position(clf, "age")
    page.fill(f"#f{at}", "119")
    warning = plain(page.inner_text("#warnings"))
    assert warning.startswith("Age: 119 years is outside what the model was trained on (")
    assert shares(page) != start_of(clf)
    page.click("#copy")
    until(page, "document.getElementById('announcement').textContent === 'Copied.'")
    assert f"Warnings\n  {warning}\n" in page.evaluate("navigator.clipboard.readText()")
    page.emulate_media(media="print")
    assert page.locator("#warnings li").is_visible()
    page.emulate_media(media="screen")
    page.fill(f"#f{at}", str(frame["age"].median()))
    assert page.inner_text("#warnings") == ""


def test_the_page_judges_values_as_python_does(open_page, page_of):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": np.append(rng.normal(100, 10, 4999), 190.0), "b": rng.normal(size=5000)})
    clf = counted().fit(frame, np.arange(5000) % 2)
    report = page_of(clf, frame, np.arange(5000) % 2, dictionary={"columns": {"a": {"lowest": 0, "highest": 300}}})
    at = position(clf, "a")
    found = next(field for field in report.summary["fields"] if field["feature"] == at)["limits"]
    limits = Limits(*(found[key] for key in ("lowest", "highest", "low", "high", "rareLow", "rareHigh")))
    words = {"fine": "in training: ", "impossible": "not possible", "unseen": "outside what", "rare": " 1,000 training"}
    page = open_page(report)
    seen = set()
    for value in (-1, 0, 20, found["low"], found["rareLow"], 100, found["rareHigh"], 170, found["high"], 250, 301):
        page.fill(f"#f{at}", repr(value))
        expected = judge(limits, value)
        seen.add(expected)
        assert words[expected] in plain(page.inner_text(f"#h{at}")), value
    assert seen == set(words)


def test_a_second_unit(binary, reports, open_page):
    clf, _frame, _ = binary
    page = open_page(reports["named"])
    at = position(clf, "pressure")
    page.fill(f"#f{at}", "120")
    expected = shares(page)
    page.select_option(f"#u{at}", label="kPa")
    assert page.input_value(f"#f{at}") == "15.999"
    assert shares(page) == expected
    assert "possible: 5.33 to 40 kPa" in plain(page.inner_text(f"#h{at}"))
    assert "15.999 kPa" in page.inner_text("#reasons")
    page.fill(f"#f{at}", "16")
    codes = page.evaluate("location.hash")
    until(page, f"location.hash !== {codes!r}")
    page.select_option(f"#u{at}", label="mm Hg")
    assert page.input_value(f"#f{at}") == "120"


def test_a_value_that_was_refused_may_be_of_the_other_unit(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["named"])
    at = position(clf, "pressure")
    page.fill(f"#f{at}", "16")
    assert "is not possible" in page.inner_text(f"#h{at}")
    page.select_option(f"#u{at}", label="kPa")
    assert page.input_value(f"#f{at}") == "16"
    assert "is not possible" not in page.inner_text(f"#h{at}")
    assert shares(page) != start_of(clf)


def test_names_units_groups_and_codes_are_everywhere(binary, reports, open_page):
    clf, _frame, _ = binary
    page = open_page(reports["named"])
    assert page.inner_text("h1") == "Falls"
    assert plain(page.inner_text("#risk-name")) == "Risk of a fall"
    assert page.locator("#fields h3").all_inner_texts() == ["Person", "Other"]
    labels = page.locator("#fields .field > label, #fields legend").all_inner_texts()
    assert labels[:3] == ["Age years", "Sex", "Blood pressure"]
    assert page.locator(f"#f{position(clf, 'marker')}").count() == 0
    sex = position(clf, "sex")
    assert page.locator(f"#f{sex} label").all_inner_texts() == ["woman", "man", "unknown"]
    page.locator(f"#f{sex} label", has_text="woman").click()
    assert "Sex: woman" in page.inner_text("#reasons")
    assert page.inner_text(f"#d{position(clf, 'pressure')}") == "At rest"
    assert "Blood pressure" in page.inner_text("#tree")
    assert "pressure" not in page.locator("#tree .node title").all_inner_texts()
    assert "With 1 of 6 answers known." in plain(page.inner_text("#known"))


def test_loaded_rows_leave_out_what_is_not_asked(binary, reports, open_page):
    clf, frame, _ = binary
    page = open_page(reports["named"])
    page.select_option("#row", "0")
    row = frame[:1].copy()
    at = [feature.name for feature in clf.features_].index("marker")
    codes = clf._codes(row)
    codes[0, at] = clf.features_[at].unseen_code
    joint = clf.model_.log_joint(codes)[0]
    np.testing.assert_allclose(shares(page), np.exp(joint - np.logaddexp.reduce(joint)), atol=1e-9)


def test_many_questions_are_folded_until_they_are_needed(open_page, page_of):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 30)).round(3), columns=[f"value {j}" for j in range(30)])
    y = (X["value 3"] > 0).astype(int).to_numpy()
    clf = counted().fit(X, y)
    page = open_page(page_of(clf, X, y, rows=1))
    assert page.locator(".field:visible").count() == 10
    assert page.locator(f"#f{position(clf, 'value 3')}").is_visible()
    assert plain(page.inner_text("#more summary")) == "20 more questions"
    page.locator("#more summary").focus()
    page.keyboard.press("Enter")
    assert page.locator(".field:visible").count() == 30
    page.keyboard.press("Enter")
    page.select_option("#row", "0")
    assert page.locator(".field:visible").count() == 30


def test_by_keyboard_alone(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["named"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    sex = position(clf, "sex")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == f"f{sex}":
            break
    before = shares(page)
    page.keyboard.press("ArrowUp")
    assert page.locator(f"#f{sex} input:checked").get_attribute("value") == "1"
    assert shares(page) != before
    page.keyboard.press("ArrowUp")
    assert page.locator(f"#f{sex} input:checked").get_attribute("value") == "0"


def test_a_hundred_people(binary, reports, open_page):
    clf, frame, _ = binary
    page = open_page(reports["binary"])
    page.select_option("#row", "0")
    n = round(100 * clf.predict_proba(frame[:1])[0, 0])
    assert page.locator("#people .person.event").count() == n
    assert page.locator("#people .person").count() == 100
    words = plain(page.inner_text("#people"))
    expected = f"the outcome is ill for about {n}." if 0 < n < 100 else "fewer than 1" if n == 0 else "more than 99"
    assert expected in words


def test_only_a_known_event_is_coloured_as_a_risk(binary, reports, open_page, page_of):
    clf, frame, labels = binary
    literal = GeneralizedNB(weighting=None).fit(frame, (labels == "ill").astype(int))
    colours = []
    for report in (reports["binary"], page_of(literal)):
        page = open_page(report)
        page.fill(f"#f{position(clf, 'age')}", "52")
        colours.append(page.evaluate("getComputedStyle(document.querySelector('.person.event')).fill"))
        assert page.evaluate("document.documentElement.classList.contains('risk')") == (len(colours) == 1)
    assert colours[0] != colours[1]
    assert plain(page.inner_text("#risk-name")) == "Probability of class = 1"
    assert "risk" not in page.inner_text("#calculator").lower()


def test_numbers_follow_the_locale_of_the_reader(binary, reports, open_page):
    page = open_page(reports["binary"], locale="de-DE")
    assert "\xa0%" in page.inner_text("#risk")
    assert "," in page.inner_text("#discrimination-figures dd")
    page.select_option("#row", "0")
    clf, frame, _ = binary
    assert page.input_value(f"#f{position(clf, 'age')}") == str(frame["age"].iloc[0]).replace(".", ",")
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[:1])[0], atol=1e-9)


@pytest.mark.parametrize("locale", ["ar-EG", "fa-IR", "hi-IN", "fr-CH"])
def test_rows_load_in_every_locale(locale, binary, reports, open_page):
    page = open_page(reports["binary"], locale=locale)
    page.select_option("#row", "0")
    clf, frame, _ = binary
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[:1])[0], atol=1e-9)
    at = position(clf, "age")
    page.fill(f"#f{at}", "51.5")
    expected = shares(page)
    page.fill(f"#f{at}", "\u0665\u0661\u066b\u0665")
    assert shares(page) == expected


def test_not_recorded_is_a_value_of_its_own(binary, reports, open_page):
    clf, _, _ = binary
    page = open_page(reports["binary"])
    marker = position(clf, "marker")
    box = page.locator(f"#n{marker}")
    box.check()
    assert shares(page) != start_of(clf)
    page.fill(f"#f{marker}", "0.5")
    assert not box.is_checked()
    ward = page.locator(f"#f{position(clf, 'ward')}")
    ward.locator("label", has_text="not recorded").click()
    assert "ward: not recorded" in page.inner_text("#reasons")


def test_rows_load_with_their_values(binary, reports, open_page):
    clf, frame, labels = binary
    page = open_page(reports["binary"])
    assert page.locator("#row option").count() == 4
    for row in range(3):
        page.select_option("#row", str(row))
        np.testing.assert_allclose(shares(page), clf.predict_proba(frame[row : row + 1])[0], atol=1e-9)
    assert plain(page.inner_text("#row option:nth-child(2)")) == f"row 1: {labels[0]}"
    page.click("#clear")
    assert shares(page) == start_of(clf)
    assert page.input_value("#row") == ""
    assert page.inner_text("#announcement") == "All answers are unknown again."
    assert page.input_value(f"#f{position(clf, 'age')}") == ""


def test_listed_rows_are_those_of_the_table(many_classes, reports, open_page):
    clf, frame, _ = many_classes
    page = open_page(reports["many"])
    page.select_option("#row", "0")
    np.testing.assert_allclose(shares(page), clf.predict_proba(frame[7:8])[0], atol=1e-9)


def test_values_never_seen_or_impossible_are_left_unknown_and_said(binary, open_page, page_of):
    clf, frame, _ = binary
    odd = frame[:1].copy()
    odd["ward"] = "moon"
    odd["age"] = 500.0
    page = open_page(page_of(clf, odd, rows=1, dictionary={"columns": {"age": {"highest": 120}}}))
    page.select_option("#row", "0")
    assert plain(page.inner_text("#announcement")) == (
        "Values of this row that were never seen in training, and are left unknown: 1. "
        "Values that are not possible, and are left out: 1."
    )
    odd["age"] = np.nan
    with pytest.warns(UserWarning, match="never seen"):
        expected = clf.predict_proba(odd)[0]
    np.testing.assert_allclose(shares(page), expected, atol=1e-9)


def test_more_than_two_classes(many_classes, reports, open_page):
    clf, frame, _ = many_classes
    page = open_page(reports["many"])
    page.select_option("#row", "1")
    ranked = np.argsort(-clf.predict_proba(frame[3:4])[0])
    title = plain(page.inner_text("#reasons-title"))
    assert title.endswith(f"{clf.classes_[ranked[0]]} against {clf.classes_[ranked[1]]}")
    page.select_option("#first", "2")
    page.select_option("#second", "0")
    assert plain(page.inner_text("#reasons-title")).endswith(f"{clf.classes_[2]} against {clf.classes_[0]}")
    assert clf.classes_[2] in page.inner_text("#risk-name")
    assert page.locator("#people .person").count() == 0


def test_the_address_holds_the_answers(reports, open_page):
    page = open_page(reports["binary"])
    page.select_option("#row", "2")
    until(page, "location.hash.startsWith('#m=')")
    there, fragment = shares(page), page.evaluate("location.hash")
    again = open_page(reports["binary"], fragment)
    assert shares(again) == there
    again.click("#clear")
    until(again, "location.hash === ''")
    again.evaluate(f"location.hash = {fragment!r}")
    until(again, f"document.getElementById('risk').dataset.values === JSON.stringify({there})")


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("#m=00000000&0=1", "another model"),
        ("&{number}=abc&{choice}=99", "left out: \u20682\u2069."),
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
    assert shares(page) == start_of(binary[0])


def test_copy_as_text_and_link(binary, reports, open_page):
    _clf, frame, _ = binary
    page = open_page(reports["named"], permissions=["clipboard-read", "clipboard-write"])
    page.select_option("#row", "0")
    page.click("#copy")
    until(page, "document.getElementById('announcement').textContent === 'Copied.'")
    text = page.evaluate("navigator.clipboard.readText()")
    assert f"Risk of a fall: {shares(page)[0]:.1%}" in text
    assert f"Age: {frame['age'].iloc[0]:g} years" in text
    assert f"All together: {shares(page)[0]:.1%}" in text
    assert "With 6 of 6 answers known." in text
    assert reports["named"].summary["fingerprint"] in text
    assert "Version 1.2." in text
    assert "\u2068" not in text
    page.click("#link")
    until(page, "navigator.clipboard.readText().then((text) => text.includes('#m='))")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_refused_clipboard_shows_the_text(reports, open_page):
    page = open_page(reports["binary"])
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.click("#copy")
    page.wait_for_selector("#text", state="visible")
    assert "Risk of" in page.input_value("#text")


def test_print_is_asked_for_and_takes_one_page_of_a4(reports, open_page, page_of):
    page = open_page(reports["binary"])
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.click("#print")
    assert page.evaluate("window.printed")
    for report in (reports["binary"], reports["named"], reports["many"], wide_report(page_of)):
        page = open_page(report, color_scheme="dark")
        page.select_option("#row", "0")
        assert n_pages(page) == 1


def wide_report(page_of):
    frame, labels = mixed_frame(300, 4)
    rng = np.random.default_rng(0)
    for j in range(93):
        frame[f"a laboratory value with a long name {j}"] = rng.normal(size=300).round(3)
    return page_of(counted().fit(frame, labels), frame[:5], rows=1)


def n_pages(page):
    data = page.pdf(prefer_css_page_size=True)
    assert b"/MediaBox [0 0 594" in data or b"/MediaBox [0 0 595" in data
    return data.count(b"/Type /Page\n")


def test_without_rows_there_are_no_scores_and_the_page_says_so(reports, open_page):
    page = open_page(reports["bare"])
    assert "Not measured: this page was made without rows" in page.inner_text("#evidence")
    assert page.locator("#row, #discrimination, #slider").count() == 0
    assert "needs the rows the model was fitted to" in page.inner_text("#number")
    assert "no rows of data" in page.inner_text("#about")


def test_the_links_at_the_top_lead_to_their_sections(reports, open_page):
    page = open_page(reports["binary"])
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    page.locator("nav a").nth(1).click()
    page.wait_for_timeout(400)
    assert page.evaluate("location.hash") == "#effects"


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


def test_reasons_are_those_of_python(weighted, open_page, page_of):
    clf, frame, labels = weighted
    page = open_page(page_of(clf, frame[:1], labels[:1], rows=1))
    page.select_option("#row", "0")
    ill, well = (clf.classes_.tolist().index(name) for name in ("ill", "well"))
    scores = reasons_by_feature(clf.model_, clf._codes(frame[:1])).contributions[0]
    parts = scores[:, ill] - scores[:, well]
    found = {line.split(":")[0]: line for line in map(plain, page.locator("#reasons li.feature").all_inner_texts())}
    for j, part in enumerate(parts):
        words = "raises the odds" if part > 0.005 else "lowers the odds" if part < -0.005 else ""
        assert words in found[clf.features_[j].name]
    total = plain(page.locator("#reasons li").last.inner_text())
    assert total.startswith("All together")
    assert total.endswith(f"{clf.predict_proba(frame[:1])[0, 0]:.1%}")


def test_a_weighted_page_prints_on_one_page_of_a4_and_fits_a_phone(weighted, weighted_many, open_page, page_of):
    for clf, frame, labels in (weighted, weighted_many):
        page = open_page(page_of(clf, frame[:200], labels[:200], rows=1), viewport={"width": 380, "height": 800})
        page.select_option("#row", "0")
        for node in page.locator(".node").all():
            node.dispatch_event("click")
            assert page.evaluate("document.documentElement.scrollWidth") <= 380
        assert n_pages(page) == 1


def test_every_control_has_a_name_of_its_own(binary, reports, open_page):
    page = open_page(reports["named"])
    names = page.evaluate(
        "[...document.querySelectorAll('#fields input:not([type=radio]), #fields select, #fields fieldset')]"
        ".map((e) => e.getAttribute('aria-label') ?? e.querySelector('legend')?.textContent ?? e.labels[0].textContent)"
    )
    assert len(set(names)) == len(names) == 7
    assert page.locator("#shares [aria-live], #shares output").count() == 0
