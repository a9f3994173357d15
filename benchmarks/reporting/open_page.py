"""How large the page is, and how long a browser takes to open it, up to 100 features.

Needs Debian's chromium and playwright: python benchmarks/reporting/open_page.py
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, sync_playwright
from sklearn.datasets import load_breast_cancer

import gnbayes

READY = "() => performance.getEntriesByName('ready')[0].startTime"
KEYS = """() => {
  const field = document.querySelector("input[inputmode=decimal]"), times = [];
  for (let i = 0; i < 50; i++) {
    const start = performance.now();
    field.value = String(i % 7);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[25];
}"""


def synthetic(n_features: int, n_classes: int) -> gnbayes.Report:
    """A page with scores of a thousand rows and 20 rows in it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 3000)
    X = rng.normal(size=(3000, n_features)) + 0.3 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"laboratory value {j}" for j in range(n_features)])
    return gnbayes.report(gnbayes.GeneralizedNB().fit(frame[:2000], y[:2000]), frame[2000:], y[2000:], rows=20)


def measure(browser: Browser, path: Path) -> tuple[float, float]:
    """Milliseconds until the page is ready, and from a key to the new result; medians."""
    opened, keys = [], []
    for _ in range(5):
        page = browser.new_page()
        page.add_init_script(
            "new MutationObserver(() => document.documentElement?.classList.contains('ready') && "
            "!performance.getEntriesByName('ready').length && performance.mark('ready'))"
            ".observe(document, { attributes: true, subtree: true, attributeFilter: ['class'] })"
        )
        page.goto(path.as_uri())
        page.wait_for_selector("html.ready")
        opened.append(page.evaluate(READY))
        keys.append(page.evaluate(KEYS))
        page.close()
    return statistics.median(opened), statistics.median(keys)


def main() -> None:
    """Print one line a page."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    pages = {
        "wdbc, 30 features, 2 classes": gnbayes.report(gnbayes.GeneralizedNB().fit(X, y), X, y, rows=20),
        "60 features, 3 classes": synthetic(60, 3),
        "100 features, 2 classes": synthetic(100, 2),
        "100 features, 10 classes": synthetic(100, 10),
    }
    print("| page | size | ready | a key to the result |\n|---|---:|---:|---:|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, report in pages.items():
            path = Path(folder) / "page.html"
            report.save(path)
            opened, key = measure(browser, path)
            print(f"| {name} | {path.stat().st_size / 1000:.0f} kB | {opened:.0f} ms | {key:.1f} ms |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
