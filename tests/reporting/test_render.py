"""One file, whole and small."""

import re
import sys

import numpy as np
import pandas as pd
import pytest

import gnbayes
from gnbayes import GeneralizedNB


def test_the_file_names_nothing_outside_itself(binary, page_of):
    clf, frame, labels = binary
    html = page_of(clf, frame, labels, rows=3).html
    assert re.findall(r'(?:src|href|action|data)="(?!#|data:)[^"]*"', html) == []
    assert "@import" not in html
    assert re.findall(r"url\(", html) == []
    assert re.findall(r"https?://(?!www\.w3\.org)", html) == []


def test_what_the_outcome_means_is_printed_where_there_is_room(binary, page_of):
    html = page_of(binary[0], dictionary={"target": {"meaning": "a fall"}}).html
    assert '<p class="subtitle meaning">' in html
    assert ".subtitle:not(.population, .meaning) { display: none; }" in html
    assert '<p class="subtitle">' in page_of(binary[0]).html


@pytest.mark.parametrize("weighting", [None, "discriminative"])
@pytest.mark.slow
def test_a_page_of_100_features_is_small(weighting):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 3200)
    X = pd.DataFrame(rng.normal(size=(3200, 100)) + y[:, None], columns=[f"feature number {j}" for j in range(100)])
    for classes in (y, y > 4):
        clf = GeneralizedNB(weighting=weighting, interactions="tree").fit(X[:2700], classes[:2700])
        page = gnbayes.report(clf, X[2700:], classes[2700:], rows=20, bootstrap=20)
        assert len(page.html.encode()) < (1_500_000 if len(clf.classes_) == 2 else 2_500_000)


@pytest.mark.slow
def test_a_page_of_340_tables_is_small():
    """Of 100 features, 180 pairs and 60 triples, with standard errors."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 3200)
    X = pd.DataFrame(rng.normal(size=(3200, 100)) + y[:, None], columns=[f"feature number {j}" for j in range(100)])
    for classes in (y, y > 4):
        clf = GeneralizedNB().fit(X[:2700], classes[:2700])
        page = gnbayes.report(clf, X[2700:], classes[2700:], rows=20)
        assert len(page.html.encode()) < (1_500_000 if len(clf.classes_) == 2 else 7_000_000)


def test_without_jinja(monkeypatch, binary):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"the report needs jinja2; install it with: pip install 'gnbayes\[report\]'"):
        gnbayes.report(binary[0])
