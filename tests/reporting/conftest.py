"""A real browser for the page, and pages whose every request, error and dialog is written down."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mixed_tables import mixed_frame

import gnbayes
from gnbayes import GeneralizedNB
from gnbayes.reporting import summarize as summarizing
from gnbayes.reporting.subject import make_subject

# Chromium without its own traffic, which would only be noise among the requests of the page.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
]
AXE = "4.14.0"
TOOLS = Path(__file__).parents[2] / ".test-tools"


@dataclass
class Opened:
    """A page in the browser, and all that it did which it should not."""

    page: object
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self):
        page = self.page
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, driven by Playwright."""
    path = os.environ.get("GNBAYES_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open a report as a file, as a reader does; in the end it must have asked for and complained of nothing."""
    opened = []

    def open_report(report, fragment="", is_quiet=True, **options):
        path = tmp_path / f"page{len(opened)}.html"
        report.save(path)
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **options})
        one = Opened(context.new_page())
        one.listen()
        opened.append((one, is_quiet, path))
        one.page.set_default_timeout(30_000)
        one.page.goto(path.as_uri() + fragment)
        one.page.wait_for_selector("html.ready")
        return one.page

    yield open_report
    for one, is_quiet, path in opened:
        one.page.context.close()
        assert not one.complaints or not is_quiet, one.complaints
        asked = [url for url in one.requests if not url.startswith((path.as_uri(), "data:"))]
        assert not asked or not is_quiet, asked


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The accessibility checker axe-core, from npm; kept in a folder that git does not see."""
    script = TOOLS / f"axe-{AXE}.js"
    if not script.is_file():
        if shutil.which("npm") is None:
            pytest.skip("no npm on this machine to get axe-core with")
        folder = tmp_path_factory.mktemp("npm")
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", f"axe-core@{AXE}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        if run.returncode:
            pytest.skip(f"npm could not get axe-core: {run.stderr.strip()[-300:]}")
        TOOLS.mkdir(exist_ok=True)
        part = TOOLS / folder.name
        shutil.copy(folder / "node_modules" / "axe-core" / "axe.min.js", part)
        part.replace(script)  # other workers may be at it, too
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def page_of():
    """A page without refits, which take long; of two classes it shows the risk of "ill"."""

    def make(clf, *rows, **options):
        is_ill = len(clf.classes_) == 2 and "ill" in clf.classes_.tolist()
        return gnbayes.report(clf, *rows, **{"bootstrap": 0, "pos_label": "ill" if is_ill else None, **options})

    return make


@pytest.fixture(scope="session")
def subject_of():
    """What a model is about, with a dictionary or without."""

    def make(clf, dictionary=None):
        classes = clf.classes_.tolist()
        return make_subject(clf, dictionary, classes[0] if len(classes) == 2 else None)

    return make


@pytest.fixture(scope="session", autouse=True)
def _unusual_once():
    """How unusual rows are takes half of the time of a summary: it is computed once per model and rows."""
    found, describe = {}, summarizing.describe_unusual

    def described(clf, codes):
        key = (id(clf.model_), None if codes is None else codes.tobytes())
        if key not in found:
            found[key] = clf.model_, describe(clf, codes)  # the model is kept, so that its id stays its own
        return found[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summarizing, "describe_unusual", described)
        yield


@pytest.fixture(scope="session")
def binary():
    """A fitted model of two classes, its table and its classes."""
    frame, labels = mixed_frame()
    return GeneralizedNB("gnb-a", n_bins=5, weighting=None).fit(frame, labels), frame, labels


@pytest.fixture(scope="session")
def many_classes():
    """The same with four classes."""
    frame, labels = mixed_frame(600, 4, seed=1)
    return GeneralizedNB("gnb-o", n_bins=5, weighting=None).fit(frame, labels), frame, labels


@pytest.fixture(scope="session")
def weighted():
    """A model of two classes whose tables were learned together, in fine and coarse intervals."""
    frame, labels = mixed_frame()
    return make_weighted().fit(frame, labels), frame, labels


@pytest.fixture(scope="session")
def weighted_many():
    """The same with four classes."""
    frame, labels = mixed_frame(600, 4, seed=1)
    return make_weighted().fit(frame, labels), frame, labels


def make_weighted():
    return GeneralizedNB("gnb-o", n_bins="auto", weighting="discriminative", n_fits=1)
