"""How large the page is, how long a browser takes to open it, and how far it is from Python, up to 100 features.

Needs Debian's chromium and playwright: python benchmarks/reporting/open_page.py
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from playwright.sync_api import Browser, sync_playwright
from sklearn.datasets import load_breast_cancer

import gnbayes

READY = "() => performance.getEntriesByName('ready')[0].startTime"
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
# From a key to the new result, and to what follows it (next question, how unusual); every second question is answered.
KEYS = """async () => {
  const type = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const fields = [...document.querySelectorAll("input[inputmode=decimal]")];
  document.getElementById("clear").click();
  fields.forEach((field, at) => at % 2 && type(field, "1"));
  const times = [], all = [];
  for (let i = 0; i < 25; i++) {
    await new Promise((done) => setTimeout(done, 5));
    const start = performance.now();
    type(fields[1], String(i % 7));
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done));
    all.push(performance.now() - start);
  }
  const middle = (numbers) => numbers.sort((a, b) => a - b)[12];
  return [middle(times), middle(all)];
}"""


# The probabilities of every row in the page, as its calculator has them.
ROWS = """() => [...document.querySelectorAll("#row option")].slice(1).map((option) => {
  option.parentElement.value = option.value;
  option.parentElement.dispatchEvent(new Event("change"));
  return JSON.parse(document.getElementById("risk").dataset.values);
})"""
KINDS = {
    "`weighting=None`": {"structure": "gnb-a", "n_bins": 5, "weighting": None},
    "default": {"structure": "gnb-o", "n_bins": "auto", "weighting": "discriminative"},
}
N_ROWS = 20


def wdbc() -> tuple[pd.DataFrame, NDArray[Any]]:
    """The Wisconsin breast cancer data, in any order."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    shuffled = np.random.default_rng(0).permutation(len(X))
    return X.iloc[shuffled].reset_index(drop=True), y.to_numpy()[shuffled]


def synthetic(n_features: int, n_classes: int) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Normal numbers that depend on the class a little."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 4000)
    X = rng.normal(size=(4000, n_features)) + 0.3 * y[:, None]
    return pd.DataFrame(X, columns=[f"laboratory value {j}" for j in range(n_features)]), y


def fitted_page(table: tuple[pd.DataFrame, NDArray[Any]], kind: str) -> tuple[gnbayes.Report, NDArray[np.float64]]:
    """A page of new rows, 20 of them in it and with gaps, and their probabilities in Python."""
    X, y = table
    n = 7 * len(X) // 10
    X = X.copy()
    X.iloc[n:] = X.iloc[n:].mask(np.random.default_rng(1).random((len(X) - n, X.shape[1])) < 0.2)
    clf = gnbayes.GeneralizedNB(**KINDS[kind]).fit(X[:n], y[:n])
    rows = min(N_ROWS, len(X) - n)
    return gnbayes.report(clf, X[n:], y[n:], rows=rows, bootstrap=0), clf.predict_proba(X[n : n + rows])


def measure(browser: Browser, path: Path, proba: NDArray[np.float64]) -> tuple[float, ...]:
    """Milliseconds to the first paint, until the page is ready, from a key to result and rest; distance from Python."""
    painted, opened, keys, rests = [], [], [], []
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
        page.wait_for_timeout(200)
        painted.append(page.evaluate(PAINT))
        found = np.array(page.evaluate(ROWS))
        key, rest = page.evaluate(KEYS)
        keys.append(key)
        rests.append(rest)
        page.close()
    times = (statistics.median(times) for times in (painted, opened, keys, rests))
    return *times, float(np.abs(found - proba).max())


def main() -> None:
    """Print one line a page."""
    tables = {
        "wdbc, 30 features, 2 classes": wdbc(),
        "60 features, 3 classes": synthetic(60, 3),
        "100 features, 2 classes": synthetic(100, 2),
        "100 features, 10 classes": synthetic(100, 10),
    }
    print("| page | model | size | first paint | ready | a key to the result | to the rest | from Python |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, table in tables.items():
            for kind in KINDS:
                report, proba = fitted_page(table, kind)
                path = Path(folder) / "page.html"
                report.save(path)
                painted, opened, key, rest, difference = measure(browser, path, proba)
                size = path.stat().st_size / 1000
                times = f"{painted:.0f} ms | {opened:.0f} ms | {key:.1f} ms | {rest:.1f} ms"
                print(f"| {name} | {kind} | {size:.0f} kB | {times} | {difference:.0e} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
