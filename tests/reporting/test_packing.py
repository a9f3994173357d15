"""The data of the page as one text, and back again in the browser."""

import json
import string

import numpy as np
from page_forms import page_json

from gnbayes.reporting.packing import pack
from gnbayes.reporting.render import _asset

UNPACK = "async (text) => JSON.stringify(await (async () => { %s return unpack(text); })())"


def numbers(seed, n, bits):
    rng = np.random.default_rng(seed)
    return [int(value) for value in rng.integers(-(2**bits), 2**bits, n)]


DATA = {
    "name": "</script> & \u2028 ü 😀",
    "short": [1, -2, 3],
    "zeros": [0] * 300,
    "ends": [0, -1, 1, 2**49, -(2**49)] * 60,
    "nested": [{"small": numbers(0, 257, 6)}, {"large": numbers(1, 1000, 40)}],
    "floats": [0.1, 1e-300, 2 / 3] * 100,
    "mixed": [1, None, True, 0.5] * 100,
    "flags": [True, False] * 200,
}


def test_what_is_packed_comes_back():
    assert json.loads(page_json(f'<script id="data">{pack(DATA)}</script>')) == DATA


def test_the_text_is_plain_and_short():
    text = pack(DATA)
    assert set(text) <= set(string.ascii_letters + string.digits + "+/=")
    assert len(text) < len(json.dumps(DATA)) / 2


def test_the_browser_reads_the_same(browser):
    page = browser.new_page()
    found = page.evaluate(UNPACK % _asset("unpack.js"), pack(DATA))
    page.close()
    assert json.loads(found) == DATA


def test_an_old_browser_gets_a_sentence(binary, page_of, browser, tmp_path):
    page_of(binary[0]).save(tmp_path / "page.html")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script("delete window.DecompressionStream")
    page.goto((tmp_path / "page.html").as_uri())
    assert page.inner_text("#too-old") == "The calculator and the charts need a browser from 2023 or later."
    assert not page.locator("html.ready").count()
    page.close()
    assert errors == []
