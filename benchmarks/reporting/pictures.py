"""The pictures of the report in docs/images: the page of the Cleveland heart data, as a reader meets it.

Needs Debian's chromium, playwright and Pillow: python benchmarks/reporting/pictures.py
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import gnbayes
from gnbayes.datasets import fetch_heart

IMAGES = Path(__file__).parents[2] / "docs" / "images"
COLOURS = 96
DICTIONARY: dict[str, Any] = {
    "page": {
        "title": "Coronary heart disease",
        "population": "adults who are considered for coronary angiography",
        "not for": "screening of healthy people",
        "source": "Cleveland Clinic Foundation",
        "period": "1981 to 1984",
    },
    "target": {
        "labels": {"absent": "no disease", "present": "heart disease"},
        "event": "present",
        "meaning": "a narrowing of more than 50%, seen by angiography",
    },
    "columns": {
        "age": {"label": "Age", "unit": "years", "group": "Person", "lowest": 18, "highest": 110},
        "sex": {"label": "Sex", "group": "Person", "codes": {"0": "female", "1": "male"}},
        "cp": {
            "label": "Chest pain",
            "group": "Symptoms",
            "codes": {"1": "typical angina", "2": "atypical angina", "3": "not anginal", "4": "asymptomatic"},
        },
        "exang": {"label": "Angina on exercise", "group": "Symptoms", "codes": {"0": "no", "1": "yes"}},
        "trestbps": {
            "label": "Blood pressure at rest",
            "unit": "mmHg",
            "group": "Measurements",
            "lowest": 40,
            "highest": 300,
        },
        "chol": {
            "label": "Cholesterol",
            "unit": "mg/dL",
            "second_unit": "mmol/L",
            "factor": 38.67,
            "group": "Measurements",
            "lowest": 50,
            "highest": 1000,
        },
        "fbs": {"label": "Fasting sugar above 120 mg/dL", "group": "Measurements", "codes": {"0": "no", "1": "yes"}},
        "thalach": {
            "label": "Highest heart rate",
            "unit": "per minute",
            "group": "Exercise test",
            "lowest": 30,
            "highest": 260,
        },
        "oldpeak": {"label": "ST depression", "unit": "mm", "group": "Exercise test", "lowest": 0, "highest": 15},
        "slope": {"label": "Slope of ST", "group": "Exercise test", "codes": {"1": "up", "2": "flat", "3": "down"}},
        "restecg": {
            "label": "ECG at rest",
            "group": "Exercise test",
            "codes": {"0": "normal", "1": "ST-T abnormal", "2": "hypertrophy"},
        },
        "ca": {
            "label": "Vessels seen by fluoroscopy",
            "group": "Imaging",
            "codes": {"0": "none", "1": "one", "2": "two", "3": "three"},
        },
        "thal": {
            "label": "Thallium scan",
            "group": "Imaging",
            "codes": {"3": "normal", "6": "fixed defect", "7": "reversible defect"},
        },
    },
}
NUMBERS = {"age": "57", "chol": "250", "oldpeak": "1.5", "thalach": "140"}
CHOICES = {"sex": "male", "cp": "atypical angina", "exang": "no"}


def main() -> None:
    """Write all pictures."""
    data = fetch_heart()
    clf = gnbayes.GeneralizedNB().fit(data.data, data.target)
    order = [clf.features_[j].name for j in clf.tree_.order]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "heart.html"
        gnbayes.report(clf, data.data, data.target, dictionary=DICTIONARY, by=["sex"], bootstrap=20).save(path)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = opened(browser, path, order, 1180, 1180)
        save(page.screenshot(), "report-calculator")
        save(page.locator("#effects").screenshot(), "report-effects")
        save(between(page, "#calibration", "#benefit"), "report-evidence")
        phone = opened(browser, path, order, 390, 780)
        phone.evaluate("document.querySelector('.result').scrollIntoView({ behavior: 'instant' })")
        phone.wait_for_timeout(500)
        save(phone.screenshot(), "report-phone")
        printed = opened(browser, path, order, 794, 720)
        printed.emulate_media(media="print")
        printed.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        save(printed.screenshot(), "report-print")
        browser.close()


def opened(browser: Browser, path: Path, order: list[str], width: int, height: int) -> Page:
    """The page with answers, of which some are unknown."""
    page = browser.new_page(viewport={"width": width, "height": height}, locale="en-US")
    page.goto(path.as_uri())
    page.wait_for_selector("html.ready")
    for name, text in NUMBERS.items():
        page.fill(f"#f{order.index(name)}", text)
    for name, text in CHOICES.items():
        page.locator(f"#f{order.index(name)}").get_by_label(text, exact=True).check()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(500)
    return page


def between(page: Page, first: str, last: str) -> bytes:
    """A picture from one card of the evidence to another."""
    boxes = [page.locator(place).bounding_box() for place in (first, last)]
    top, bottom = (box for box in boxes if box is not None)
    size = {"width": top["width"] + 32, "height": bottom["y"] + bottom["height"] - top["y"]}
    start = top["y"] + page.evaluate("scrollY")
    return page.screenshot(full_page=True, clip={"x": top["x"] - 16, "y": start, **size})


def save(picture: bytes, name: str) -> None:
    """Write a picture with few colours, which makes it small."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(picture)
        file.flush()
        whole = Image.open(file.name).convert("RGB")
    path = IMAGES / f"{name}.png"
    whole.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
    print(name, whole.size, path.stat().st_size)


if __name__ == "__main__":
    main()
