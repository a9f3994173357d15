"""Names are hostile until escaped: whatever a table calls its columns, the page runs nothing but its own script."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from page_forms import page_json

import gnbayes
from gnbayes import GeneralizedNB

HOSTILE = [
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    '"><svg onload="window.hit = 1">',
    "' onmouseover='window.hit = 1",
    "{{ 7 * 7 }}{% raw %}",
    "line\u2028separators\u2029here",
    "right \u202eto\u2066 left \u200f\u05d0",
    "&lt;b&gt;",
    "a\x00b\nc\td",
    "<!--",
    "]]>",
    "${window.hit = 1}",
    "half \ud83d letter",
    "__proto__",
    "x" * 10_000,
]


@pytest.fixture(scope="module", params=[None, "discriminative"])
def hostile(request):
    rng = np.random.default_rng(0)
    n = 200
    y = rng.integers(0, 2, n)
    values = np.empty((n, len(HOSTILE)), dtype=object)
    values[:, :10] = (rng.integers(0, 9, (n, 10)) + 3 * y[:, None]).astype(float)
    values[:, 10:] = np.array(HOSTILE, dtype=object)[rng.integers(0, len(HOSTILE), (n, len(HOSTILE) - 10))]
    frame = pd.DataFrame(values, columns=pd.Index(HOSTILE, dtype=object), dtype=object)
    labels = np.array(["</script><img src=x onerror='window.hit=1'>", "\u202e<b>class</b>"], dtype=object)[y]
    clf = GeneralizedNB(weighting=request.param, interactions=[(HOSTILE[0], HOSTILE[1])], n_fits=1).fit(frame, labels)
    dictionary = {
        "page": dict(zip(("authors", "population", "not_for", "contact"), HOSTILE, strict=False)),
        "target": {"meaning": HOSTILE[1]},
        "columns": {
            HOSTILE[0]: {"unit": HOSTILE[2], "second_unit": HOSTILE[3], "factor": 2, "group": HOSTILE[1]},
            HOSTILE[1]: {"description": HOSTILE[0], "label": HOSTILE[2] + "!"},
        },
    }
    options = {"by": [HOSTILE[10]], "bootstrap": 2, "dictionary": dictionary, "pos_label": labels[0]}
    title = "<script>window.hit = 1</script>" + "t" * 5000
    return gnbayes.report(clf, frame, labels, rows=5, title=title, **options)


def test_hostile_names_run_nothing_and_move_nothing(hostile, open_page):
    page = open_page(hostile, viewport={"width": 380, "height": 800})
    page.select_option("#row", "1")
    for node in page.locator(".node").all():
        node.dispatch_event("click")
    page.click("#copy")
    page.focus("#threshold-slider")
    page.keyboard.press("Home")
    assert page.evaluate("window.hit") is None
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img, svg svg, b script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert "<script>" in page.inner_text("h1")


def test_hostile_values_in_the_address_run_nothing(hostile, open_page):
    print_ = hostile.summary["fingerprint"]
    page = open_page(hostile, f"#m={print_}&n=<script>&0=<img onerror=1>&__proto__=1&constructor=2")
    assert page.evaluate("window.hit") is None
    assert page.evaluate("({}).polluted") is None


@pytest.mark.slow
def test_no_sign_that_ends_or_breaks_a_script_is_left(hostile):
    html = hostile.html
    data = re.search(r'<script type="text/plain" id="data">(.*?)</script>', html, re.DOTALL).group(1)
    assert re.fullmatch("[A-Za-z0-9+/=]+", data)
    text = page_json(html)
    assert not re.search("[\x00\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    html.encode("utf-8")
    assert html.count("<script") == 2


def test_the_policy_allows_this_script_and_style_alone(hostile, open_page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', hostile.html).group(1)
    assert policy.startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert " style=" not in hostile.html.split("<script")[0]


def test_the_policy_forbids_the_network_and_other_scripts(binary, open_page):
    page = open_page(gnbayes.report(binary[0], pos_label="ill"), is_quiet=False)
    failures = []
    page.on("requestfailed", lambda request: failures.append((request.url, request.failure)))
    assert page.evaluate("fetch('https://example.org').then(() => 'came', () => 'refused')") == "refused"
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hit = 1";
          document.body.append(script);
          const image = new Image();
          image.src = "https://example.org/x.png";
          document.body.append(image);
          document.body.insertAdjacentHTML("beforeend", "<i onclick='window.hit = 1'>x</i>");
          document.body.lastChild.click();
        }"""
    )
    assert page.evaluate("window.hit") is None
    assert failures == [("https://example.org/x.png", "csp")]


@pytest.mark.parametrize("weighting", [None, pytest.param("discriminative", marks=pytest.mark.slow)])
def test_no_row_is_in_the_page_unless_asked_for(weighting):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    y = (frame["a"] > 0).astype(int)
    clf = GeneralizedNB(n_bins="auto", weighting=weighting, interactions="tree").fit(frame, y)
    silent, asked = (gnbayes.report(clf, frame, y, bootstrap=2, rows=rows) for rows in (0, [5]))
    edges = {edge for feature in clf.features_ for edge in feature.edges}
    in_silent, in_asked = (page.html + page_json(page.html) for page in (silent, asked))
    for value in frame["a"]:
        assert value in edges or repr(value) not in in_silent
    assert repr(frame["a"].iloc[5].item()) in in_asked
    assert repr(frame["a"].iloc[6].item()) not in asked.html
