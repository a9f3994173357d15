"""The evidence as the page shows it, driven in a real browser."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from page_forms import plain

from gnbayes import evidence
from gnbayes.evidence import Risks, assess
from gnbayes.reporting.scoring import Rows, choose_folds, cross_validate, fold_of_rows


@pytest.fixture(scope="module")
def reports(binary, many_classes, page_of):
    (clf, frame, labels), (other, table, classes) = binary, many_classes
    return {
        "binary": page_of(clf, frame, labels, bootstrap=3, by=["sex", "age"]),
        "many": page_of(other, table[:300], classes[:300]),
    }


def kept_with(clf, frame, labels):
    """A model with the scores of its rows, as when it was read from a file."""
    again = pickle.loads(pickle.dumps(clf))
    again.evaluation_ = evidence.evaluate(clf, frame, labels)
    return again


@pytest.fixture(scope="module")
def expected(binary):
    """The evidence of the rows, cross-validated."""
    clf, frame, labels = binary
    rows = Rows(frame, np.searchsorted(clf.classes_, labels))
    folds = choose_folds(rows, 2)
    return assess(Risks(cross_validate(clf, rows, folds)[:, 0], labels == "ill", strata=fold_of_rows(folds)))


def figures(page, card):
    """Numbers of a card by their names: value, low, high."""
    found = {}
    for line in page.locator(f"#{card}-figures > div").all():
        name = plain(line.locator("dt").evaluate("e => e.firstChild.textContent"))
        text = plain(line.locator("dd").inner_text()) if line.locator("dd").count() else ""
        found[name] = [float(number.replace("\u2212", "-")) for number in re.findall(r"[-\u2212]?\d+(?:\.\d+)?", text)]
    return found


def numbers(estimate, factor=1):
    return [factor * number for number in (estimate.value, estimate.low, estimate.high)]


def test_cards_come_in_the_order_of_the_evidence(reports, open_page):
    page = open_page(reports["binary"])
    assert page.evaluate("[...document.querySelectorAll('#evidence .card')].map((card) => card.id)") == [
        *("discrimination", "calibration", "overall", "benefit", "spread", "threshold"),
        *("instability", "parts", "classes"),
    ]
    sections = page.evaluate("[...document.querySelectorAll('main > section')].map((section) => section.id)")
    assert sections == ["calculator", "effects", "evidence", "card", "statistics", "about"]


def test_figures_are_those_of_the_evidence(reports, expected, open_page):
    page = open_page(reports["binary"])
    assert figures(page, "discrimination")["AUROC"] == pytest.approx(numbers(expected.auroc), abs=6e-4)
    found = figures(page, "calibration")
    calibration = expected.calibration
    assert found["Calibration slope"] == pytest.approx(numbers(calibration.slope), abs=6e-3)
    assert found["Calibration intercept"] == pytest.approx(numbers(calibration.intercept), abs=6e-3)
    assert found["Observed"] == pytest.approx(numbers(calibration.observed, 100), abs=0.06)
    for name, value in (("ICI", calibration.ici), ("E50", calibration.e50), ("E90", calibration.e90)):
        assert found[name] == pytest.approx([100 * value], abs=0.06)
    found = figures(page, "overall")
    assert found["Brier score"] == pytest.approx(numbers(expected.overall.brier), abs=6e-4)
    assert found["Scaled Brier score"] == pytest.approx(numbers(expected.overall.scaled_brier, 100), abs=0.06)
    assert found["Log-loss"] == pytest.approx(numbers(expected.overall.log_loss), abs=6e-4)


def test_every_chart_is_drawn_and_says_what_it_shows(reports, open_page):
    page = open_page(reports["binary"])
    for card in ("discrimination", "calibration", "benefit", "spread", "instability"):
        chart = page.locator(f"#{card}-chart svg")
        assert chart.get_attribute("role") == "img"
        assert "ill" in chart.get_attribute("aria-label")
        assert chart.locator("path, rect").count() > 0
        assert "NaN" not in chart.evaluate("e => e.outerHTML")


@pytest.mark.parametrize("threshold", [1, 30, 73, 99])
def test_the_threshold_moves_its_figures(threshold, reports, expected, open_page):
    page = open_page(reports["binary"])
    page.locator("#threshold-slider").fill(str(threshold))
    at = expected.decisions.at(threshold / 100)
    found = figures(page, "threshold")
    for name, estimate in (
        ("Sensitivity", at.sensitivity),
        ("Specificity", at.specificity),
        ("Positive predictive value", at.positive_value),
        ("Negative predictive value", at.negative_value),
    ):
        wanted = [] if estimate.value is None else numbers(estimate, 100)
        assert found[name] == pytest.approx(wanted, abs=0.06), name
    cells = [int(cell.replace(",", "")) for cell in page.locator("#threshold-chart tbody td").all_inner_texts()]
    above = expected.decisions.true_positives[threshold - 1], expected.decisions.false_positives[threshold - 1]
    assert cells[:2] == pytest.approx([1000 * n / expected.n for n in above], abs=1)
    table = np.array(cells).reshape(3, 3)
    assert (table[:, :2].sum(axis=1) == table[:, 2]).all()
    assert (table[:2].sum(axis=0) == table[2]).all()
    assert cells[-1] == 1000
    benefit = figures(page, "benefit")[f"Net benefit at {threshold}%"]
    assert benefit == pytest.approx([expected.decisions.net_benefit[threshold - 1]], abs=6e-4)


def test_the_slider_starts_at_the_share_of_events_and_obeys_keys(reports, expected, open_page):
    page = open_page(reports["binary"])
    share = round(100 * expected.n_events / expected.n)
    assert page.inner_text("#threshold-value") == f"{share}%"
    page.focus("#threshold-slider")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#threshold-value") == f"{share + 1}%"
    assert page.get_attribute("#threshold-slider", "aria-valuetext") == f"{share + 1}%"


def test_groups_are_a_table_and_marked_where_probabilities_are_wrong(reports, open_page):
    report = reports["binary"]
    page = open_page(report)
    parts = report.summary["evaluation"]["parts"]
    rows = page.locator("#parts-chart tbody tr:not(.part-name)")
    assert rows.count() == sum(len(part["parts"]) for part in parts) == 5
    verdicts = [one["verdict"] for part in parts for one in part["parts"]]
    for row, verdict in zip(rows.all(), verdicts, strict=True):
        assert ("off" in (row.get_attribute("class") or "")) == (verdict not in ("fine", "few"))
        # Right after the name, so that it is not off the screen of a phone.
        assert "verdict" in (row.locator("th, td").nth(1).get_attribute("class") or "")
    assert page.locator("#parts-chart tbody tr.part-name").all_inner_texts() == ["sex", "age"]


def test_the_other_one_of_two_classes_has_its_own_name(reports, open_page):
    page = open_page(reports["binary"])
    heads, keys = (
        page.locator(f"#{place}").all_inner_texts() for place in ("threshold-chart thead th", "spread-chart .key")
    )
    assert [plain(text) for text in heads] == ["ill", "well", "all"]
    assert [plain(text) for text in keys] == ["ill", "well"]


def test_the_confusion_matrix_comes_last(reports, open_page):
    report = reports["binary"]
    page = open_page(report)
    cells = [int(cell.split("\n")[0]) for cell in page.locator("#classes-chart tbody td").all_inner_texts()]
    assert cells == report.summary["evaluation"]["classification"]["confusion"]
    assert "Always saying" in page.inner_text("#classes-figures")


def test_of_many_classes_one_is_chosen(reports, open_page):
    report = reports["many"]
    page = open_page(report)
    name = report.summary["classes"][0]
    assert name in page.inner_text("#discrimination .says")
    before = page.inner_html("#discrimination-chart"), page.inner_html("#benefit-chart")
    page.select_option("#assessed-class", "2")
    assert report.summary["classes"][2] in page.inner_text("#discrimination .says")
    assert (page.inner_html("#discrimination-chart"), page.inner_html("#benefit-chart")) != before
    area = report.summary["evaluation"]["assessed"][2]["auroc"][0]
    assert figures(page, "discrimination")["AUROC"][0] == pytest.approx(area, abs=6e-4)
    assert "Log-loss" in figures(page, "classes")


def test_fewer_features(reports, open_page):
    report = reports["binary"]
    curve = report.summary["evaluation"]["numbers"]
    page = open_page(report)
    assert plain(page.inner_text("#used")) == "7: this model"
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#used") == "1"
    assert figures(page, "number")["Log-loss"] == pytest.approx(curve["logloss"][0], abs=6e-4)
    assert figures(page, "number")["AUROC"] == pytest.approx(curve["auroc"][0], abs=6e-4)
    assert page.locator("#number svg path.curve").count() == 3


def test_rows_of_one_outcome_have_no_curves_and_no_errors(binary, open_page, page_of):
    clf, frame, labels = binary
    is_ill = np.flatnonzero(labels == "ill")[:30]
    # One that does not know its training rows, as when it was read from a file.
    clf = pickle.loads(pickle.dumps(clf))
    page = open_page(page_of(clf, frame.iloc[is_ill], labels[is_ill]))
    assert "all rows have the same outcome" in page.inner_text("#discrimination")
    assert "Not known" in page.inner_text("#calibration")
    text = page.inner_text("body")
    assert "NaN" not in text
    assert "undefined" not in text


def test_kept_scores_are_shown_in_the_same_cards(binary, open_page, page_of):
    clf = kept_with(*binary)
    found = clf.evaluation_.assessed[0]
    page = open_page(page_of(clf))
    assert figures(page, "discrimination")["AUROC"] == pytest.approx(numbers(found.auroc), abs=6e-4)
    assert figures(page, "calibration")["Calibration slope"] == pytest.approx(
        numbers(found.calibration.slope), abs=6e-3
    )
    for card in ("discrimination", "calibration", "benefit", "spread"):
        chart = page.locator(f"#{card}-chart svg")
        assert chart.locator("path, rect").count() > 0
        assert "NaN" not in chart.evaluate("e => e.outerHTML")
    assert f"of {len(found.decisions.thresholds)} thresholds" in plain(page.inner_text("#benefit"))
    page.fill("#threshold-slider", "37")
    nearest = int(np.argmin(np.abs(found.decisions.thresholds - 0.37)))
    threshold = found.decisions.thresholds[nearest]
    assert plain(page.inner_text("#threshold-value")) == f"{100 * threshold:.0f}%"
    at = found.decisions.at(threshold)
    assert figures(page, "threshold")["Sensitivity"] == pytest.approx(numbers(at.sensitivity, 100), abs=0.06)
    assert figures(page, "threshold")["Specificity"] == pytest.approx(numbers(at.specificity, 100), abs=0.06)


def test_kept_scores_of_few_rows_and_of_many_classes(binary, many_classes, open_page, page_of):
    clf, frame, labels = binary
    page = open_page(page_of(kept_with(clf, frame[:8], labels[:8])))
    assert "does not keep counts of one to four" in page.inner_text("#threshold")
    assert "does not keep counts of one to four" in page.inner_text("#discrimination")
    other, table, classes = many_classes
    rare = np.concatenate(
        [np.flatnonzero(classes == name)[:n] for name, n in zip(other.classes_, (90, 90, 90, 3), strict=True)]
    )
    page = open_page(page_of(kept_with(other, table.iloc[rare], classes[rare])))
    assert "–" in page.inner_text("#classes-chart")
    page.select_option("#assessed-class", "3")
    assert "does not keep counts of one to four" in page.inner_text("#benefit")
    page.select_option("#assessed-class", "0")
    assert page.locator("#benefit-chart svg").count() == 1
    assert "NaN" not in page.inner_text("body")
